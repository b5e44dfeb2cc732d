import type { Chain } from '../chain/chain.ts'
import type { Evms } from '../engine/evm.ts'
import type { Listeners } from '../model/collections/listeners.ts'
import type { ConsoleCalls } from '../model/execution/call.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { OrderName } from '../pool/order.ts'
import type { Pool } from '../pool/pool.ts'
import type { BlockMaker } from './block/blockMaker.ts'
import type { Derivation } from './block/derivation.ts'
import type { Deviations } from './block/deviations.ts'
import type { BlockSettings, PendingHash } from './block/openBlock.ts'
import type { UpcomingBlock } from './block/upcomingBlock.ts'
import type { Clock } from './clock.ts'
import type { Events } from './events.ts'
import type { CommandQueue } from './queue.ts'

export interface SequencerOptions {
  /** Slices in each block. With 0, each tick makes and seals one block. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  readonly finalizedDistance: number
  /** Whether the gas of the first j of n slices together is limited to j/n of the block's gas limit. */
  readonly sliceGasBudget: boolean
  readonly pendingHash: PendingHash
  readonly order?: OrderName
  /** Whether the gas limit in a block's header limits the gas of the block's transactions. True by default. */
  readonly isBlockGasLimited?: boolean
  /** Whether `interval` also seals each transaction in a block when it is accepted, as `instant` does. */
  readonly isMixed?: boolean
  /** Whether a transaction that the next block cannot include is refused while each is mined at once, as in Hardhat. */
  readonly refusesWaiting?: boolean
  /** Whether `pending` contains the waiting transactions while no block is under construction. */
  readonly previewsPending?: boolean
  /** The minimum number of seconds between a block and its parent: 0 (the default) or 1. */
  readonly minBlockSeconds?: bigint
  readonly autoImpersonates?: boolean
  readonly block: BlockSettings
  /** Decides with which deposits the blocks of an L2 begin, if an L1 exists. */
  readonly derivation?: Derivation | undefined
  /** The faults that change slices, sealed blocks and reorgs. */
  readonly deviations?: Deviations
  /** Called with an internal error in a tick of the clock, because such a tick has no caller to handle the error. */
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
