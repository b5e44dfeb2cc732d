/**
 * The one writer.
 *
 * Everything that changes the chain, the pool or the clock is a command in one queue; commands run in order, one
 * at a time, and one that fails does not stop the next. What they publish is built beside what is there and swapped in with
 * one assignment.
 */
import type { Chain, ChainState } from '../chain/chain.ts'
import type { Moment, Preconfirmed } from '../chain/moment.ts'
import { type BlockContext, blockContext } from '../evm/blockContext.ts'
import type { Evm } from '../evm/evm.ts'
import type { Machines } from '../evm/machines.ts'
import { beginBlock, endBlock } from '../evm/systemCalls.ts'
import type { ByteSource } from '../model/blockStream.ts'
import { nextBaseFee } from '../model/fees.ts'
import type { BlockPosition } from '../model/forkSchedule.ts'
import type { Address } from '../model/hex.ts'
import type { Transaction } from '../model/transaction.ts'
import { admit, type Rejection } from '../pool/admit.ts'
import { inOrder } from '../pool/order.ts'
import type { Pool, PoolContents } from '../pool/pool.ts'
import { breathe, type Clock, type ClockMark } from './clock.ts'
import { Listeners } from './events.ts'
import { type ImportOutcome, type ImportProgress, type ImportSink, importBlocks } from './importBlocks.ts'
import { type BlockSettings, nextHeader, nextPosition, openBlock, sealBlock } from './openBlock.ts'
import { plan, type Step } from './plan.ts'
import { runSlice, type Slice } from './slice.ts'

export interface SequencerOptions {
  /** Slices before a block is sealed; 0: each tick opens, runs and seals one. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  readonly block: BlockSettings
  /** Learns of what breaks a tick that time made, which has nobody else to tell. */
  onDefect(error: unknown): void
}

/** All that commands change, as a value: what a snapshot holds. */
export interface Mark {
  readonly chain: ChainState
  readonly pool: PoolContents
  readonly clock: ClockMark
}

/** What became of a submitted transaction. */
export type Submission =
  | { readonly kind: 'accepted'; readonly transaction: Transaction }
  | { readonly kind: 'rejected'; readonly transaction: Transaction; readonly rejection: Rejection }

export class Sequencer {
  readonly listeners = new Listeners()
  readonly #machines: Machines
  readonly #chain: Chain
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #options: SequencerOptions
  #last: Promise<unknown> = Promise.resolve()
  readonly #stopped = new AbortController()
  #isTickWaiting = false

  constructor(machines: Machines, chain: Chain, pool: Pool, clock: Clock, options: SequencerOptions) {
    this.#machines = machines
    this.#chain = chain
    this.#pool = pool
    this.#clock = clock
    this.#options = options
  }

  get mark(): Mark {
    return { chain: this.#chain.state, pool: this.#pool.contents, clock: this.#clock.mark }
  }

  /** Lets time make ticks (under `interval`). */
  start(): void {
    this.#clock.start(() => {
      // A tick that overruns is not queued twice: what waits is taken in by the one that follows.
      if (this.#isTickWaiting) return
      this.#isTickWaiting = true
      void this.tick()
        .catch(this.#options.onDefect)
        .finally(() => {
          this.#isTickWaiting = false
          this.#clock.wake()
        })
    })
  }

  /** Ends all ticks, and waits for the command that runs; an import ends with the block that it is at. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    this.#clock.stop()
    await this.#last.catch(() => {})
  }

  /** Lets a transaction into the pool; under `instant`, into a block at once. */
  submit(transaction: Transaction): Promise<Submission> {
    return this.#enqueue(() => this.#submit(transaction))
  }

  /** Submits what `sign` makes of the sender's next nonce, which no other command can take meanwhile. */
  submitNext(sender: Address, sign: (nonce: bigint) => Transaction): Promise<Submission> {
    return this.#enqueue(() => this.#submit(sign(this.nextNonce(sender))))
  }

  /** The nonce that the sender's next transaction needs: after those in blocks and those that wait without a gap. */
  nextNonce(sender: Address): bigint {
    return this.#pool.nextNonce(sender, this.#chain.pending.state.account(sender)?.nonce ?? 0n)
  }

  /** Makes one tick, as if its time had come. */
  tick(): Promise<void> {
    return this.#enqueue(() => this.#tick())
  }

  /** Moves time forward and makes each tick that falls due on the way. */
  advance(ms: number): Promise<void> {
    return this.#enqueue(async () => {
      const target = this.#clock.nowMs + ms
      for (let ticks = 1; this.#clock.rhythm !== 'instant' && this.#clock.nextTickMs <= target; ticks++) {
        await this.#tick()
        // Questions that come meanwhile are answered.
        if (ticks % 1_000 === 0) await breathe()
      }
      this.#clock.moveTo(target)
    })
  }

  /** Seals the open block as it is (an empty one if none is open); the pool stays as it is. */
  seal(): Promise<void> {
    return this.#enqueue(() => this.#do(this.#chain.preconfirmed === undefined ? ['open', 'seal'] : ['seal']))
  }

  /** Runs what is ready into the open block, then seals it. */
  mine(): Promise<void> {
    return this.#enqueue(() => this.#mine())
  }

  /**
   * Brings blocks that others made onto the chain, each published when it has been run and found right. A block that
   * was being pre-confirmed is given up: its transactions wait again.
   */
  import(source: ByteSource, onProgress: (progress: ImportProgress) => void): Promise<ImportOutcome> {
    const sink: ImportSink = {
      publish: (moment) => this.#publishImported(moment),
      onProgress,
      closed: this.#stopped.signal,
    }
    return this.#enqueue(() => importBlocks(this.#machines, this.#chain, source, sink))
  }

  /** Goes back (or forth) to where `mark` was taken. */
  restore(mark: Mark): Promise<void> {
    return this.#enqueue(async () => {
      this.#chain.restore(mark.chain)
      this.#pool.restore(mark.pool)
      this.#clock.restore(mark.clock)
    })
  }

  #enqueue<T>(command: () => Promise<T>): Promise<T> {
    const result = this.#last.then(command, command)
    this.#last = result
    return result
  }

  async #submit(transaction: Transaction): Promise<Submission> {
    const rejection = admit(transaction, this.#pool, {
      rules: this.#machines.at(this.#nextPosition()).rules,
      state: this.#chain.pending.state,
      blockGasLimit: this.#chain.pending.block.header.gasLimit,
      isIncluded: (hash) => this.#chain.find(hash) !== undefined,
    })
    if (rejection !== undefined) return { kind: 'rejected', transaction, rejection }
    const replaced = this.#pool.rivalOf(transaction)
    this.#pool.add(transaction)
    if (replaced !== undefined) {
      this.listeners.emit('dropped', replaced, { kind: 'replaced', by: transaction })
    }
    this.listeners.emit('accepted', transaction)
    if (this.#clock.rhythm === 'instant' && this.#hasReady()) await this.#mine()
    return { kind: 'accepted', transaction }
  }

  async #tick(): Promise<void> {
    this.#clock.tick()
    const open = this.#chain.preconfirmed
    await this.#do(
      plan({
        open: open && { slices: open.slices, transactions: open.block.transactions.length },
        ticksPerBlock: this.#options.ticksPerBlock,
        sealEmptyBlocks: this.#options.sealEmptyBlocks,
        hasReady: () => this.#hasReady(),
      }),
    )
  }

  async #mine(): Promise<void> {
    await this.#do(this.#chain.preconfirmed === undefined ? ['open', 'slice', 'seal'] : ['slice', 'seal'])
  }

  /** Does the steps of one command in turn. */
  async #do(steps: readonly Step[]): Promise<void> {
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
          open = slice.open
          // Blocks that are sealed in the tick that opened them are never pre-confirmed.
          if (this.#options.ticksPerBlock === 0) unpublished = slice
          else this.#preconfirm(slice)
          break
        }
      }
    }
  }

  async #open(): Promise<Preconfirmed> {
    const { latest, logIndex } = this.#chain.state.history
    const { block, state } = latest
    const position = nextPosition(block.header, this.#clock.seconds)
    const evm = this.#machines.at(position)
    const header = nextHeader(evm.rules, block.header, block.hash, position, this.#options.block)
    const open = openBlock(header, state, logIndex)
    return { ...open, state: await beginBlock(evm, state, this.#context(open), header) }
  }

  #preconfirm(slice: Slice): void {
    this.#takeFromPool(slice)
    this.#chain.preconfirm(slice.open)
    this.#tellDropped(slice)
    this.listeners.emit('preconfirmed', slice.open, slice.added)
  }

  async #seal(open: Preconfirmed, unpublished: Slice | undefined): Promise<void> {
    const { receipts } = open.block
    const { state, requestsHash } = await endBlock(
      this.#evmFor(open),
      open.state,
      this.#context(open),
      receipts,
    )
    const moment = sealBlock(open, state, requestsHash)
    if (unpublished !== undefined) this.#takeFromPool(unpublished)
    this.#chain.seal(moment)
    if (unpublished !== undefined) this.#tellDropped(unpublished)
    this.listeners.emit('sealed', moment)
  }

  #publishImported(moment: Moment): void {
    const { transactions, header } = moment.block
    for (const transaction of this.#chain.preconfirmed?.block.transactions ?? []) this.#pool.add(transaction)
    this.#chain.seal(moment)
    for (const transaction of transactions) this.#pool.remove(transaction)
    this.#clock.moveTo(Number(header.timestamp) * 1_000)
    this.listeners.emit('sealed', moment)
  }

  /** Called right before the chain is published, with nothing awaited between: a hash is never in neither of them. */
  #takeFromPool({ added, dropped }: Slice): void {
    for (const transaction of added) this.#pool.remove(transaction)
    for (const [transaction] of dropped) this.#pool.remove(transaction)
  }

  #tellDropped({ dropped }: Slice): void {
    for (const [transaction, reason] of dropped) this.listeners.emit('dropped', transaction, reason)
  }

  #evmFor({ block }: Preconfirmed): Evm {
    return this.#machines.at(block.header)
  }

  #context(open: Preconfirmed): BlockContext {
    return blockContext(this.#evmFor(open).rules, open.block.header, this.#chain.blockHash)
  }

  /** Where the block stands that the next transaction goes into. */
  #nextPosition(): BlockPosition {
    const { preconfirmed, latest } = this.#chain
    return preconfirmed?.block.header ?? nextPosition(latest.block.header, this.#clock.seconds)
  }

  /** Whether anything waits that can go into the open block, or into the next if none is open. */
  #hasReady(): boolean {
    const { preconfirmed, latest } = this.#chain
    const { rules } = this.#machines.at(this.#nextPosition())
    const baseFeePerGas =
      preconfirmed === undefined
        ? nextBaseFee(rules, latest.block.header)
        : preconfirmed.block.header.baseFeePerGas
    const { state } = preconfirmed ?? latest
    return inOrder(this.#pool.contents, state, baseFeePerGas ?? 0n).next() !== undefined
  }
}
