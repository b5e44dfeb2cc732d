/**
 * The sequencer, the only writer of the chain.
 *
 * Everything that changes the chain, the pool or the clock is a command in one queue; commands run in order, one at a
 * time, and a failed one does not stop the next. New states are built as values, and published by one assignment.
 */

import type { Chain } from '../chain/chain.ts'
import type { Evms } from '../engine/evm.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Pool } from '../pool/pool.ts'
import { FetchFailed } from '../state/remoteState.ts'
import { BlockMaker } from './block/blockMaker.ts'
import { type Deviations, NO_DEVIATIONS } from './block/deviations.ts'
import type { BlockSettings } from './block/openBlock.ts'
import { UpcomingBlock } from './block/upcomingBlock.ts'
import { BlockCommands } from './blockCommands.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import { breathe, type Clock, type TimeSource } from './clock.ts'
import type { CommandContext, SequencerOptions } from './context.ts'
import type { Events } from './events.ts'
import { ImportCommands } from './import/importCommands.ts'
import { Marks } from './marks.ts'
import { CommandQueue, type Watcher } from './queue.ts'
import { Steering } from './steering.ts'
import { Submissions } from './submissions.ts'
import { Timeline } from './timeline.ts'

export class Sequencer {
  readonly listeners = new Listeners<Events>()
  readonly clock: Clock
  /** The block that takes in the next transaction, with the cheats that are set. */
  readonly upcoming: UpcomingBlock
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
  /** Adds blocks of other nodes. */
  readonly imports: ImportCommands
  readonly deviations: Deviations
  /** The fork schedule at the beginning of the chain, with its first chain id. */
  readonly schedule: ForkSchedule
  /** The block settings of the options. */
  readonly blockSettings: BlockSettings
  readonly #chain: Chain
  readonly #queue: CommandQueue
  readonly #onDefect: (error: unknown) => void
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
    this.blockSettings = options.block
    this.clock = clock
    this.#chain = chain
    this.#queue = new CommandQueue(chain)
    this.#onDefect = options.onDefect
    const { listeners } = this
    const queue = this.#queue
    // Options spread last, and one object for all: other ways of putting them together take a tenth of a start.
    const parts = { evms, chain, pool, clock, listeners, queue, ...options }
    const upcoming = new UpcomingBlock(parts, cheats)
    const { deviations = NO_DEVIATIONS } = options
    const maker = new BlockMaker(parts, upcoming, deviations)
    const context: CommandContext = Object.assign(parts, { upcoming, maker, deviations })
    this.deviations = deviations
    this.upcoming = upcoming
    this.timeline = new Timeline(listeners, clock, chain)
    this.steering = new Steering(context)
    this.submissions = new Submissions(context)
    this.blocks = new BlockCommands(context, this.steering)
    this.marks = new Marks(context)
    this.imports = new ImportCommands(context)
  }

  /** Runs `command` in the queue, after all commands before it. */
  run<T>(command: () => Promise<T>): Promise<T> {
    return this.#queue.add(command)
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
    if (timeSource !== undefined) this.clock.runOn(timeSource)
  }

  /** Starts the ticks of time (under `interval`). */
  start(): void {
    this.clock.start(() => {
      // A late tick is not queued twice: the one that is queued includes all waiting transactions.
      if (this.#isTickWaiting) return
      this.#isTickWaiting = true
      this.#queue.onDue()
      void this.blocks
        .tick()
        .catch(this.#onDefect)
        .finally(() => {
          this.#isTickWaiting = false
          this.clock.wake()
        })
        .then(() => this.#hashAhead())
    })
  }

  /**
   * Stops all ticks, and waits for the running command; an import, or mining of many blocks, ends after its current
   * block.
   */
  async stop(): Promise<void> {
    this.blocks.stop()
    this.imports.stop()
    this.clock.stop()
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

  /**
   * Computes the state root for the coming seal. It costs about as much as running the slice: now nothing is due, and
   * the tick that seals is less late. Without running time it may never be needed.
   */
  async #hashAhead(): Promise<void> {
    await breathe()
    const { open } = this.#chain
    if (open === undefined) return
    try {
      await this.#queue.prepare(() => open.state.root())
    } catch (error) {
      // The tick that seals fetches again, and reports the failure.
      if (!(error instanceof FetchFailed)) throw error
    }
  }
}
