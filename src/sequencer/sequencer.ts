/**
 * The one writer.
 *
 * Everything that changes the chain, the pool or the clock is a command in one queue; commands run in order, one
 * at a time, and one that fails does not stop the next. What they publish is built beside what is there and swapped in with
 * one assignment.
 */
import { beginningWith, type Chain, type ChainState } from '../chain/chain.ts'
import { History } from '../chain/history.ts'
import { hasState, type UnknownState } from '../chain/moment.ts'
import type { Evms } from '../evm/evms.ts'
import type { Occasion, PlannedFault } from '../faults/dueFaults.ts'
import type { ReorgOutcome } from '../faults/faultPlanner.ts'
import { sentIn } from '../model/block/block.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import type { Header } from '../model/block/header.ts'
import type { Address } from '../model/bytes/hex.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { ReorgRequest } from '../model/fault.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { Work } from '../model/work/work.ts'
import { admit, type Rejection } from '../pool/admit.ts'
import type { OrderName } from '../pool/order.ts'
import type { Pool, PoolContents } from '../pool/pool.ts'
import { BlockMaker } from './block/blockMaker.ts'
import type { BlockSettings, PendingHash } from './block/openBlock.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import { breathe, type Clock, type ClockMark, type TimeSource } from './clock.ts'
import type { Events, Progress } from './events.ts'
import { FaultCommands } from './faultCommands.ts'
import type { ImportRules } from './import/blockFlaw.ts'
import {
  type ImportOutcome,
  type ImportProgress,
  type ImportSink,
  importBlocks,
} from './import/importBlocks.ts'
import { LongSpan } from './longSpan.ts'
import { plan } from './plan.ts'
import { CommandQueue, type Watcher } from './queue.ts'
import { Snapshots } from './snapshots.ts'
import { GRANTED, Steering, type TimestampOutcome } from './steering.ts'
import { Timeline } from './timeline.ts'
import { type WhyWaiting, whyWaiting } from './waiting.ts'

export interface SequencerOptions {
  /** Slices before a block is sealed; 0: each tick opens, runs and seals one. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  /** How many blocks `finalized` trails `latest`. */
  readonly finalizedDistance: number
  /** Whether slice j of n may use only j/n of the block's gas. */
  readonly sliceGasBudget: boolean
  /** What readers see as the hash of the block under construction. */
  readonly pendingHash: PendingHash
  /** Which waiting transactions go first. */
  readonly order?: OrderName
  /** Whether blocks take no more gas than their headers say. */
  readonly isBlockGasLimited?: boolean
  /** Whether a transaction is sealed at once under `interval`, too. */
  readonly isMixed?: boolean
  /** Whether any account may send without its key from the beginning. */
  readonly autoImpersonates?: boolean
  readonly block: BlockSettings
  /** Learns of what breaks a tick that time made, which has nobody else to tell. */
  onDefect(error: unknown): void
  /** Learns what the code of a transaction that was pre-confirmed said to the console. */
  onConsole(said: ConsoleCalls, transaction: Transaction): void
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

/** What became of a submitted transaction. */
export type Submission =
  | { readonly kind: 'accepted'; readonly transaction: Transaction }
  | { readonly kind: 'rejected'; readonly transaction: Transaction; readonly rejection: Rejection }

export class Sequencer {
  readonly listeners = new Listeners<Events>()
  readonly #chain: Chain
  readonly #pool: Pool
  readonly #clock: Clock
  readonly #options: SequencerOptions
  readonly #maker: BlockMaker
  readonly #snapshots = new Snapshots<Mark>()
  readonly #queue = new CommandQueue()
  /** What has happened to each transaction. */
  readonly timeline: Timeline
  /** Bends time, blocks and accounts. */
  readonly steering: Steering
  /** The rules that the chain began with, whatever chain id was set since. */
  readonly schedule: ForkSchedule
  /** Plans what is to go wrong. */
  readonly faultCommands: FaultCommands
  /** Ends the imports. Made with the first of them: to abort takes longer than all else that closing a devnet does. */
  #imports: AbortController | undefined
  #isStopped = false
  #isTickWaiting = false
  #ticks = 0

  constructor(
    evms: Evms,
    chain: Chain,
    pool: Pool,
    clock: Clock,
    options: SequencerOptions,
    cheats: Cheats = firstCheats(options),
  ) {
    this.schedule = evms.schedule
    this.#chain = chain
    this.#pool = pool
    this.#clock = clock
    this.#options = options
    const { listeners } = this
    this.#maker = new BlockMaker({ evms, chain, pool, clock, listeners, ...options }, cheats)
    this.timeline = new Timeline(listeners, clock, chain)
    const { ticksPerBlock, block } = options
    this.steering = new Steering(this.#queue, this.#maker, chain, clock, {
      ticksPerBlock,
      coinbase: block.coinbase,
    })
    this.faultCommands = new FaultCommands(this.#queue, this.#maker.chainFaults, this.#maker.publisher)
  }

  /** Calls `listener` at each slice, and at each block that is sealed without one, until the returned function is called. */
  onSlice(listener: (occasion: Occasion) => void): () => void {
    const ends = [
      this.listeners.on('preconfirmed', ({ block, slices }) =>
        listener({ block: block.header.number, slice: slices }),
      ),
      this.listeners.on('sealed', ({ block, lastSlice }) => {
        if (lastSlice === undefined) listener({ block: block.header.number })
      }),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  get mark(): Mark {
    return {
      chain: this.#chain.state,
      pool: this.#pool.contents,
      clock: this.#clock.mark,
      cheats: this.#maker.cheats,
    }
  }

  get clock(): Clock {
    return this.#clock
  }

  /** How many ticks were made here. */
  get ticks(): number {
    return this.#ticks
  }

  /**
   * Lets `watcher`, and nobody else, follow the commands from now on, and `timeSource`, if given, tell the time: the seam
   * for what records the devnet, or plays a recording on it.
   */
  observe(watcher: Watcher | undefined, timeSource?: TimeSource): void {
    this.#queue.watch(watcher)
    if (timeSource !== undefined) this.#clock.runOn(timeSource)
  }

  /** What runs code now. */
  get evms(): Evms {
    return this.#maker.evms
  }

  /** What blocks take from the options. */
  get blockSettings(): BlockSettings {
    return this.#options.block
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
      this.#queue.onDue()
      void this.tick()
        .catch(this.#options.onDefect)
        .finally(() => {
          this.#isTickWaiting = false
          this.#clock.wake()
        })
        .then(() => this.#hashAhead())
    })
  }

  /** Ends all ticks, and waits for the command that runs; an import, and mining of many blocks, end with the block they are at. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#imports?.abort()
    this.#clock.stop()
    await this.#queue.idle()
  }

  /** When all that was asked for until now is done, well or badly. Answers whether nothing was asked for meanwhile. */
  idle(): Promise<boolean> {
    return this.#queue.idle()
  }

  /** Lets a transaction into the pool; under `instant`, into a block at once. */
  submit(transaction: Transaction): Promise<Submission> {
    return this.#queue.add(() => this.#submit(transaction))
  }

  /** Submits what `sign` makes of the sender's next nonce, which no other command can take meanwhile. */
  submitNext(sender: Address, sign: (nonce: bigint) => Transaction): Promise<Submission> {
    return this.#queue.add(() => this.#submit(sign(this.nextNonce(sender))))
  }

  /** Returns the header of the block that follows the newest sealed one, if it were opened now. */
  get nextHeader(): Header {
    return this.#maker.nextHeader
  }

  /** The nonce that the sender's next transaction needs: after those in blocks and those that wait without a gap. */
  nextNonce(sender: Address): bigint {
    return this.#pool.nextNonce(sender, this.#chain.tip.state.account(sender)?.nonce ?? 0n)
  }

  /** Why `transaction`, which was accepted, is in no block yet. */
  whyWaiting(transaction: Transaction): WhyWaiting {
    const { rhythm, nextTickMs, nowMs } = this.#clock
    return whyWaiting(transaction, {
      chain: this.#chain,
      pool: this.#pool,
      rules: this.evms.at(this.#maker.nextPosition).rules,
      baseFeePerGas: this.#maker.prices.baseFeePerGas,
      rhythm,
      inMs: rhythm === 'interval' ? nextTickMs - nowMs : undefined,
    })
  }

  /** What is to go wrong, on purpose. */
  get faults(): readonly PlannedFault[] {
    return this.#maker.chainFaults.planned
  }

  /** Makes one tick, as if its time had come. */
  tick(): Promise<void> {
    return this.#queue.add(() => this.#tick())
  }

  /** The same, unless nobody needs it any more when its turn comes. */
  tickIf(isNeeded: () => boolean): Promise<void> {
    return this.#queue.add(async () => {
      if (isNeeded()) await this.#tick()
    })
  }

  /** Moves time forward and makes the ticks that fall due on the way; `longSpan.ts` says which of many are left out. */
  advance(ms: number): Promise<void> {
    return this.#queue.add(async () => {
      const target = this.#clock.nowMs + ms
      const span = new LongSpan(this.#ticksUntil(target), this.#options)
      for (let ticks = 1; this.#ticksUntil(target) > 0; ticks++) {
        await this.#tick()
        const leftOut = span.leftOut(
          this.#maker.isAtRest(this.#options.sealEmptyBlocks),
          this.#ticksUntil(target),
        )
        if (leftOut > 0) await this.#clock.step(() => this.#clock.skip(leftOut * this.#clock.tickMs))
        // Questions that come meanwhile are answered.
        if (ticks % 1_000 === 0) await breathe()
      }
      await this.#clock.step(() => this.#clock.moveTo(target))
    })
  }

  /** How many ticks fall due until `targetMs`, that time included. */
  #ticksUntil(targetMs: number): number {
    const { rhythm, nextTickMs, tickMs } = this.#clock
    if (rhythm === 'instant' || nextTickMs > targetMs) return 0
    return Math.floor((targetMs - nextTickMs) / tickMs) + 1
  }

  /** Seals the open block as it is (an empty one if none is open); the pool stays as it is. */
  seal(): Promise<void> {
    return this.#queue.add(() => this.#maker.do(this.#chain.open === undefined ? ['open', 'seal'] : ['seal']))
  }

  /**
   * Runs what is ready into the open block and seals it, as often as is asked for; at `timestamp`, if it can be. Where that takes
   * long, ticks and other commands have their turn in between. It ends when the devnet is closed.
   */
  async mine({ blocks, intervalSeconds }: Mining = ONE_BLOCK, timestamp?: bigint): Promise<TimestampOutcome> {
    let outcome: TimestampOutcome = GRANTED
    let mined = 0
    await this.#inParts('mine', blocks, async () => {
      if (mined === 0 && timestamp !== undefined) {
        outcome = await this.steering.tryTime(timestamp)
        if (outcome.kind !== 'granted') return blocks
      }
      if (mined > 0 && intervalSeconds > 0) {
        await this.#clock.step(() => this.#clock.shift(intervalSeconds * 1_000))
      }
      await this.#maker.mine()
      return ++mined
    })
    return outcome
  }

  /**
   * Does a command of many steps: `step` does one, and returns how many of `total` are done. Whenever a slice of time is used up,
   * ticks and commands that wait have their turn before the next step. A recording knows commands only as a whole: while one is
   * made, or played, only readers have their turn.
   */
  async #inParts(name: Progress['work'], total: number, step: () => Promise<number>): Promise<void> {
    const work = new Work()
    let done = 0
    let isLong = false
    let pause: Promise<void> | undefined
    const part = async () => {
      pause = undefined
      while (done < total && !this.#isStopped) {
        done = await step()
        pause = done < total ? work.pause() : undefined
        if (pause === undefined) continue
        isLong = true
        this.listeners.emit('progress', { work: name, done, total })
        if (!this.#queue.isWatched) return
        await pause
      }
    }
    do {
      await this.#queue.add(part)
      await pause
    } while (done < total && !this.#isStopped)
    if (isLong) this.listeners.emit('progress', { work: name, done: total, total })
  }

  /** Mines one block, unless nobody needs it any more when its turn comes. */
  mineIf(isNeeded: () => boolean): Promise<void> {
    return this.#queue.add(async () => {
      if (isNeeded()) await this.#maker.mine()
    })
  }

  /** Lets waiting transactions go. Answers whether there were any. */
  drop(choose: (pool: Pool) => readonly Transaction[]): Promise<boolean> {
    return this.#queue.add(async () => {
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
    return this.#queue.add(async () => this.#snapshots.add(this.mark))
  }

  /** Goes back to a snapshot, which is thereby used up, as are all that came after it. Answers whether there was one. */
  revert(id: bigint): Promise<boolean> {
    return this.#queue.add(async () => {
      const mark = this.#snapshots.take(id)
      if (mark === undefined) return false
      this.#restore(mark)
      return true
    })
  }

  /**
   * Takes the newest `depth` sealed blocks off the chain, and seals as many others in their place (or `blocks` of them).
   * Their transactions come back in the same blocks, wait for later ones, or are gone; or the new blocks have others.
   */
  reorg(request: ReorgRequest): Promise<ReorgOutcome> {
    return this.#queue.add(async () => {
      const limit = this.#chain.removable
      if (request.depth > limit) return { kind: 'tooDeep', limit }
      return { kind: 'reorged', removed: await this.#maker.reorg(request) }
    })
  }

  /** Goes back to block 0, as if nothing had ever been done; the rhythm stays. Answers why it cannot, if so. */
  reset(): Promise<UnknownState | undefined> {
    return this.#queue.add(async () => {
      const { origin } = this.#chain.state.history
      if (!hasState(origin)) return origin
      this.#chain.restore(beginningWith(History.of(origin)))
      this.#maker.publisher.forget()
      this.#pool.clear()
      this.#maker.cheats = firstCheats(this.#options)
      this.#snapshots.clear()
      this.#clock.rewind(Number(origin.block.header.timestamp) * 1_000)
      return undefined
    })
  }

  /**
   * Brings blocks that others made onto the chain, each published when it has been run and found right. A block that
   * was being pre-confirmed is given up: its transactions wait again.
   */
  import(
    source: ByteSource,
    rules: ImportRules,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportOutcome> {
    this.#imports ??= new AbortController()
    if (this.#isStopped) this.#imports.abort()
    const sink: ImportSink = {
      publish: (moment) => this.#clock.step(() => this.#maker.publishImported(moment)),
      onProgress,
      closed: this.#imports.signal,
    }
    return this.#queue.add(() => importBlocks(this.evms, this.#chain, source, rules, sink))
  }

  /** Goes back (or forth) to where `mark` was taken. */
  restore(mark: Mark): Promise<void> {
    return this.#queue.add(async () => this.#restore(mark))
  }

  /** Goes on from where another devnet was. Time that runs here goes on, but is not behind what has happened there. */
  load(mark: Mark): Promise<void> {
    return this.#queue.add(async () => {
      const { timestamp } = mark.chain.history.latest.block.header
      const impersonatesAll = mark.cheats.impersonatesAll || this.#options.autoImpersonates === true
      const cheats = { ...mark.cheats, impersonatesAll }
      this.#restore({ ...mark, cheats, clock: this.#clock.continuing(mark.clock, Number(timestamp) * 1_000) })
    })
  }

  async #submit(transaction: Transaction): Promise<Submission> {
    const rejection = admit(transaction, this.#pool, {
      rules: this.evms.at(this.#maker.nextPosition).rules,
      state: this.#chain.tip.state,
      blockGasLimit: this.#options.isBlockGasLimited === false ? undefined : this.#maker.gasLimit,
      isPreconfirmed: (hash) => this.#chain.open?.positions.has(hash) === true,
    })
    if (rejection !== undefined) return { kind: 'rejected', transaction, rejection }
    const replaced = this.#pool.rivalOf(transaction)
    this.#pool.add(transaction)
    if (replaced !== undefined) {
      this.listeners.emit('dropped', replaced, { kind: 'replaced', by: transaction })
    }
    this.listeners.emit('accepted', transaction)
    if (this.#isInstant && this.#maker.hasReady()) await this.#maker.mine()
    return { kind: 'accepted', transaction }
  }

  /** Whether a transaction is sealed as soon as it comes. */
  get #isInstant(): boolean {
    const { rhythm } = this.#clock
    return rhythm === 'instant' || (rhythm === 'interval' && this.#options.isMixed === true)
  }

  async #tick(): Promise<void> {
    await this.#clock.step(() => this.#clock.tick())
    this.#ticks++
    const { open } = this.#chain
    await this.#maker.do(
      plan({
        open: open && { slices: open.slices, transactions: sentIn(open.block).length },
        ticksPerBlock: this.#options.ticksPerBlock,
        sealEmptyBlocks: this.#options.sealEmptyBlocks,
        hasReady: () => this.#maker.hasReady(),
      }),
    )
  }

  /**
   * Makes the state root that the seal will ask for. It costs about as much as running the slice did: now nothing is due,
   * and the tick that seals comes less late. Whoever makes ticks by hand may never want it.
   */
  async #hashAhead(): Promise<void> {
    await breathe()
    this.#chain.open?.state.root()
  }

  #restore({ chain, pool, clock, cheats }: Mark): void {
    this.#chain.restore(chain)
    this.#maker.publisher.forget()
    this.#pool.restore(pool)
    this.#clock.restore(clock)
    this.#maker.cheats = cheats
  }
}

const ONE_BLOCK: Mining = { blocks: 1, intervalSeconds: 0 }
