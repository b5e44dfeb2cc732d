/** Moments: a block with the state after it. Every read of the chain starts with one. */

import type { Address, Hash } from '../bytes/hex.ts'
import type { Block } from '../model/block/block.ts'
import { isPending, type Selector } from '../model/block/selector.ts'
import type { PersistentMap } from '../model/collections/persistentMap.ts'
import type { State } from '../state/state.ts'
import type { StateView } from '../state/view.ts'
import type { LogIndex } from './logIndex.ts'

/** A block and the state after it. Immutable once published. */
export interface Moment {
  readonly block: Block
  readonly state: State
  /** The last slice of a sealed block, linked to the earlier ones; absent without slices, or if they are not kept. */
  readonly lastSlice?: SliceMoment
}

/** A block as it was after a slice. */
export interface SliceMoment extends Moment {
  /** The index of the newest slice. Some chains open a block with slice 0. */
  readonly slices: number
  /** The block before the newest slice. */
  readonly previous: SliceMoment | undefined
}

/** The block under construction. Its state root is zero, and by default its hash too (CONTRACT 6). */
export interface Preconfirmed extends SliceMoment {
  /** The index of each transaction, by hash. */
  readonly positions: PersistentMap<number>
  /** The log index of the history, with the logs of this block added. */
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

/** Returns the block without its indexes, to free their memory. */
export function asSlice({ block, state, slices, previous }: Preconfirmed): SliceMoment {
  return { block, state, slices, previous }
}

/** Returns the index of the first transaction of a slice. */
export function firstOf({ previous }: SliceMoment): number {
  return previous?.block.transactions.length ?? 0
}

export function gasUsedIn(slice: SliceMoment): bigint {
  const { header, receipts } = slice.block
  const first = firstOf(slice)
  return header.gasUsed - (first === 0 ? 0n : receipts[first - 1]!.cumulativeGasUsed)
}

/** A sealed block with the state after it, which is unknown for blocks from another node's file. */
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

/** Returns the next nonce of `owner` in `state`. Under `pending`, `withWaiting` counts waiting transactions, too (seed 4.5). */
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
  /** The fork block, if reorgs could otherwise go deeper. */
  readonly forkBlock: bigint | undefined
}

/** The removed blocks, oldest first, or the maximum depth. */
export type ReorgOutcome =
  | { readonly kind: 'reorged'; readonly removed: readonly Moment[] }
  | { readonly kind: 'tooDeep'; readonly room: ReorgRoom }

/** Returns the message for a reorg that is too deep. */
export function tooDeepText(depth: number, { removable, forkBlock }: ReorgRoom): string {
  const which =
    forkBlock === undefined ? 'which are not final yet' : `those after ${forkBlock}, the fork block`
  return `depth: expected at most ${removable} blocks, ${which}, got ${depth}`
}
