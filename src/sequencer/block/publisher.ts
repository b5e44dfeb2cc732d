/** Publishes built blocks: assigns them to the chain, and emits events. */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import type { Listeners } from '../../model/collections/listeners.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Events } from '../events.ts'
import type { Deviations } from './deviations.ts'
import type { PublishedSlice, Slice } from './slice.ts'

export interface PublisherOptions {
  readonly chain: Chain
  readonly pool: Pool
  readonly listeners: Listeners<Events>
  onConsole(said: ConsoleCalls, transaction: Transaction): void
}

export class Publisher {
  readonly #options: PublisherOptions
  readonly #deviations: Deviations

  constructor(options: PublisherOptions, deviations: Deviations) {
    this.#options = options
    this.#deviations = deviations
  }

  /** Publishes a slice. `before` is the block that readers saw when the command began. */
  publish(slice: Slice, before: Preconfirmed | undefined): void {
    this.#takeFromPool(slice)
    const deviating = this.#deviations.ofSlice(slice, this.#options.chain.preconfirmed, before)
    const { shown, emitted } = deviating ?? { shown: slice.open, emitted: slicesToEmit(slice) }
    this.#options.chain.preconfirm(slice.open, shown)
    this.#tell(slice)
    for (const { open, added } of emitted) this.#options.listeners.emit('preconfirmed', open, added)
  }

  /** Replaces the empty open block by `reopened`. If readers see the open block, they see `reopened` from now on. */
  replace(reopened: Preconfirmed): void {
    const { open, preconfirmed } = this.#options.chain
    this.#deviations.onReopened(reopened)
    this.#options.chain.preconfirm(reopened, preconfirmed === open ? reopened : preconfirmed)
  }

  /** Publishes a sealed block and, if given, its only slice `unpublished`. Calls `then` before the events. */
  seal(moment: Moment, unpublished: Slice | undefined, then: () => void): void {
    if (unpublished !== undefined) this.#takeFromPool(unpublished)
    this.#options.chain.seal(
      moment,
      this.#deviations.isPendingStale ? this.#options.chain.preconfirmed : undefined,
    )
    then()
    if (unpublished !== undefined) this.#tell(unpublished)
    this.#options.listeners.emit('sealed', moment)
  }

  /** Removes the slice's transactions from the pool. Must be called before the chain with the slice is published. */
  #takeFromPool({ added, dropped }: Slice): void {
    for (const transaction of added) this.#options.pool.remove(transaction)
    for (const [transaction] of dropped) this.#options.pool.remove(transaction)
  }

  #tell({ dropped, consoleOutput }: Slice): void {
    for (const [transaction, reason] of dropped) this.#options.listeners.emit('dropped', transaction, reason)
    for (const [transaction, calls] of consoleOutput) this.#options.onConsole(calls, transaction)
  }
}

/** Returns the slices to emit. If `slice` is the first after slice 0 (the L1 deposit), slice 0 is emitted before it. */
export function slicesToEmit(slice: Slice): readonly PublishedSlice[] {
  const { previous } = slice.open
  if (previous === undefined || previous.slices > 0) return [slice]
  return [{ open: previous, added: previous.block.transactions }, slice]
}
