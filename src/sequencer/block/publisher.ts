/**
 * Publishes built blocks: makes slices and sealed blocks visible to readers and emits their events, unless a fault
 * hides them.
 */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import type { ChainFaults } from '../../faults/chainFaults.ts'
import { type Publication, publicationOf, VISIBLE, type Visibility } from '../../faults/dueFaults.ts'
import type { Listeners } from '../../model/collections/listeners.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Events } from '../events.ts'
import { toldWith } from './builder.ts'
import type { PublishedSlice, Slice } from './slice.ts'

/** The chain that readers see, and the listeners. */
export interface PublisherOptions {
  readonly chain: Chain
  readonly pool: Pool
  readonly listeners: Listeners<Events>
  onConsole(said: ConsoleCalls, transaction: Transaction): void
}

export class Publisher {
  readonly #options: PublisherOptions
  readonly #chain: Chain
  readonly #chainFaults: ChainFaults
  #visibility: Visibility = VISIBLE
  /** The fault that caused the present visibility. */
  #hiddenBy: number | undefined
  /** Slices of the open block that are published later. */
  #held: readonly PublishedSlice[] = []

  constructor(options: PublisherOptions, chainFaults: ChainFaults) {
    this.#options = options
    this.#chain = options.chain
    this.#chainFaults = chainFaults
  }

  /** Publishes a slice, unless a fault hides it; `before`: the block that readers saw when the command began. */
  publish(slice: Slice, before: Preconfirmed | undefined): void {
    const { open } = slice
    this.#takeFromPool(slice)
    const { act, visibility } = this.#publicationOf(open)
    this.#visibility = visibility
    const shown = this.#chain.preconfirmed
    switch (act) {
      case 'publish':
      case 'publishTwice': {
        const due = [...this.#held, ...toldWith(slice)]
        this.#held = []
        this.#hiddenBy = undefined
        this.#chain.preconfirm(open)
        this.#tell(slice)
        for (const one of due) this.#tellPreconfirmed(one)
        if (act === 'publishTwice') this.#tellPreconfirmed(slice)
        return
      }
      case 'hold':
        this.#held = [...this.#held, ...toldWith(slice)]
        this.#chain.hide(open, shown)
        break
      case 'keep':
        this.#chain.hide(open, shown)
        break
      case 'freeze':
        this.#chain.hide(open, shown ?? before)
        break
      case 'clear':
        this.#chain.hide(open, undefined)
        break
    }
    this.#tell(slice)
  }

  /** Replaces the empty open block by a new one, also for readers that see it. */
  replace(reopened: Preconfirmed): void {
    const { open, preconfirmed } = this.#chain
    // Delayed slices are published with the new block and its deposit.
    this.#held = this.#held.map((slice) => ({
      ...slice,
      open: { ...reopened, slices: slice.open.slices, previous: slice.open.previous },
      added: slice.added.length > 0 ? reopened.block.transactions : [],
    }))
    if (preconfirmed === open) this.#chain.preconfirm(reopened)
    else this.#chain.hide(reopened, preconfirmed)
  }

  /**
   * Publishes a sealed block; `unpublished`: its only slice, which has not been published. Calls `then` before the
   * events are emitted.
   */
  seal(moment: Moment, unpublished: Slice | undefined, then: () => void): void {
    if (unpublished !== undefined) this.#takeFromPool(unpublished)
    const stale = this.#visibility.kind === 'stale' ? this.#chain.preconfirmed : undefined
    this.#held = []
    this.#chain.seal(moment, stale)
    then()
    if (unpublished !== undefined) this.#tell(unpublished)
    this.#options.listeners.emit('sealed', moment)
  }

  /**
   * Ends the present fault: readers see the built block, and held slices are published. With an `id` only if that
   * fault caused it. Returns whether there was anything to end.
   */
  lift(id = this.#hiddenBy): boolean {
    if (this.#hiddenBy === undefined || this.#hiddenBy !== id) return false
    const held = this.#held
    this.forget()
    this.#chain.reveal()
    const { open } = this.#chain
    if (open !== undefined) this.#options.listeners.emit('revealed', open)
    for (const one of held) this.#tellPreconfirmed(one)
    return true
  }

  /** Ends all faults without publishing held slices, for another chain. */
  forget(): void {
    this.#visibility = VISIBLE
    this.#hiddenBy = undefined
    this.#held = []
  }

  /** Drops the held slices of the open block, which is dropped. */
  dropHeld(): void {
    this.#held = []
  }

  #publicationOf({ block, slices }: Preconfirmed): Publication {
    const happens = this.#chainFaults.ofSlice(block.header.number, slices)
    if (happens !== undefined && happens.fault.kind !== 'duplicateSlice') this.#hiddenBy = happens.id
    // The slice with index 0, with which blocks of some chains begin, may precede it.
    return publicationOf(this.#visibility, happens?.fault, slices <= 1)
  }

  /**
   * Called synchronously before the chain is published, so that a transaction is always in at least one of the two.
   */
  #takeFromPool({ added, dropped }: Slice): void {
    for (const transaction of added) this.#options.pool.remove(transaction)
    for (const [transaction] of dropped) this.#options.pool.remove(transaction)
  }

  #tellPreconfirmed({ open, added }: PublishedSlice): void {
    this.#options.listeners.emit('preconfirmed', open, added)
  }

  /** Emits the events of the work that led to the published state. */
  #tell({ dropped, said }: Slice): void {
    for (const [transaction, reason] of dropped) this.#options.listeners.emit('dropped', transaction, reason)
    for (const [transaction, calls] of said) this.#options.onConsole(calls, transaction)
  }
}
