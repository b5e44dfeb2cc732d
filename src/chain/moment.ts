/** A moment is a block with the state after the block. Every read of the chain starts with a moment. */

import type { Address, Hash } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import { isPending, type Selector } from '../model/block/selector.ts'
import type { PersistentMap } from '../model/collections/persistentMap.ts'
import type { State } from '../state/state.ts'
import type { StateView } from '../state/view.ts'
import type { LogIndex } from './logIndex.ts'

/** A block and the state after the block. Immutable once published. */
export interface Moment {
  readonly block: Block
  readonly state: State
  /** The last slice of a sealed block, with links to earlier slices. Absent if no slices of the block are kept. */
  readonly lastSlice?: SliceMoment
}

/** A block under construction, as it was after a slice. */
export interface SliceMoment extends Moment {
  /** The index of the newest slice. Some chains open a block with a slice of index 0. */
  readonly slices: number
  /** The moment after the previous slice; `undefined` for the first slice. */
  readonly previous: SliceMoment | undefined
}

/** The block under construction. Its state root is zero. By default, its hash is zero, too. */
export interface Preconfirmed extends SliceMoment {
  /** The index of each transaction in the block, keyed by transaction hash. */
  readonly positions: PersistentMap<number>
  /** The log index of the history with the logs of this block added. */
  readonly logIndex: LogIndex
}

export interface Inclusion {
  readonly block: Block
  readonly index: number
}

export function slicesOf(last: SliceMoment | undefined): SliceMoment[] {
  const slices: SliceMoment[] = []
  for (let slice = last; slice !== undefined; slice = slice.previous) slices.push(slice)
  return slices.reverse()
}

/** Returns the moment without its indexes, so that their memory can be freed. */
export function asSlice({ block, state, slices, previous }: Preconfirmed): SliceMoment {
  return { block, state, slices, previous }
}

export function firstTransactionIndex({ previous }: SliceMoment): number {
  return previous?.block.transactions.length ?? 0
}

export function gasUsedIn(slice: SliceMoment): bigint {
  const { header, receipts } = slice.block
  const first = firstTransactionIndex(slice)
  return header.gasUsed - (first === 0 ? 0n : receipts[first - 1]!.cumulativeGasUsed)
}

/** A sealed block with the state after the block. The state is unknown if the block comes from another node's file. */
export type SealedBlock = Moment | UnknownState

export function hasState(sealed: SealedBlock): sealed is Moment {
  return 'state' in sealed
}

/** The reason why a block is missing. */
export type Missing =
  | { readonly kind: 'unknownSlice'; readonly number: bigint; readonly slice: number; readonly last: number }
  | { readonly kind: 'unknownNumber'; readonly number: bigint }
  | { readonly kind: 'unknownHash'; readonly hash: Hash }
  | { readonly kind: 'prunedHistory'; readonly number: bigint; readonly oldest: bigint }
  | UnknownState

export interface UnknownState {
  readonly kind: 'unknownState'
  readonly block: Block
}

/** Returns the next nonce of `owner` in `state`; for `pending`, the nonce that `withWaiting` (if given) returns. */
export function nextNonce(
  state: StateView,
  selector: Selector,
  owner: Address,
  withWaiting: ((owner: Address, count: bigint) => bigint) | undefined,
): bigint {
  const count = state.account(owner)?.nonce ?? 0n
  return isPending(selector) && withWaiting !== undefined ? withWaiting(owner, count) : count
}

export interface ReorgRoom {
  readonly removable: number
  readonly forkBlock: bigint | undefined
}

/** The blocks that a reorg removed, oldest first, or the number of blocks that a reorg can remove at most. */
export type ReorgOutcome =
  | { readonly kind: 'reorged'; readonly removed: readonly Moment[] }
  | { readonly kind: 'tooDeep'; readonly room: ReorgRoom }

export function tooDeepText(depth: number, { removable, forkBlock }: ReorgRoom): string {
  const which =
    forkBlock === undefined ? 'which are not final yet' : `those after ${forkBlock}, the fork block`
  return `depth: expected at most ${removable} blocks, ${which}, got ${depth}`
}
