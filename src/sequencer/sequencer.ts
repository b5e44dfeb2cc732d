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
  readonly blockSettings: BlockSettings
  readonly queue: CommandQueue
  readonly #chain: Chain
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
    this.queue = new CommandQueue(chain)
    this.#onDefect = options.onDefect
    const { listeners, queue } = this
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

  /** Sets the only watcher of the commands, and the time source, to record the devnet or to play a recording on it. */
  observe(watcher: Watcher | undefined, timeSource?: TimeSource): void {
    this.queue.watch(watcher)
    if (timeSource !== undefined) this.clock.runOn(timeSource)
  }

  /** Starts the ticks of time (under `interval`). */
  start(): void {
    this.clock.start(() => {
      // A late tick is not queued twice: the one that is queued includes all waiting transactions.
      if (this.#isTickWaiting) return
      this.#isTickWaiting = true
      this.queue.onDue()
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

  /** Stops all ticks, and waits for the running command; imports and mining end after their current block. */
  async stop(): Promise<void> {
    this.blocks.stop()
    this.imports.stop()
    this.clock.stop()
    await this.queue.idle()
  }

  /** Computes the state root for the coming seal while nothing is due. */
  async #hashAhead(): Promise<void> {
    await breathe()
    const { open } = this.#chain
    if (open === undefined) return
    try {
      await this.queue.prepare(() => open.state.root())
    } catch (error) {
      // The tick that seals fetches again, and reports the failure.
      if (!(error instanceof FetchFailed)) throw error
    }
  }
}
