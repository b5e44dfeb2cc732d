/**
 * What has happened: the sealed blocks, and the block that is being pre-confirmed.
 *
 * Readers take a moment and keep it; publishing is one assignment, so none of them ever sees half a block. `at` is the
 * only place where a selector becomes a moment.
 */
import type { Hash } from '../model/bytes/hex.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { Selector } from '../model/selector.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { History } from './history.ts'
import type { Inclusion, Missing, Moment, Preconfirmed, UnknownState } from './moment.ts'

/** The chain as a value. */
export interface ChainState {
  readonly history: History
  /** Absent before the first tick and after a block was sealed alone: then `pending` is `latest`. */
  readonly preconfirmed: Preconfirmed | undefined
  /** The block under construction as it is really built: what is pre-confirmed, unless a fault hides some of it. */
  readonly open: Preconfirmed | undefined
  /** The histories before this one, of so many blocks as can still be taken off, the newest last. */
  readonly earlier: readonly History[]
  /** Blocks that were taken off the chain by a reorg, by hash. */
  readonly removed: PersistentMap<Moment>
}

/** The chain as it begins. */
export function beginningWith(history: History): ChainState {
  return { history, preconfirmed: undefined, open: undefined, earlier: [], removed: PersistentMap.empty() }
}

/** How far `safe` and `finalized` trail `latest`, and how many blocks are kept. */
export interface ChainOptions {
  readonly safeDistance: number
  readonly finalizedDistance: number
  /** `undefined`: all. */
  readonly historyBlocks: number | undefined
  /** Of how many sealed blocks it is remembered how they grew, slice by slice. */
  readonly sliceBlocks: number
}

export class Chain {
  readonly options: ChainOptions
  #state: ChainState

  constructor(state: ChainState, options: ChainOptions) {
    this.#state = state
    this.options = options
  }

  /** The chain that begins with `genesis`. */
  static of(genesis: Moment, options: ChainOptions): Chain {
    return new Chain(beginningWith(History.of(genesis)), options)
  }

  /** The chain now, as a value that later blocks leave alone. */
  get state(): ChainState {
    return this.#state
  }

  /** Goes to another state as a whole: one that was, or this one with accounts changed. */
  restore(state: ChainState): void {
    this.#state = state
  }

  get latest(): Moment {
    return this.#state.history.latest
  }

  get preconfirmed(): Preconfirmed | undefined {
    return this.#state.preconfirmed
  }

  /** The block under construction, of which readers see what is pre-confirmed. */
  get open(): Preconfirmed | undefined {
    return this.#state.open
  }

  /** What the next transaction follows, seen or not: the block under construction, or the latest if there is none. */
  get tip(): Moment {
    return this.#state.open ?? this.#state.history.latest
  }

  /** The newest there is to see: the pre-confirmed moment, or the latest if there is none. */
  get pending(): Moment {
    return this.#state.preconfirmed ?? this.#state.history.latest
  }

  /** The moment that `selector` means, or why there is none. */
  at(selector: Selector): Moment | Missing {
    const { history } = this.#state
    switch (selector.kind) {
      case 'number':
        return history.atNumber(selector.number)
      case 'hash':
        return this.#atHash(selector.hash, selector.requireCanonical)
      case 'slice':
        return this.#atSlice(selector.number, selector.slice)
      case 'tag':
        switch (selector.tag) {
          case 'latest':
            return history.latest
          case 'pending':
            return this.pending
          case 'earliest':
            return history.atNumber(0n)
          case 'safe':
            return this.#trailing(this.options.safeDistance)
          case 'finalized':
            return this.#trailing(this.options.finalizedDistance)
        }
    }
  }

  /** Where a transaction stands: sealed first, then pre-confirmed. */
  find(hash: Hash): Inclusion | undefined {
    const { history, preconfirmed } = this.#state
    const sealed = history.find(hash)
    if (sealed !== undefined) return sealed
    const index = preconfirmed?.positions.get(hash)
    return index === undefined ? undefined : { block: preconfirmed!.block, index }
  }

  /** The hash of a sealed block by number, for BLOCKHASH. */
  readonly blockHash = (number: bigint): Hash | undefined => this.#state.history.hash(Number(number))

  /** A transaction of the block under construction that nobody is to see there: to readers it waits. */
  hidden(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    if (open === preconfirmed) return undefined
    const index = open?.positions.get(hash)
    return index === undefined ? undefined : open!.block.transactions[index]
  }

  /** Returns a transaction that is run and not sealed: of the block under construction, or of what readers see of it. */
  unsealed(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    for (const moment of [open, preconfirmed]) {
      const index = moment?.positions.get(hash)
      if (index !== undefined) return moment!.block.transactions[index]
    }
    return undefined
  }

  /** Publishes a slice. */
  preconfirm(open: Preconfirmed): void {
    this.#state = { ...this.#state, preconfirmed: open, open }
  }

  /** Takes a slice in that nobody is to see; `preconfirmed` is what they see instead. */
  hide(open: Preconfirmed, preconfirmed: Preconfirmed | undefined): void {
    this.#state = { ...this.#state, preconfirmed, open }
  }

  /** Lets readers see the block under construction as it is. */
  reveal(): void {
    this.#state = { ...this.#state, preconfirmed: this.#state.open }
  }

  /** Publishes a sealed block; what was pre-confirmed is now in it. Readers whose view is `stale` see that under `pending`. */
  seal(moment: Moment, stale?: Preconfirmed): void {
    const { history, removed } = this.#state
    const next = history.with(moment, this.options)
    this.#state = {
      history: next,
      preconfirmed: stale,
      open: undefined,
      earlier: this.#earlier(next),
      removed,
    }
  }

  /** How many sealed blocks can be taken off: none that is final, nor block 0. */
  get removable(): number {
    return this.#state.earlier.length
  }

  /**
   * Takes the newest `depth` sealed blocks off, and what is built on them. Answers them, the oldest first; they can still
   * be found by their hashes. `depth` is at most `removable`.
   */
  rewind(depth: number): readonly Moment[] {
    const { history, earlier } = this.#state
    if (depth === 0) return []
    const histories = [...earlier, history].slice(-depth)
    const moments = histories.map(({ latest }) => latest)
    this.#state = {
      history: earlier.at(-depth)!,
      preconfirmed: undefined,
      open: undefined,
      earlier: earlier.slice(0, -depth),
      removed: this.#state.removed.setAll(moments.map((moment) => [moment.block.hash, moment] as const)),
    }
    return moments
  }

  /** Whether the block with this hash was taken off the chain. */
  isRemoved(hash: Hash): boolean {
    return this.#state.removed.has(hash) && 'kind' in this.#state.history.atHash(hash)
  }

  /** What can be gone back to from `next`: nothing final, and with no more in them than is kept. */
  #earlier(next: History): readonly History[] {
    const { history, earlier } = this.#state
    const { finalizedDistance, historyBlocks } = this.options
    if (historyBlocks === undefined) return withNewest(earlier, history, finalizedDistance)
    const kept = withNewest(earlier, history, Math.min(finalizedDistance, historyBlocks - 1))
    return kept.map((one) => one.prunedTo(next.oldest))
  }

  #atHash(hash: Hash, requireCanonical: boolean): Moment | Missing {
    const { history, removed } = this.#state
    const found = history.atHash(hash)
    if (isMoment(found) || requireCanonical) return found
    return removed.get(hash) ?? found
  }

  #atSlice(number: bigint, slice: number): Moment | Missing {
    const { history, preconfirmed } = this.#state
    // One that a fault keeps in sight though it is sealed has more to show as what it is.
    const isOpen = number > history.latest.block.header.number && preconfirmed?.block.header.number === number
    const found = isOpen ? preconfirmed : history.atNumber(number)
    if (!isMoment(found)) return found
    const last = isOpen ? preconfirmed : found.lastSlice
    for (let at = last; at !== undefined; at = at.previous) if (at.slices === slice) return at
    return { kind: 'unknownSlice', number, slice, last: last?.slices ?? 0 }
  }

  #trailing(distance: number): Moment | Missing {
    const number = this.latest.block.header.number - BigInt(distance)
    return this.#state.history.atNumber(number > 0n ? number : 0n)
  }
}

/** The newest `limit` of `histories` and `newest`. */
function withNewest(histories: readonly History[], newest: History, limit: number): readonly History[] {
  if (limit === 0) return []
  return [...(histories.length < limit ? histories : histories.slice(1)), newest]
}

/** Whether a look-up found a moment. */
export function isMoment(found: Moment | Missing): found is Moment {
  return 'state' in found
}

/** Whether a look-up found a block, with its state or without. */
export function hasBlock(found: Moment | Missing): found is Moment | UnknownState {
  return 'block' in found
}
