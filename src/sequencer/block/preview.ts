/**
 * The option `pendingBlock: 'pool'`: while no block is under construction, `pending` is the block that would be mined now,
 * with the waiting transactions, as in Hardhat's network. They stay in the pool, where they can be replaced and dropped.
 */
import type { Preconfirmed } from '../../chain/moment.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import { tipOf } from '../../pool/order.ts'
import type { PoolContents } from '../../pool/pool.ts'
import { FetchFailed } from '../../state/remoteState.ts'
import type { CommandContext } from '../context.ts'
import { Builder } from './builder.ts'
import { NO_DEVIATIONS } from './deviations.ts'
import { withPendingHash } from './openBlock.ts'
import { Slicer } from './slice.ts'

/** A preview that contains all transactions of the pool. */
interface WholePreview {
  readonly preview: Preconfirmed
  readonly contents: PoolContents
  /** The lowest tip of these transactions in wei per gas. */
  readonly lowestTip: bigint
}

export class Preview {
  readonly #context: CommandContext
  readonly #slicer: Slicer
  readonly #builder: Builder
  /** The values besides the pool that the newest preview was built from. */
  #origins: readonly unknown[] = []
  #contents: PoolContents | undefined
  #whole: WholePreview | undefined

  constructor(context: CommandContext) {
    const own = { ...context, evms: () => context.upcoming.evms, deviations: NO_DEVIATIONS }
    this.#context = context
    this.#slicer = new Slicer(own)
    this.#builder = new Builder(own, this.#slicer)
  }

  /** Publishes a new preview if a command has changed what the next block would contain. */
  async renew(): Promise<void> {
    const { chain, clock, deviations, pool } = this.#context
    if (chain.open !== undefined || deviations.isPendingStale) return
    if (chain.preconfirmed === undefined && this.#isAutomine) return
    const origins = this.#current
    const isSame = origins.every((value, i) => value === this.#origins[i])
    const { contents } = pool
    if (isSame && contents === this.#contents) return
    const preview = (isSame ? await this.#extended() : undefined) ?? (await this.#build())
    await clock.step(() => chain.preconfirm(undefined, preview))
    this.#origins = this.#current
    this.#contents = contents
  }

  get #isAutomine(): boolean {
    return this.#context.clock.rhythm === 'instant'
  }

  get #current(): readonly unknown[] {
    const { chain, clock, upcoming } = this.#context
    return [chain.preconfirmed, chain.latest, upcoming.cheats, clock.seconds, clock.rhythm]
  }

  /** Returns the preview with the transaction that was added to the pool, if it is the last of all to run. */
  async #extended(): Promise<Preconfirmed | undefined> {
    const whole = this.#whole
    const { contents } = this.#context.pool
    const { newest } = contents
    if (whole === undefined || newest === undefined) return undefined
    const { byHash, arrivals } = whole.contents
    const isOnlyAdded = contents.arrivals === arrivals + 1 && contents.byHash.size === byHash.size + 1
    const tip = this.#tipOf(newest, whole.preview)
    if (!isOnlyAdded || tip > whole.lowestTip) return undefined
    const open = whole.preview
    return this.#unlessFetchFails(async () => {
      const slice = await this.#context.queue.prepare(() => this.#slicer.given(open, [newest]))
      if (slice.added.length === 0) return undefined
      const { positions, slices, previous } = open
      // By their hashes, transactions are found in the pool: they wait.
      const extended = { ...slice.open, positions, slices, previous }
      const preview = withPendingHash(extended, this.#context.pendingHash, open)
      this.#whole = { preview, contents, lowestTip: tip }
      return preview
    })
  }

  /** Returns the preview; `undefined` if no waiting transaction can run, or if the forked network does not answer. */
  async #build(): Promise<Preconfirmed | undefined> {
    const { queue, upcoming, pool } = this.#context
    this.#whole = undefined
    if (this.#isAutomine) return undefined
    return this.#unlessFetchFails(async () => {
      if (!(await queue.prepare(() => upcoming.hasReady()))) return undefined
      const { contents } = pool
      const begun = await queue.prepare(() => this.#builder.begin(upcoming.header))
      const { open, added } = await queue.prepare(() => this.#slicer.ready(begun, true))
      const preview = { ...open, positions: begun.positions }
      if (added.length > 0 && added.length === contents.byHash.size) {
        const tips = added.map((transaction) => this.#tipOf(transaction, preview))
        this.#whole = { preview, contents, lowestTip: tips.reduce((a, b) => (a < b ? a : b)) }
      }
      return preview
    })
  }

  #tipOf(transaction: Transaction, { block: { header } }: Preconfirmed): bigint {
    return tipOf(transaction, header.baseFeePerGas ?? 0n, this.#context.order)
  }

  async #unlessFetchFails<T>(build: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await build()
    } catch (error) {
      if (error instanceof FetchFailed) return undefined
      throw error
    }
  }
}
