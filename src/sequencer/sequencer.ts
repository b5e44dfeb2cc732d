/**
 * The sequencer, the only writer of the chain.
 *
 * Everything that changes the chain, the pool or the clock is a command in one queue; commands run in order, one at a
 * time, and a failed one does not stop the next. New states are built as values, and published by one assignment.
 */
import type { Chain } from '../chain/chain.ts'
import type { Evms } from '../engine/evm.ts'
import type { Occasion, PlannedFault } from '../faults/dueFaults.ts'
import type { ReorgOutcome } from '../faults/faultPlanner.ts'
import type { ByteSource } from '../model/block/blockStream.ts'
import type { BlockFees } from '../model/block/fees.ts'
import type { Header } from '../model/block/header.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ConsoleCalls } from '../model/execution/call.ts'
import type { ReorgRequest } from '../model/fault.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { OrderName } from '../pool/order.ts'
import type { Pool } from '../pool/pool.ts'
import { FetchFailed } from '../state/remoteState.ts'
import { whenFetched } from '../state/whenFetched.ts'
import { BlockMaker } from './block/blockMaker.ts'
import type { BlockSettings, PendingHash } from './block/openBlock.ts'
import { UpcomingBlock } from './block/upcomingBlock.ts'
import { BlockCommands } from './blockCommands.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import { breathe, type Clock, type TimeSource } from './clock.ts'
import type { Events } from './events.ts'
import { FaultCommands } from './faultCommands.ts'
import type { ImportRules } from './import/flawInHeader.ts'
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
  /** Slices of each block; 0: each tick opens, fills and seals one block. */
  readonly ticksPerBlock: number
  readonly sealEmptyBlocks: boolean
  /** Number of blocks from `finalized` to `latest`. */
  readonly finalizedDistance: number
  /** Whether slice j of n is limited to j/n of the block's gas limit. */
  readonly sliceGasBudget: boolean
  /** The hash of the block under construction that readers see. */
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
  /** Called with the internal error of a tick that time made, which has no caller. */
  onDefect(error: unknown): void
  /** Called with the `console.log` output of a transaction when it is pre-confirmed. */
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
  /** The history of each transaction. */
  readonly timeline: Timeline
  /** Accepts transactions into the pool and removes them from it. */
  readonly submissions: Submissions
  /** Makes ticks and blocks. */
  readonly blocks: BlockCommands
  /** Takes snapshots and restores them. */
  readonly marks: Marks
  /** Changes time, blocks and accounts as a test requests. */
  readonly steering: Steering
  /** The fork schedule at the beginning of the chain, with its first chain id. */
  readonly schedule: ForkSchedule
  /** Commands for faults of the chain. */
  readonly faultCommands: FaultCommands
  /**
   * Ends the imports. Created with the first import, since aborting a controller takes longer than the rest of
   * `close`.
   */
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
    const parts = { evms, chain, pool, clock, listeners, queue: this.#queue, ...options }
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

  /**
   * Calls `listener` at each slice, and at each block that is sealed without one. Returns a function that removes the
   * listener.
   */
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

  /** Whether a recording or a replay observes the commands. */
  get isObserved(): boolean {
    return this.#queue.isWatched
  }

  /**
   * Sets the only watcher of the commands, and the time source, if given: for recording the devnet, or playing a
   * recording on it.
   */
  observe(watcher: Watcher | undefined, timeSource?: TimeSource): void {
    this.#queue.watch(watcher)
    if (timeSource !== undefined) this.#clock.runOn(timeSource)
  }

  /** The current EVMs. */
  get evms(): Evms {
    return this.#upcoming.evms
  }

  /** The block settings of the options. */
  get blockSettings(): BlockSettings {
    return this.#options.block
  }

  /** Starts the ticks of time (under `interval`). */
  start(): void {
    this.#clock.start(() => {
      // A late tick is not queued twice: the one that is queued includes all waiting transactions.
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

  /**
   * Stops all ticks, and waits for the running command; an import, or mining of many blocks, ends after its current
   * block.
   */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.blocks.stop()
    this.#imports?.abort()
    this.#clock.stop()
    await this.#queue.idle()
  }

  /** Whether all commands have ended. */
  get isIdle(): boolean {
    return this.#queue.isIdle
  }

  /**
   * Resolves when all current commands have ended, with success or failure. Returns whether no command was added
   * meanwhile.
   */
  idle(): Promise<boolean> {
    return this.#queue.idle()
  }

  /**
   * Calls `then` after one turn of the event loop, when everyone who awaits a promise that is settled now has continued.
   * Until then no command begins, and the one that runs now does not return its result.
   */
  afterTurn(then: () => void): void {
    this.#queue.afterTurn(then)
  }

  /** Returns the header of the block after the newest sealed one, if it were opened now. */
  get nextHeader(): Header {
    return this.#upcoming.header
  }

  /** The fees of the open block, or of the block that would be opened now. */
  get nextFees(): BlockFees {
    return this.#upcoming.fees
  }

  /** The planned faults of the chain. */
  get faults(): readonly PlannedFault[] {
    return this.#maker.chainFaults.planned
  }

  /**
   * Removes the newest `depth` sealed blocks, and seals as many others in their place (or `blocks` of them). Their
   * transactions stay in the same blocks, return to the pool, or are dropped; or the new blocks have others.
   */
  reorg(request: ReorgRequest): Promise<ReorgOutcome> {
    return this.#queue.add(async () => {
      const { removable, forkBlock } = this.#chain
      if (request.depth > removable) return { kind: 'tooDeep', room: { removable, forkBlock } }
      return { kind: 'reorged', removed: await this.#maker.reorg(request) }
    })
  }

  /**
   * Imports blocks, each published once it has been run and found valid. The block under construction is dropped: its
   * transactions return to the pool.
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
   * Seals a block of another node's transactions, with the values of its header. Returns the transactions that cannot be
   * run again.
   */
  repeat(header: Header, transactions: readonly Transaction[]): Promise<readonly Transaction[]> {
    return this.#queue.add(() => this.#maker.repeat(header, transactions))
  }

  /**
   * Computes the state root for the coming seal. It costs about as much as running the slice: now nothing is due, and
   * the tick that seals is less late. Without running time it may never be needed.
   */
  async #hashAhead(): Promise<void> {
    await breathe()
    const { open } = this.#chain
    if (open === undefined) return
    try {
      await whenFetched(() => open.state.root())
    } catch (error) {
      // What cannot be fetched now is asked for again by the tick that seals, which reports it.
      if (!(error instanceof FetchFailed)) throw error
    }
  }
}
