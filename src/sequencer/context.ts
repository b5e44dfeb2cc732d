import type { Chain } from '../chain/chain.ts'
import type { Evms } from '../engine/evm.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { ConsoleCalls } from '../model/execution/call.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { OrderName } from '../pool/order.ts'
import type { Pool } from '../pool/pool.ts'
import type { BlockMaker } from './block/blockMaker.ts'
import type { Deviations } from './block/deviations.ts'
import type { BlockSettings, PendingHash } from './block/openBlock.ts'
import type { UpcomingBlock } from './block/upcomingBlock.ts'
import type { Clock } from './clock.ts'
import type { Events } from './events.ts'
import type { CommandQueue } from './queue.ts'

export interface SequencerOptions {
  /** Slices of each block; 0: each tick opens, fills and seals one block. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  /** Number of blocks from `finalized` to `latest`. */
  readonly finalizedDistance: number
  /** Whether slice j of n is limited to j/n of the block's gas limit. */
  readonly sliceGasBudget: boolean
  /** The hash of an open block. */
  readonly pendingHash: PendingHash
  /** The order of waiting transactions. */
  readonly order?: OrderName
  /** Whether blocks are limited to the gas limit of their headers. */
  readonly isBlockGasLimited?: boolean
  /** Whether a transaction is sealed at once under `interval`, too. */
  readonly isMixed?: boolean
  /** Whether all accounts are impersonated from the beginning. */
  readonly autoImpersonates?: boolean
  readonly block: BlockSettings
  /** Planned deviations of blocks: faults. */
  readonly deviations?: Deviations
  /** Called with the internal error of a tick that time made, which has no caller. */
  onDefect(error: unknown): void
  /** Called with the `console.log` output of a transaction when it is pre-confirmed. */
  onConsole(said: ConsoleCalls, transaction: Transaction): void
}

export interface CommandContext extends SequencerOptions {
  readonly evms: Evms
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly listeners: Listeners<Events>
  readonly queue: CommandQueue
  readonly upcoming: UpcomingBlock
  readonly maker: BlockMaker
  readonly deviations: Deviations
}
