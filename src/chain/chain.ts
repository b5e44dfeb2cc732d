/** The chain. Publishing is one assignment, so no reader sees half a block; only `at` resolves a selector. */

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
  /** Absent until the first tick of a block; then `pending` equals `latest`. */
  readonly preconfirmed: Preconfirmed | undefined
  /** The block under construction. Differs from `preconfirmed` only while a fault hides slices. */
  readonly open: Preconfirmed | undefined
  /** The number of sealed blocks that a reorg can remove: all but finalized ones and the first block. */
  readonly removable: number
  /** The blocks that reorgs removed, by hash. */
  readonly removed: PersistentMap<Moment>
}

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

export class Chain {
  readonly options: ChainOptions
  #state: ChainState
  /** Memory of old blocks, not shared with other chains, whose lifetimes differ. */
  readonly #memory = new SharedMemory()
  /** Blocks to be packed. */
  readonly #unpacked: StoredBlock[] = []

  constructor(state: ChainState, options: ChainOptions) {
    this.#state = state
    this.options = options
  }

  /** Returns the chain that begins with `genesis`. */
  static of(genesis: Moment, options: ChainOptions): Chain {
    return new Chain(beginningWith(History.of(genesis)), options)
  }

  get state(): ChainState {
    return this.#state
  }

  restore(state: ChainState): void {
    this.#state = state
  }

  get remote(): RemoteState | undefined {
    return remoteOf(this.#state)
  }

  get latest(): Moment {
    return this.#state.history.latest
  }

  get preconfirmed(): Preconfirmed | undefined {
    return this.#state.preconfirmed
  }

  /** The block under construction, hidden slices included. */
  get open(): Preconfirmed | undefined {
    return this.#state.open
  }

  /** The moment on which the next transaction is executed. */
  get tip(): Moment {
    return this.#state.open ?? this.#state.history.latest
  }

  /** The newest visible moment. */
  get pending(): Moment {
    return this.#state.preconfirmed ?? this.#state.history.latest
  }

  /** Returns the moment of `selector`, or why it is missing. */
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

  /** Returns a transaction that was executed but is hidden by a fault: readers see it as waiting. */
  hidden(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    if (open === preconfirmed) return undefined
    const index = open?.positions.get(hash)
    return index === undefined ? undefined : open!.block.transactions[index]
  }

  /** Returns an executed transaction that is not sealed, hidden or not. */
  unsealed(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    for (const moment of [open, preconfirmed]) {
      const index = moment?.positions.get(hash)
      if (index !== undefined) return moment!.block.transactions[index]
    }
    return undefined
  }

  /** Sets the block under construction; readers see `preconfirmed`. */
  preconfirm(open: Preconfirmed | undefined, preconfirmed: Preconfirmed | undefined): void {
    this.#state = { ...this.#state, preconfirmed, open }
  }

  /** Publishes a sealed block in place of the block under construction. A `stale` block stays visible as `pending`. */
  seal(moment: Moment, stale?: Preconfirmed): void {
    this.pack()
    const { history, removable, removed } = this.#state
    const { finalizedDistance, historyBlocks = Number.POSITIVE_INFINITY } = this.options
    this.#state = {
      history: history.with(moment, this.options, (stored) => this.#unpacked.push(stored)),
      preconfirmed: stale,
      open: undefined,
      // A reorg leaves at least one kept block.
      removable: Math.min(removable + 1, finalizedDistance, historyBlocks - 1),
      removed,
    }
  }

  /** Packs old blocks, apart from `seal`, for which the next slice waits. */
  pack(): void {
    for (const stored of this.#unpacked) stored.pack(this.#memory)
    this.#unpacked.length = 0
  }

  get removable(): number {
    return this.#state.removable
  }

  /** The fork block, if only blocks after it are removable; `undefined` if finalized blocks of its own are in between. */
  get forkBlock(): bigint | undefined {
    const { history, removable } = this.#state
    const isNext = history.end - 1 - removable === history.first
    return isNext && this.remote !== undefined ? BigInt(history.first) : undefined
  }

  /** Removes the newest `depth` sealed blocks and the open one. Returns them, oldest first; they are still found by hash. */
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
    // A fault may keep a sealed block visible as pre-confirmed: all of its slices are in the history.
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

export function remoteOf({ history: { origin } }: ChainState): RemoteState | undefined {
  return hasState(origin) ? origin.state.remote : undefined
}

/** Returns the hash of a block of the forked network, before the first block. Throws `NotFetched`. */
function hashBelow({ first, origin }: History, number: bigint): Hash | undefined {
  if (number >= first || number < 0n || !hasState(origin)) return undefined
  const { remote } = origin.state
  const hash = remote?.blockHash(number)
  if (hash === NOT_FETCHED) throw new NotFetched(remote!, [{ kind: 'blockHash', number }])
  return hash
}

export function isMoment(found: Moment | Missing): found is Moment {
  return 'state' in found
}

/** Returns whether a look-up found a block, with or without its state. */
export function hasBlock(found: Moment | Missing): found is Moment | UnknownState {
  return 'block' in found
}
