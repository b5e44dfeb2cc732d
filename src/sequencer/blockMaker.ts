/**
 * Makes blocks and publishes them: opens, runs slices, seals. Only commands of the sequencer's queue call it, one at a
 * time.
 */
import type { Chain } from '../chain/chain.ts'
import type { Moment, Preconfirmed } from '../chain/moment.ts'
import { type BlockContext, blockContext } from '../evm/blockContext.ts'
import type { Evm } from '../evm/evm.ts'
import type { Machines } from '../evm/machines.ts'
import { beginBlock } from '../evm/systemCalls.ts'
import type { ConsoleCalls } from '../model/consoleCall.ts'
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../model/fees.ts'
import type { BlockPosition } from '../model/forkSchedule.ts'
import type { Transaction } from '../model/transaction.ts'
import { inOrder } from '../pool/order.ts'
import type { Pool } from '../pool/pool.ts'
import { blockSeconds, type Cheats, fulfilled, wished } from './cheats.ts'
import type { Clock } from './clock.ts'
import type { Listeners } from './events.ts'
import { type BlockSettings, nextHeader, nextPosition, openBlock } from './openBlock.ts'
import type { Step } from './plan.ts'
import { sealedNow } from './sealedNow.ts'
import { runSlice, type Slice } from './slice.ts'

/** What blocks are made with. */
export interface Workshop {
  readonly machines: Machines
  readonly chain: Chain
  readonly pool: Pool
  readonly clock: Clock
  readonly listeners: Listeners
  readonly ticksPerBlock: number
  readonly block: BlockSettings
  onConsole(said: ConsoleCalls, transaction: Transaction): void
}

export class BlockMaker {
  readonly #chain: Chain
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #listeners: Listeners
  readonly #workshop: Workshop
  /** What a test wishes of the blocks to come. */
  cheats: Cheats

  constructor(workshop: Workshop, cheats: Cheats) {
    this.#workshop = workshop
    this.#chain = workshop.chain
    this.#pool = workshop.pool
    this.#clock = workshop.clock
    this.#listeners = workshop.listeners
    this.cheats = cheats
  }

  /** Those of the chain id that holds now. */
  get machines(): Machines {
    return this.#workshop.machines.withChainId(this.cheats.chainId)
  }

  /** Does the steps of one command in turn. */
  async do(steps: readonly Step[]): Promise<void> {
    let open = this.#chain.preconfirmed
    let unpublished: Slice | undefined
    for (const step of steps) {
      switch (step) {
        case 'seal':
          await this.#seal(open!, unpublished)
          open = undefined
          break
        case 'open':
        case 'reopen':
          open = await this.#open()
          break
        case 'slice': {
          const evm = this.#evmFor(open!)
          const slice = await runSlice(evm, open!, this.#pool.contents, this.#context(open!))
          const isFirst = isEmpty(open!) && !isEmpty(slice.open)
          open = slice.open
          // Blocks that are sealed in the tick that opened them are never pre-confirmed.
          if (this.#workshop.ticksPerBlock === 0) unpublished = slice
          else this.#preconfirm(slice)
          if (isFirst) this.#fulfil()
          break
        }
      }
    }
  }

  /** Runs what is ready into the open block, then seals it. */
  async mine(): Promise<void> {
    await this.do(this.#chain.preconfirmed === undefined ? ['open', 'slice', 'seal'] : ['slice', 'seal'])
  }

  /** Opens an empty open block anew, for what is wished of it now. One with transactions stays what it was published as. */
  async reopenIfEmpty(): Promise<void> {
    const { preconfirmed } = this.#chain
    if (preconfirmed === undefined || !isEmpty(preconfirmed)) return
    const open = await this.#open()
    this.#chain.preconfirm({ ...open, slices: preconfirmed.slices })
  }

  publishImported(moment: Moment): void {
    const { transactions, header } = moment.block
    for (const transaction of this.#chain.preconfirmed?.block.transactions ?? []) this.#pool.add(transaction)
    this.#chain.seal(moment)
    for (const transaction of transactions) this.#pool.remove(transaction)
    this.#clock.moveTo(Number(header.timestamp) * 1_000)
    this.#listeners.emit('sealed', moment)
  }

  /** Where the block stands that the next transaction goes into. */
  get nextPosition(): BlockPosition {
    const { preconfirmed, latest } = this.#chain
    return preconfirmed?.block.header ?? this.#positionAfter(latest)
  }

  /** The gas limit of the block that takes wishes. */
  get gasLimit(): bigint {
    return this.cheats.next.gasLimit ?? this.#chain.pending.block.header.gasLimit
  }

  /** Whether anything waits that can go into the open block, or into the next if none is open. */
  hasReady(): boolean {
    const { preconfirmed, latest } = this.#chain
    const { rules } = this.machines.at(this.nextPosition)
    const { header } = (preconfirmed ?? latest).block
    const isOpen = preconfirmed !== undefined
    const baseFeePerGas = isOpen
      ? header.baseFeePerGas
      : (this.cheats.next.baseFeePerGas ?? nextBaseFee(rules, header))
    const excessBlobGas = isOpen ? header.excessBlobGas : nextExcessBlobGas(rules, header)
    const prices = {
      baseFeePerGas: baseFeePerGas ?? 0n,
      blobBaseFee: blobBaseFee(rules, excessBlobGas) ?? 0n,
    }
    return inOrder(this.#pool.contents, this.#chain.pending.state, prices).next() !== undefined
  }

  #positionAfter({ block: { header } }: Moment): BlockPosition {
    return nextPosition(header, blockSeconds(this.cheats, header, this.#clock.seconds))
  }

  async #open(): Promise<Preconfirmed> {
    const { latest, logIndex } = this.#chain.state.history
    const { block, state } = latest
    const position = this.#positionAfter(latest)
    const evm = this.machines.at(position)
    const plain = nextHeader(evm.rules, block.header, block.hash, position, this.#workshop.block)
    const header = wished(plain, this.cheats)
    const open = openBlock(header, state, logIndex)
    return { ...open, state: await beginBlock(evm, state, this.#context(open), header) }
  }

  #preconfirm(slice: Slice): void {
    this.#takeFromPool(slice)
    this.#chain.preconfirm(slice.open)
    this.#tell(slice)
    this.#listeners.emit('preconfirmed', slice.open, slice.added)
  }

  async #seal(open: Preconfirmed, unpublished: Slice | undefined): Promise<void> {
    const moment = await sealedNow(this.machines, open, this.#chain.blockHash)
    if (unpublished !== undefined) this.#takeFromPool(unpublished)
    this.#chain.seal(moment)
    if (isEmpty(open)) this.#fulfil()
    if (unpublished !== undefined) this.#tell(unpublished)
    this.#listeners.emit('sealed', moment)
  }

  /**
   * The open block got its first transaction, or is sealed without any: it is what was wished for, and what is wished
   * later is meant for the next. If it was given a time, the clock goes on from there, as that of the peers.
   */
  #fulfil(): void {
    const { timestamp } = this.cheats.next
    this.cheats = fulfilled(this.cheats)
    if (timestamp === undefined || timestamp === this.#clock.seconds) return
    this.#clock.shift(Number(timestamp) * 1_000 - this.#clock.nowMs)
  }

  /** Called right before the chain is published, with nothing awaited between: a hash is never in neither of them. */
  #takeFromPool({ added, dropped }: Slice): void {
    for (const transaction of added) this.#pool.remove(transaction)
    for (const [transaction] of dropped) this.#pool.remove(transaction)
  }

  /** What happened on the way to what is published now. */
  #tell({ dropped, said }: Slice): void {
    for (const [transaction, reason] of dropped) this.#listeners.emit('dropped', transaction, reason)
    for (const [transaction, calls] of said) this.#workshop.onConsole(calls, transaction)
  }

  #evmFor({ block }: Preconfirmed): Evm {
    return this.machines.at(block.header)
  }

  #context(open: Preconfirmed): BlockContext {
    return blockContext(this.#evmFor(open).rules, open.block.header, this.#chain.blockHash)
  }
}

function isEmpty({ block }: Preconfirmed): boolean {
  return block.transactions.length === 0
}
