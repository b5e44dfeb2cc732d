/**
 * The one writer.
 *
 * Everything that changes the chain, the pool or the clock is a command in one queue; commands run in order, one
 * at a time, and one that fails does not stop the next. What they publish is built beside what is there and swapped in with
 * one assignment.
 */
import type { Chain, ChainState } from '../chain/chain.ts'
import { History } from '../chain/history.ts'
import type { Machines } from '../evm/machines.ts'
import type { ByteSource } from '../model/blockStream.ts'
import type { Address } from '../model/hex.ts'
import type { Transaction } from '../model/transaction.ts'
import { admit, type Rejection } from '../pool/admit.ts'
import type { Pool, PoolContents } from '../pool/pool.ts'
import { BlockMaker } from './blockMaker.ts'
import {
  type Cheats,
  isImpersonated,
  type NextBlock,
  NO_CHEATS,
  type StateCheat,
  withAccounts,
} from './cheats.ts'
import { breathe, type Clock, type ClockMark, type Rhythm } from './clock.ts'
import { Listeners } from './events.ts'
import { type ImportOutcome, type ImportProgress, type ImportSink, importBlocks } from './importBlocks.ts'
import type { BlockSettings } from './openBlock.ts'
import { plan } from './plan.ts'
import { Snapshots } from './snapshots.ts'

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
  readonly cheats: Cheats
}

/** How many blocks, and how far apart. */
export interface Mining {
  readonly blocks: number
  /** By how much time is moved between one and the next. */
  readonly intervalSeconds: number
}

/** What became of a wish for a time: blocks never go back behind their parents. */
export type TimeWish = { readonly kind: 'granted' } | { readonly kind: 'tooEarly'; readonly earliest: bigint }

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
  readonly #maker: BlockMaker
  readonly #snapshots = new Snapshots<Mark>()
  #last: Promise<unknown> = Promise.resolve()
  readonly #stopped = new AbortController()
  #isTickWaiting = false

  constructor(
    machines: Machines,
    chain: Chain,
    pool: Pool,
    clock: Clock,
    options: SequencerOptions,
    cheats: Cheats = NO_CHEATS,
  ) {
    this.#machines = machines
    this.#chain = chain
    this.#pool = pool
    this.#clock = clock
    this.#options = options
    const { listeners } = this
    this.#maker = new BlockMaker({ machines, chain, pool, clock, listeners, ...options }, cheats)
  }

  get mark(): Mark {
    return {
      chain: this.#chain.state,
      pool: this.#pool.contents,
      clock: this.#clock.mark,
      cheats: this.cheats,
    }
  }

  get cheats(): Cheats {
    return this.#maker.cheats
  }

  /** What makes blocks now. */
  get rhythm(): Rhythm {
    return this.#clock.rhythm
  }

  /** Time between blocks under `interval`. */
  get blockMs(): number {
    return this.#clock.tickMs * Math.max(1, this.#options.ticksPerBlock)
  }

  /** Who receives the tips of the blocks to come. */
  get coinbase(): Address {
    return this.cheats.coinbase ?? this.#options.block.coinbase
  }

  /** The ids of the snapshots that can be reverted to. */
  get snapshots(): ReadonlyMap<bigint, Mark> {
    return this.#snapshots.all
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
    return this.#enqueue(() =>
      this.#maker.do(this.#chain.preconfirmed === undefined ? ['open', 'seal'] : ['seal']),
    )
  }

  /** Runs what is ready into the open block and seals it, as often as is asked for; at `timestamp`, if it can be. */
  mine({ blocks, intervalSeconds }: Mining = ONE_BLOCK, timestamp?: bigint): Promise<TimeWish> {
    return this.#enqueue(async () => {
      const wish = timestamp === undefined ? GRANTED : await this.#wishTime(timestamp)
      if (wish.kind !== 'granted') return wish
      for (let mined = 0; mined < blocks; mined++) {
        if (mined > 0 && intervalSeconds > 0) this.#clock.shift(intervalSeconds * 1_000)
        await this.#maker.mine()
        // Questions that come meanwhile are answered.
        if (mined % 1_000 === 999) await breathe()
      }
      return wish
    })
  }

  /** Another rhythm makes the blocks from now on. What is pre-confirmed or ready is mined at once where `instant` begins. */
  setRhythm(rhythm: Rhythm, blockMs?: number): Promise<void> {
    return this.#enqueue(async () => {
      const tickMs = blockMs && Math.max(1, Math.round(blockMs / Math.max(1, this.#options.ticksPerBlock)))
      this.#clock.setRhythm(rhythm, tickMs)
      if (rhythm !== 'instant') return
      const isOpen = (this.#chain.preconfirmed?.block.transactions.length ?? 0) > 0
      if (isOpen || this.#maker.hasReady()) await this.#maker.mine()
    })
  }

  /** Moves time by `ms` without making ticks. Answers by how much it was moved in all. */
  shiftTime(ms: number): Promise<number> {
    return this.#enqueue(() => this.#shiftTime(ms))
  }

  /** Sets time to `ms`, which may be past: blocks then keep their parents' times. Answers by how much it was moved. */
  setTime(ms: number): Promise<number> {
    return this.#enqueue(async () => {
      const difference = ms - this.#clock.nowMs
      await this.#shiftTime(difference)
      return difference
    })
  }

  /** Gives the next block a time of its own: the open one while it is empty. */
  wishTime(timestamp: bigint): Promise<TimeWish> {
    return this.#enqueue(() => this.#wishTime(timestamp))
  }

  /** Gives the next block values of its own: the open one while it is empty. */
  wish(wish: NextBlock): Promise<void> {
    return this.#enqueue(() => this.#cheat((cheats) => ({ ...cheats, next: { ...cheats.next, ...wish } })))
  }

  /** Changes what is bent; blocks that are made from now on follow it. */
  cheat(change: (cheats: Cheats) => Cheats): Promise<void> {
    return this.#enqueue(() => this.#cheat(change))
  }

  /** Changes accounts in the latest and in the pre-confirmed moment, which are published anew. */
  changeAccounts(cheat: StateCheat): Promise<void> {
    return this.#enqueue(async () => this.#chain.restore(withAccounts(this.#chain.state, cheat)))
  }

  /** Lets waiting transactions go. Answers whether there were any. */
  drop(choose: (pool: Pool) => readonly Transaction[]): Promise<boolean> {
    return this.#enqueue(async () => {
      const chosen = choose(this.#pool)
      for (const transaction of chosen) {
        this.#pool.remove(transaction)
        this.listeners.emit('dropped', transaction, { kind: 'removed' })
      }
      return chosen.length > 0
    })
  }

  /** Remembers where everything is, under an id. */
  snapshot(): Promise<bigint> {
    return this.#enqueue(async () => this.#snapshots.add(this.mark))
  }

  /** Goes back to a snapshot, which is thereby used up, as are all that came after it. Answers whether there was one. */
  revert(id: bigint): Promise<boolean> {
    return this.#enqueue(async () => {
      const mark = this.#snapshots.take(id)
      if (mark === undefined) return false
      this.#restore(mark)
      return true
    })
  }

  /** Goes back to block 0, as if nothing had ever been done; the rhythm stays. */
  reset(): Promise<void> {
    return this.#enqueue(async () => {
      const { origin } = this.#chain.state.history
      this.#chain.restore({ history: History.of(origin), preconfirmed: undefined })
      this.#pool.clear()
      this.#maker.cheats = NO_CHEATS
      this.#snapshots.clear()
      this.#clock.rewind(Number(origin.block.header.timestamp) * 1_000)
    })
  }

  isImpersonated(sender: Address): boolean {
    return isImpersonated(this.cheats, sender)
  }

  /**
   * Brings blocks that others made onto the chain, each published when it has been run and found right. A block that
   * was being pre-confirmed is given up: its transactions wait again.
   */
  import(source: ByteSource, onProgress: (progress: ImportProgress) => void): Promise<ImportOutcome> {
    const sink: ImportSink = {
      publish: (moment) => this.#maker.publishImported(moment),
      onProgress,
      closed: this.#stopped.signal,
    }
    return this.#enqueue(() => importBlocks(this.#machines, this.#chain, source, sink))
  }

  /** Goes back (or forth) to where `mark` was taken. */
  restore(mark: Mark): Promise<void> {
    return this.#enqueue(async () => this.#restore(mark))
  }

  #enqueue<T>(command: () => Promise<T>): Promise<T> {
    const result = this.#last.then(command, command)
    this.#last = result
    return result
  }

  async #submit(transaction: Transaction): Promise<Submission> {
    const rejection = admit(transaction, this.#pool, {
      rules: this.#machines.at(this.#maker.nextPosition).rules,
      state: this.#chain.pending.state,
      blockGasLimit: this.#maker.gasLimit,
      isIncluded: (hash) => this.#chain.find(hash) !== undefined,
    })
    if (rejection !== undefined) return { kind: 'rejected', transaction, rejection }
    const replaced = this.#pool.rivalOf(transaction)
    this.#pool.add(transaction)
    if (replaced !== undefined) {
      this.listeners.emit('dropped', replaced, { kind: 'replaced', by: transaction })
    }
    this.listeners.emit('accepted', transaction)
    if (this.#clock.rhythm === 'instant' && this.#maker.hasReady()) await this.#maker.mine()
    return { kind: 'accepted', transaction }
  }

  async #tick(): Promise<void> {
    this.#clock.tick()
    const open = this.#chain.preconfirmed
    await this.#maker.do(
      plan({
        open: open && { slices: open.slices, transactions: open.block.transactions.length },
        ticksPerBlock: this.#options.ticksPerBlock,
        sealEmptyBlocks: this.#options.sealEmptyBlocks,
        hasReady: () => this.#maker.hasReady(),
      }),
    )
  }

  #restore({ chain, pool, clock, cheats }: Mark): void {
    this.#chain.restore(chain)
    this.#pool.restore(pool)
    this.#clock.restore(clock)
    this.#maker.cheats = cheats
  }

  async #cheat(change: (cheats: Cheats) => Cheats): Promise<void> {
    this.#maker.cheats = change(this.cheats)
    await this.#maker.reopenIfEmpty()
  }

  async #wishTime(timestamp: bigint): Promise<TimeWish> {
    const { preconfirmed, latest } = this.#chain
    const isOpen = preconfirmed !== undefined && preconfirmed.block.transactions.length > 0
    const earliest = (isOpen ? preconfirmed : latest).block.header.timestamp
    if (timestamp < earliest) return { kind: 'tooEarly', earliest }
    await this.#cheat((cheats) => ({ ...cheats, next: { ...cheats.next, timestamp } }))
    return GRANTED
  }

  async #shiftTime(ms: number): Promise<number> {
    this.#clock.shift(ms)
    await this.#maker.reopenIfEmpty()
    return this.#clock.shiftedMs
  }
}

const ONE_BLOCK: Mining = { blocks: 1, intervalSeconds: 0 }
const GRANTED: TimeWish = { kind: 'granted' }
