/**
 * What readers see of what is built: each slice, each sealed block, and who is told of it. The same that is built, unless a
 * fault keeps it from them.
 */
import type { Chain } from '../../chain/chain.ts'
import type { Moment, Preconfirmed } from '../../chain/moment.ts'
import type { ChainFaults } from '../../faults/chainFaults.ts'
import { type Publication, publicationOf, VISIBLE, type Visibility } from '../../faults/visibility.ts'
import type { Listeners } from '../../model/collections/listeners.ts'
import type { ConsoleCalls } from '../../model/execution/consoleCall.ts'
import type { Transaction } from '../../model/transaction/transaction.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Events } from '../events.ts'
import { toldWith } from './l1Deposit.ts'
import type { Slice } from './slice.ts'

/** What readers are shown, and by whom it is heard. */
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
  /** The fault that the visibility is there for. */
  #hiddenBy: number | undefined
  /** Slices of the open block that are to be told late. */
  #held: readonly Slice[] = []

  constructor(options: PublisherOptions, chainFaults: ChainFaults) {
    this.#options = options
    this.#chain = options.chain
    this.#chainFaults = chainFaults
  }

  /** Lets readers see a slice, unless a fault keeps them from it; `before`: what they saw when the command began. */
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

  /** Puts the open block, which is empty, in the place of what it was before; who saw that sees it. */
  replace(reopened: Preconfirmed): void {
    const { open, preconfirmed } = this.#chain
    // Whoever is told late is told of the block that there is then, with the deposit that it has.
    this.#held = this.#held.map((slice) => ({
      ...slice,
      open: { ...reopened, slices: slice.open.slices, previous: slice.open.previous },
      added: slice.added.length > 0 ? reopened.block.transactions : [],
    }))
    if (preconfirmed === open) this.#chain.preconfirm(reopened)
    else this.#chain.hide(reopened, preconfirmed)
  }

  /** Publishes a sealed block; `unpublished`: its one slice, which nobody has seen. `then` is done before anybody is told. */
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
   * What was going wrong does so no more: readers see what is built, and are told what was held back. With an `id` only
   * where that fault was to blame. Answers whether there was anything to lift.
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

  /** The chain is to be another: nothing hides any of it, and nothing is left to be told. */
  forget(): void {
    this.#visibility = VISIBLE
    this.#hiddenBy = undefined
    this.#held = []
  }

  /** The open block is given up: what was held back of it is never told. */
  dropHeld(): void {
    this.#held = []
  }

  #publicationOf({ block, slices }: Preconfirmed): Publication {
    const happens = this.#chainFaults.ofSlice(block.header.number, slices)
    if (happens !== undefined && happens.fault.kind !== 'duplicateSlice') this.#hiddenBy = happens.id
    // The one with index 0, which some chains open a block with, may have come before.
    return publicationOf(this.#visibility, happens?.fault, slices <= 1)
  }

  /** Called right before the chain is published, with nothing awaited between: a hash is never in neither of them. */
  #takeFromPool({ added, dropped }: Slice): void {
    for (const transaction of added) this.#options.pool.remove(transaction)
    for (const [transaction] of dropped) this.#options.pool.remove(transaction)
  }

  #tellPreconfirmed({ open, added }: Slice): void {
    this.#options.listeners.emit('preconfirmed', open, added)
  }

  /** What happened on the way to what is published now. */
  #tell({ dropped, said }: Slice): void {
    for (const [transaction, reason] of dropped) this.#options.listeners.emit('dropped', transaction, reason)
    for (const [transaction, calls] of said) this.#options.onConsole(calls, transaction)
  }
}
