/**
 * The chain: the sealed blocks, and the block that is being pre-confirmed.
 *
 * Readers keep the moment that they took; publishing is one assignment, so no reader sees half a block. `at` is the
 * only place that resolves a selector to a moment.
 */

import { SharedMemory } from '../bytes/bytes.ts'
import type { Hash } from '../bytes/hex.ts'
import type { Selector } from '../model/block/selector.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { NOT_FETCHED, NotFetched, type RemoteState } from '../state/remoteState.ts'
import { History } from './history.ts'
import {
  hasState,
  type Inclusion,
  type Missing,
  type Moment,
  type Preconfirmed,
  type UnknownState,
} from './moment.ts'
import type { StoredBlock } from './packed/storedBlock.ts'

/** The chain as a value. */
export interface ChainState {
  readonly history: History
  /**
   * Absent before the first tick, and after a block was sealed without pre-confirmation: then `pending` equals
   * `latest`.
   */
  readonly preconfirmed: Preconfirmed | undefined
  /** The block under construction. Equals `preconfirmed`, unless a fault hides some of it. */
  readonly open: Preconfirmed | undefined
  /** The number of newest sealed blocks that a reorg can remove: neither finalized ones nor the first block. */
  readonly removable: number
  /** The blocks that reorgs removed, by hash. */
  readonly removed: PersistentMap<Moment>
}

/** Returns the initial state of a chain. */
export function beginningWith(history: History): ChainState {
  return { history, preconfirmed: undefined, open: undefined, removable: 0, removed: PersistentMap.empty() }
}

/** The distances of `safe` and `finalized` from `latest`, and the number of blocks to keep. */
export interface ChainOptions {
  readonly safeDistance: number
  readonly finalizedDistance: number
  /** The number of sealed blocks to keep; `undefined`: all. */
  readonly historyBlocks: number | undefined
  /** The number of sealed blocks whose slices are kept. */
  readonly sliceBlocks: number
}

/** The chain of a devnet: its current state, look-ups, and the changes that the sequencer makes. */
export class Chain {
  readonly options: ChainOptions
  #state: ChainState
  /** Where this chain keeps its old blocks: no other one's are there, which may be gone long before. */
  readonly #memory = new SharedMemory()
  /** The blocks that became old with the newest one. */
  readonly #unpacked: StoredBlock[] = []

  constructor(state: ChainState, options: ChainOptions) {
    this.#state = state
    this.options = options
  }

  /** Returns the chain that begins with `genesis`. */
  static of(genesis: Moment, options: ChainOptions): Chain {
    return new Chain(beginningWith(History.of(genesis)), options)
  }

  /** The current state, as a value that later blocks do not affect. */
  get state(): ChainState {
    return this.#state
  }

  /** Replaces the whole state, by an earlier one or by this one with accounts changed. */
  restore(state: ChainState): void {
    this.#state = state
  }

  /** The remote state that the states of the chain stand on, if it was forked from a network. */
  get remote(): RemoteState | undefined {
    return remoteOf(this.#state)
  }

  get latest(): Moment {
    return this.#state.history.latest
  }

  get preconfirmed(): Preconfirmed | undefined {
    return this.#state.preconfirmed
  }

  /** The block under construction; readers see the part of it that is pre-confirmed. */
  get open(): Preconfirmed | undefined {
    return this.#state.open
  }

  /**
   * The moment on which the next transaction is executed: the block under construction, hidden parts included, or else
   * the latest.
   */
  get tip(): Moment {
    return this.#state.open ?? this.#state.history.latest
  }

  /** The newest visible moment: the pre-confirmed one, or else the latest. */
  get pending(): Moment {
    return this.#state.preconfirmed ?? this.#state.history.latest
  }

  /** Returns the moment that `selector` identifies, or why there is none. */
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
            return history.atNumber(BigInt(history.first))
          case 'safe':
            return this.#trailing(this.options.safeDistance)
          case 'finalized':
            return this.#trailing(this.options.finalizedDistance)
        }
    }
  }

  /** Returns the block and index of a transaction, sealed or pre-confirmed. */
  find(hash: Hash): Inclusion | undefined {
    const { history, preconfirmed } = this.#state
    const sealed = history.find(hash)
    if (sealed !== undefined) return sealed
    const index = preconfirmed?.positions.get(hash)
    return index === undefined ? undefined : { block: preconfirmed!.block, index }
  }

  /** Returns the hash of a sealed block by number, for BLOCKHASH. */
  readonly blockHash = (number: bigint): Hash | undefined =>
    this.#state.history.hash(Number(number)) ?? hashBelow(this.#state.history, number)

  /** Returns a transaction of the block under construction that a fault hides: readers see it as waiting. */
  hidden(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    if (open === preconfirmed) return undefined
    const index = open?.positions.get(hash)
    return index === undefined ? undefined : open!.block.transactions[index]
  }

  /**
   * Returns an executed transaction that is not sealed: of the block under construction, or of the part that readers
   * see.
   */
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

  /** Adds a slice that readers do not see; they see `preconfirmed` in its place. */
  hide(open: Preconfirmed, preconfirmed: Preconfirmed | undefined): void {
    this.#state = { ...this.#state, preconfirmed, open }
  }

  /** Makes the whole block under construction visible. */
  reveal(): void {
    this.#state = { ...this.#state, preconfirmed: this.#state.open }
  }

  /**
   * Publishes a sealed block, which replaces the block under construction. If `stale` is given, readers see it as
   * `pending`.
   */
  seal(moment: Moment, stale?: Preconfirmed): void {
    this.pack()
    const { history, removable, removed } = this.#state
    const { finalizedDistance, historyBlocks = Number.POSITIVE_INFINITY } = this.options
    this.#state = {
      history: history.with(moment, this.options, (stored) => this.#unpacked.push(stored)),
      preconfirmed: stale,
      open: undefined,
      // A reorg leaves a newest block: of those that are kept, one.
      removable: Math.min(removable + 1, finalizedDistance, historyBlocks - 1),
      removed,
    }
  }

  /** Replaces objects of old blocks by bytes. Apart from `seal`, which the next slice waits for. */
  pack(): void {
    for (const stored of this.#unpacked) stored.pack(this.#memory)
    this.#unpacked.length = 0
  }

  /** The number of newest sealed blocks that a reorg can remove. */
  get removable(): number {
    return this.#state.removable
  }

  /** The number of the network's block below the removable ones; `undefined` if the chain's own follow there. */
  get forkBlock(): bigint | undefined {
    const { history, removable } = this.#state
    const isNext = history.end - 1 - removable === history.first
    return isNext && this.remote !== undefined ? BigInt(history.first) : undefined
  }

  /**
   * Removes the newest `depth` sealed blocks (at most `removable`) and the block under construction. Returns the
   * removed blocks, oldest first; look-ups by hash still find them.
   */
  rewind(depth: number): readonly Moment[] {
    const { history, removable } = this.#state
    if (depth === 0) return []
    const moments = history.newestMoments(depth)
    this.#state = {
      history: history.without(depth),
      preconfirmed: undefined,
      open: undefined,
      removable: removable - depth,
      removed: this.#state.removed.setAll(moments.map((moment) => [moment.block.hash, moment] as const)),
    }
    return moments
  }

  /** Returns whether a reorg removed the block with this hash. */
  isRemoved(hash: Hash): boolean {
    return this.#state.removed.has(hash) && 'kind' in this.#state.history.atHash(hash)
  }

  #atHash(hash: Hash, requireCanonical: boolean): Moment | Missing {
    const { history, removed } = this.#state
    const found = history.atHash(hash)
    if (isMoment(found) || requireCanonical) return found
    return removed.get(hash) ?? found
  }

  #atSlice(number: bigint, slice: number): Moment | Missing {
    const { history, preconfirmed } = this.#state
    // A sealed block that a fault keeps visible as pre-confirmed is read from the sealed blocks, which have all its
    // slices.
    const isOpen = number > history.latest.block.header.number && preconfirmed?.block.header.number === number
    const found = isOpen ? preconfirmed : history.atNumber(number)
    if (!isMoment(found)) return found
    const last = isOpen ? preconfirmed : found.lastSlice
    for (let at = last; at !== undefined; at = at.previous) if (at.slices === slice) return at
    return { kind: 'unknownSlice', number, slice, last: last?.slices ?? 0 }
  }

  #trailing(distance: number): Moment | Missing {
    const { history } = this.#state
    const number = this.latest.block.header.number - BigInt(distance)
    return history.atNumber(number > history.first ? number : BigInt(history.first))
  }
}

/** Returns the remote state that the states of a chain stand on, if it was forked from a network. */
export function remoteOf({ history: { origin } }: ChainState): RemoteState | undefined {
  return hasState(origin) ? origin.state.remote : undefined
}

/**
 * Returns the hash of a block before the first one: of the network that the chain was forked from, if it was. Throws
 * `NotFetched`.
 */
function hashBelow({ first, origin }: History, number: bigint): Hash | undefined {
  if (number >= first || number < 0n || !hasState(origin)) return undefined
  const { remote } = origin.state
  const hash = remote?.blockHash(number)
  if (hash === NOT_FETCHED) throw new NotFetched(remote!, [{ kind: 'blockHash', number }])
  return hash
}

/** Returns whether a look-up found a moment. */
export function isMoment(found: Moment | Missing): found is Moment {
  return 'state' in found
}

/** Returns whether a look-up found a block, with or without its state. */
export function hasBlock(found: Moment | Missing): found is Moment | UnknownState {
  return 'block' in found
}
