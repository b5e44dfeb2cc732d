/** The commands of cheat methods: time, rhythm, next block, accounts. */

import { isEmpty } from '../model/block/block.ts'
import { andThen } from '../work/maybePromise.ts'
import { type Cheats, type NextBlock, type StateCheat, withAccounts } from './cheats.ts'
import type { Rhythm } from './clock.ts'
import type { CommandContext } from './context.ts'

/** The outcome of setting the time of the next block. A time before the time of its parent is refused. */
export type TimestampOutcome =
  | { readonly kind: 'granted' }
  | { readonly kind: 'tooEarly'; readonly earliest: bigint }

export const GRANTED: TimestampOutcome = { kind: 'granted' }

export class Steering {
  readonly #context: CommandContext

  constructor(context: CommandContext) {
    this.#context = context
  }

  get blockMs(): number {
    return this.#context.clock.tickMs * this.ticksPerBlock
  }

  get ticksPerBlock(): number {
    return Math.max(1, this.#context.ticksPerBlock)
  }

  /** Changes the rhythm. A change to `instant` mines a block with all pre-confirmed and executable transactions. */
  setRhythm(rhythm: Rhythm, blockMs?: number): Promise<void> {
    return this.#context.queue.add(async () => {
      this.#context.clock.setRhythm(rhythm, blockMs && Math.max(1, Math.round(blockMs / this.ticksPerBlock)))
      this.#context.upcoming.tellChange()
      if (rhythm !== 'instant') return
      const { open } = this.#context.chain
      const isOpen = open !== undefined && !isEmpty(open.block)
      if (isOpen) await this.#context.maker.mine()
      else await this.#context.maker.mineReady()
    })
  }

  /** Shifts time by `ms` without making ticks. Returns the total shift. */
  shiftTime(ms: number): Promise<number> {
    return this.#context.queue.add(() => this.#shiftTime(ms))
  }

  /**
   * Sets the time to `ms`. If `ms` is before the latest block, new blocks have their parents' timestamps until time has
   * caught up. Returns the shift of time in milliseconds.
   */
  setTime(ms: number): Promise<number> {
    return this.#context.queue.add(async () => {
      const difference = ms - this.#context.clock.nowMs
      await this.#shiftTime(difference)
      return difference
    })
  }

  /** Sets the time of the next block, which is the open block if it is empty. */
  setNextTimestamp(timestamp: bigint): Promise<TimestampOutcome> {
    return this.#context.queue.add(() => this.tryTime(timestamp))
  }

  /** Does the same as `setNextTimestamp`, but within a running command. */
  async tryTime(timestamp: bigint): Promise<TimestampOutcome> {
    const { chain, minBlockSeconds = 0n } = this.#context
    const { open, latest } = chain
    const isOpen = open !== undefined && !isEmpty(open.block)
    const earliest = (isOpen ? open : latest).block.header.timestamp + minBlockSeconds
    if (timestamp < earliest) return { kind: 'tooEarly', earliest }
    await this.#cheat((cheats) => ({ ...cheats, next: { ...cheats.next, timestamp } }))
    return GRANTED
  }

  /** Overrides values of the next block, which is the open block if it is empty. */
  overrideNext(overrides: NextBlock): Promise<void> {
    return this.cheat((cheats) => ({ ...cheats, next: { ...cheats.next, ...overrides } }))
  }

  cheat(change: (cheats: Cheats) => Cheats): Promise<void> {
    return this.#context.queue.add(() => this.#cheat(change))
  }

  /** Changes accounts in the latest and in the pre-confirmed state, and publishes both. */
  changeAccounts(cheat: StateCheat): Promise<void> {
    const { queue, chain, upcoming } = this.#context
    return queue.add(async () =>
      andThen(
        queue.prepare(() => withAccounts(chain.state, cheat)),
        (changed) => {
          chain.restore(changed)
          upcoming.tellChange()
        },
      ),
    )
  }

  async #cheat(change: (cheats: Cheats) => Cheats): Promise<void> {
    this.#context.upcoming.cheats = change(this.#context.upcoming.cheats)
    await this.#context.maker.reopenIfEmpty()
  }

  async #shiftTime(ms: number): Promise<number> {
    this.#context.clock.shift(ms)
    this.#context.upcoming.tellChange()
    await this.#context.maker.reopenIfEmpty()
    return this.#context.clock.shiftedMs
  }
}
