/** The only writer of the chain. Creates the command queue, and the parts that change chain, pool and clock. */

import type { Chain } from '../chain/chain.ts'
import type { Evms } from '../engine/evm.ts'
import { Listeners } from '../model/collections/listeners.ts'
import type { ForkSchedule } from '../model/hardfork/forkSchedule.ts'
import type { Pool } from '../pool/pool.ts'
import { FetchFailed } from '../state/remoteState.ts'
import { BlockMaker } from './block/blockMaker.ts'
import { type Deviations, NO_DEVIATIONS } from './block/deviations.ts'
import type { BlockSettings } from './block/openBlock.ts'
import { Preview } from './block/preview.ts'
import { UpcomingBlock } from './block/upcomingBlock.ts'
import { BlockCommands } from './blockCommands.ts'
import { type Cheats, firstCheats } from './cheats.ts'
import { type Clock, type TimeSource, yieldToEventLoop } from './clock.ts'
import type { CommandContext, SequencerOptions } from './context.ts'
import type { Events } from './events.ts'
import { ImportCommands } from './import/importBlocks.ts'
import { Marks } from './marks.ts'
import { CommandQueue, type Watcher } from './queue.ts'
import { Steering } from './steering.ts'
import { Submissions } from './submissions.ts'
import { Timeline } from './timeline.ts'

export class Sequencer {
  readonly listeners = new Listeners<Events>()
  readonly clock: Clock
  /** Computes the block that will include the next transaction, and holds the current cheats. */
  readonly upcoming: UpcomingBlock
  readonly timeline: Timeline
  readonly submissions: Submissions
  readonly blocks: BlockCommands
  readonly marks: Marks
  readonly steering: Steering
  readonly imports: ImportCommands
  readonly deviations: Deviations
  /** The fork schedule at the start. It keeps the initial chain id when a cheat method sets another. */
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
    chain.finality = options.derivation
    this.queue = new CommandQueue(chain)
    this.#onDefect = options.onDefect
    const { listeners, queue } = this
    // The options are spread last in one literal: other ways to merge them take a tenth of a devnet's start time.
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
    if (options.previewsPending === true) {
      const preview = new Preview(context)
      queue.afterEach(() => preview.renew())
    }
  }

  /** Sets the watcher of commands and the time source, to record the devnet or to play a recording on it. */
  observe(watcher: Watcher | undefined, timeSource?: TimeSource): void {
    this.queue.watch(watcher)
    if (timeSource !== undefined) this.clock.setTimeSource(timeSource)
  }

  /** Starts the ticks of the clock, which occur under the rhythm `interval` only. */
  start(): void {
    this.clock.start(() => {
      // The queued tick will include all waiting transactions, so a second one is not queued.
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

  /** Stops all ticks and waits for the running command. Imports and mining end after their current block. */
  async stop(): Promise<void> {
    this.blocks.stop()
    this.imports.stop()
    this.clock.stop()
    await this.queue.idle()
  }

  /** Computes the state root between commands, so that the next seal takes less time. */
  async #hashAhead(): Promise<void> {
    await yieldToEventLoop()
    const { open } = this.#chain
    if (open === undefined) return
    try {
      await this.queue.prepare(() => open.state.root())
    } catch (error) {
      // A failed fetch is ignored here: the tick that seals the block fetches again, and reports the failure.
      if (!(error instanceof FetchFailed)) throw error
    }
  }
}
