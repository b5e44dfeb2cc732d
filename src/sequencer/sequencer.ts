/**
 * The one writer.
 *
 * Everything that changes the chain, the pool or the clock is a command in one queue; commands run in order, one
 * at a time, and one that fails does not stop the next. What they publish is built beside what is there and swapped in with
 * one assignment.
 */
import type { Chain } from '../chain/chain.ts'
import type { Evms } from '../evm/evms.ts'
import type { Occasion, PlannedFault } from '../faults/dueFaults.ts'
import type { ReorgOutcome } from '../faults/faultPlanner.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import type { Header } from '../model/block/header.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { ReorgRequest } from '../model/fault.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { OrderName } from '../pool/order.ts'
import type { Pool } from '../pool/pool.ts'
import { BlockMaker } from './block/blockMaker.ts'
import type { BlockSettings, PendingHash } from './block/openBlock.ts'
import { UpcomingBlock } from './block/upcomingBlock.ts'
import { BlockCommands } from './blockCommands.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import { breathe, type Clock, type TimeSource } from './clock.ts'
import type { Events } from './events.ts'
import { FaultCommands } from './faultCommands.ts'
import type { ImportRules } from './import/blockFlaw.ts'
import {
  type ImportOutcome,
  type ImportProgress,
  type ImportSink,
  importBlocks,
} from './import/importBlocks.ts'
import { Marks } from './marks.ts'
import { CommandQueue, type Watcher } from './queue.ts'
import { Steering } from './steering.ts'
import { Submissions } from './submissions.ts'
import { Timeline } from './timeline.ts'

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

export class Sequencer {
  readonly listeners = new Listeners<Events>()
  readonly #chain: Chain
  readonly #clock: Clock
  readonly #options: SequencerOptions
  readonly #maker: BlockMaker
  readonly #upcoming: UpcomingBlock
  readonly #queue = new CommandQueue()
  /** What has happened to each transaction. */
  readonly timeline: Timeline
  /** Accepts transactions into the pool and removes them from it. */
  readonly submissions: Submissions
  /** Makes ticks and blocks. */
  readonly blocks: BlockCommands
  /** Takes snapshots and restores them. */
  readonly marks: Marks
  /** Changes time, blocks and accounts as a test requests. */
  readonly steering: Steering
  /** The rules that the chain began with, whatever chain id was set since. */
  readonly schedule: ForkSchedule
  /** Plans what is to go wrong. */
  readonly faultCommands: FaultCommands
  /** Ends the imports. Made with the first of them: to abort takes longer than all else that closing a devnet does. */
  #imports: AbortController | undefined
  #isStopped = false
  #isTickWaiting = false

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
    this.#clock = clock
    this.#options = options
    const { listeners } = this
    const parts = { evms, chain, pool, clock, listeners, ...options }
    const upcoming = new UpcomingBlock(parts, cheats)
    const maker = new BlockMaker(parts, upcoming)
    this.#upcoming = upcoming
    this.#maker = maker
    this.timeline = new Timeline(listeners, clock, chain)
    const { ticksPerBlock, block } = options
    this.steering = new Steering(this.#queue, upcoming, maker, chain, clock, {
      ticksPerBlock,
      coinbase: block.coinbase,
    })
    this.submissions = new Submissions(this.#queue, upcoming, maker, parts)
    this.blocks = new BlockCommands(this.#queue, upcoming, maker, this.steering, parts)
    this.marks = new Marks(this.#queue, upcoming, maker.publisher, parts)
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

  get clock(): Clock {
    return this.#clock
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
    return this.#upcoming.evms
  }

  /** What blocks take from the options. */
  get blockSettings(): BlockSettings {
    return this.#options.block
  }

  /** Lets time make ticks (under `interval`). */
  start(): void {
    this.#clock.start(() => {
      // A tick that overruns is not queued twice: what waits is taken in by the one that follows.
      if (this.#isTickWaiting) return
      this.#isTickWaiting = true
      this.#queue.onDue()
      void this.blocks
        .tick()
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
    this.blocks.stop()
    this.#imports?.abort()
    this.#clock.stop()
    await this.#queue.idle()
  }

  /** When all that was asked for until now is done, well or badly. Answers whether nothing was asked for meanwhile. */
  idle(): Promise<boolean> {
    return this.#queue.idle()
  }

  /** Returns the header of the block that follows the newest sealed one, if it were opened now. */
  get nextHeader(): Header {
    return this.#upcoming.header
  }

  /** What is to go wrong, on purpose. */
  get faults(): readonly PlannedFault[] {
    return this.#maker.chainFaults.planned
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

  /**
   * Makes the state root that the seal will ask for. It costs about as much as running the slice did: now nothing is due,
   * and the tick that seals comes less late. Whoever makes ticks by hand may never want it.
   */
  async #hashAhead(): Promise<void> {
    await breathe()
    this.#chain.open?.state.root()
  }
}
