/**
 * The option `pendingBlock: 'pool'`: while no block is under construction, `pending` is the block that would be mined now,
 * with the waiting transactions, as in Hardhat's network. They stay in the pool, where they can be replaced and dropped.
 */
import type { Preconfirmed } from '../../chain/moment.ts'
import { FetchFailed } from '../../state/remoteState.ts'
import type { CommandContext } from '../context.ts'
import { Builder } from './builder.ts'
import { NO_DEVIATIONS } from './deviations.ts'
import { Slicer } from './slice.ts'

export class Preview {
  readonly #context: CommandContext
  readonly #slicer: Slicer
  readonly #builder: Builder
  /** The values that the newest preview was built from. */
  #origins: readonly unknown[] = []

  constructor(context: CommandContext) {
    const own = { ...context, evms: () => context.upcoming.evms, deviations: NO_DEVIATIONS }
    this.#context = context
    this.#slicer = new Slicer(own)
    this.#builder = new Builder(own, this.#slicer)
  }

  /** Publishes a new preview if a command has changed what the next block would contain. */
  async renew(): Promise<void> {
    const { chain, clock, deviations } = this.#context
    if (chain.open !== undefined || deviations.isPendingStale) return
    if (chain.preconfirmed === undefined && this.#isAutomine) return
    const origins = this.#current
    if (origins.every((value, i) => value === this.#origins[i])) return
    const preview = await this.#build()
    await clock.step(() => chain.preconfirm(undefined, preview))
    this.#origins = this.#current
  }

  get #isAutomine(): boolean {
    return this.#context.clock.rhythm === 'instant'
  }

  get #current(): readonly unknown[] {
    const { chain, pool, clock, upcoming } = this.#context
    return [chain.preconfirmed, chain.latest, pool.contents, upcoming.cheats, clock.seconds, clock.rhythm]
  }

  /** Returns the preview; `undefined` if no waiting transaction can run, or if the forked network does not answer. */
  async #build(): Promise<Preconfirmed | undefined> {
    const { queue, upcoming } = this.#context
    if (this.#isAutomine) return undefined
    try {
      if (!(await queue.prepare(() => upcoming.hasReady()))) return undefined
      const begun = await queue.prepare(() => this.#builder.begin(upcoming.header))
      const { open } = await queue.prepare(() => this.#slicer.ready(begun, true))
      // By their hashes, transactions are found in the pool: they wait.
      return { ...open, positions: begun.positions }
    } catch (error) {
      if (error instanceof FetchFailed) return undefined
      throw error
    }
  }
}
