/** The chain. Each change is published by one assignment, so readers never see an incomplete block. */

import type { Hash } from '../bytes/hex.ts'
import type { Selector } from '../model/block/selector.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import { NOT_FETCHED, NotFetched, type RemoteState } from '../state/remoteState.ts'
import { History, type Retention } from './history.ts'
import {
  hasState,
  type Inclusion,
  type Missing,
  type Moment,
  type Preconfirmed,
  type UnknownState,
} from './moment.ts'
import { Packing, type StoredBlock } from './packed/storedBlock.ts'

/** The content of the chain as an immutable value. */
export interface ChainState {
  readonly history: History
  /** The open block as readers see it; `undefined` before the first tick of a block, when `pending` is `latest`. */
  readonly preconfirmed: Preconfirmed | undefined
  /** The block under construction, including slices that a fault hides from readers. */
  readonly open: Preconfirmed | undefined
  /** The number of newest sealed blocks that a reorg can remove: never a finalized block or the first block. */
  readonly removable: number
  /** The moments of the blocks that reorgs removed, keyed by block hash. */
  readonly removed: PersistentMap<Moment>
}

export function initialChainState(history: History): ChainState {
  return { history, preconfirmed: undefined, open: undefined, removable: 0, removed: PersistentMap.empty() }
}

export interface ChainOptions extends Retention {
  readonly safeDistance: number
  readonly finalizedDistance: number
}

type TrailingTag = 'safe' | 'finalized'

/** Decides which blocks of an L2 with its L1 are safe or finalized. */
export interface Finality {
  /** Returns whether a block is safe or finalized. If it is, all blocks before it are. */
  has(tag: TrailingTag, moment: Moment): boolean
}

export class Chain {
  readonly options: ChainOptions
  /** Replaces `safeDistance` and `finalizedDistance`, if an L1 exists. */
  finality: Finality | undefined
  #state: ChainState
  readonly #packing: Packing
  readonly #unpacked: StoredBlock[] = []

  constructor(state: ChainState, options: ChainOptions) {
    this.#state = state
    this.options = options
    this.#packing = new Packing(options.randaoSeed)
  }

  static of(genesis: Moment, options: ChainOptions): Chain {
    return new Chain(initialChainState(History.of(genesis)), options)
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

  get open(): Preconfirmed | undefined {
    return this.#state.open
  }

  /** The moment after which the next transaction runs, including hidden slices. */
  get tip(): Moment {
    return this.#state.open ?? this.#state.history.latest
  }

  /** The newest moment that readers can see. */
  get pending(): Moment {
    return this.#state.preconfirmed ?? this.#state.history.latest
  }

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
          case 'finalized': {
            const number = this.trailing(selector.tag)
            return history.atNumber(number > history.first ? number : BigInt(history.first))
          }
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

  /** Returns a hash for BLOCKHASH: of a sealed block, or of a block before the fork block. May throw `NotFetched`. */
  readonly blockHash = (number: bigint): Hash | undefined =>
    this.#state.history.hash(Number(number)) ?? forkedBlockHash(this.#state.history, number)

  /** Returns a transaction that ran in a hidden slice. Readers see such a transaction as waiting. */
  hidden(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    if (open === preconfirmed || preconfirmed?.positions.get(hash) !== undefined) return undefined
    const index = open?.positions.get(hash)
    return index === undefined ? undefined : open!.block.transactions[index]
  }

  /** Returns a transaction of the block under construction, even if its slice is hidden. */
  unsealed(hash: Hash): Transaction | undefined {
    const { open, preconfirmed } = this.#state
    for (const moment of [open, preconfirmed]) {
      const index = moment?.positions.get(hash)
      if (index !== undefined) return moment!.block.transactions[index]
    }
    return undefined
  }

  /** Publishes a new version of the block under construction. `preconfirmed` is the part that readers see. */
  preconfirm(open: Preconfirmed | undefined, preconfirmed: Preconfirmed | undefined): void {
    this.#state = { ...this.#state, preconfirmed, open }
  }

  /** Publishes a sealed block in place of the open block. If `stale` is given, readers see `stale` as `pending`. */
  seal(moment: Moment, stale?: Preconfirmed): void {
    this.pack()
    const { history, removable, removed } = this.#state
    const { finalizedDistance, historyBlocks = Number.POSITIVE_INFINITY } = this.options
    this.#state = {
      history: history.with(moment, this.options, (stored) => this.#unpacked.push(stored)),
      preconfirmed: stale,
      open: undefined,
      // After a reorg, at least one block must remain that is not pruned.
      removable: Math.min(
        removable + 1,
        this.finality === undefined ? finalizedDistance : Number.POSITIVE_INFINITY,
        historyBlocks - 1,
      ),
      removed,
    }
  }

  /** Packs the blocks that `seal` selected. `seal` does not pack them itself, so that the next slice is not delayed. */
  pack(): void {
    for (const stored of this.#unpacked) stored.pack(this.#packing)
    this.#unpacked.length = 0
  }

  get removable(): number {
    const { history, removable } = this.#state
    if (this.finality === undefined) return removable
    return Math.min(removable, history.end - 1 - Number(this.trailing('finalized')))
  }

  /** The number of the fork block if a reorg can remove all blocks after it; otherwise `undefined`. */
  get forkBlock(): bigint | undefined {
    const { history, removable } = this.#state
    const isNext = history.end - 1 - removable === history.first
    return isNext && this.remote !== undefined ? BigInt(history.first) : undefined
  }

  /** Removes the open block and `depth` sealed blocks. Returns the sealed ones, oldest first; `at` still finds them. */
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
    // A fault may keep a sealed block visible as pre-confirmed. All slices of such a block are in the history.
    const isOpen = number > history.latest.block.header.number && preconfirmed?.block.header.number === number
    const found = isOpen ? preconfirmed : history.atNumber(number)
    if (!isMoment(found)) return found
    const last = isOpen ? preconfirmed : found.lastSlice
    for (let at = last; at !== undefined; at = at.previous) if (at.slices === slice) return at
    return { kind: 'unknownSlice', number, slice, last: last?.slices ?? 0 }
  }

  /** Returns the number of the newest block that is safe or finalized; before the first such block, a lower number. */
  trailing(tag: TrailingTag): bigint {
    const { finality } = this
    const { history } = this.#state
    if (finality === undefined) {
      const { safeDistance, finalizedDistance } = this.options
      return this.latest.block.header.number - BigInt(tag === 'safe' ? safeDistance : finalizedDistance)
    }
    let low = history.lowest - 1
    let high = history.end - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const sealed = history.keptBlock(middle)!
      if (hasState(sealed) && finality.has(tag, sealed)) low = middle
      else high = middle - 1
    }
    return BigInt(low)
  }
}

export function remoteOf({ history: { origin } }: ChainState): RemoteState | undefined {
  return hasState(origin) ? origin.state.remote : undefined
}

/** Returns the hash of a block before the fork block. Throws `NotFetched` if the hash has not been fetched. */
function forkedBlockHash({ first, origin }: History, number: bigint): Hash | undefined {
  if (number >= first || number < 0n || !hasState(origin)) return undefined
  const { remote } = origin.state
  const hash = remote?.blockHash(number)
  if (hash === NOT_FETCHED) throw new NotFetched(remote!, [{ kind: 'blockHash', number }])
  return hash
}

export function isMoment(found: Moment | Missing): found is Moment {
  return 'state' in found
}

/** Returns whether a block was found, even if the state after the block is unknown. */
export function hasBlock(found: Moment | Missing): found is Moment | UnknownState {
  return 'block' in found
}
