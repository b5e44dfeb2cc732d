/** A block and the state it left: what every question about the chain is asked of. */
import type { Block } from '../model/block/block.ts'
import type { Hash } from '../model/bytes/hex.ts'
import type { PersistentMap } from '../model/collections/persistentMap.ts'
import type { State } from '../state/state.ts'
import type { LogIndex } from './logIndex.ts'

/** Published once, never changed. */
export interface Moment {
  readonly block: Block
  readonly state: State
  /** Of a sealed block: its last slice, and through that how it grew. Absent where it had none, or they were let go. */
  readonly lastSlice?: Preconfirmed
}

/** The block under construction: until it is sealed its state root is zero, and by default its hash (CONTRACT 6). */
export interface Preconfirmed extends Moment {
  /** The index of its newest slice: how many it has had, but for the one with index 0, which some chains open it with. */
  readonly slices: number
  /** The block as it was one slice ago. */
  readonly previous: Preconfirmed | undefined
  /** Where each of its transactions stands. */
  readonly positions: PersistentMap<number>
  /** Where its logs are found, as the history's are: it begins as the history's index. */
  readonly logIndex: LogIndex
}

/** Where a transaction stands. */
export interface Inclusion {
  readonly block: Block
  readonly index: number
}

/** The slices that led to `last`, in their order. */
export function slicesOf(last: Preconfirmed | undefined): Preconfirmed[] {
  const slices: Preconfirmed[] = []
  for (let slice = last; slice !== undefined; slice = slice.previous) slices.push(slice)
  return slices.reverse()
}

/** The first transaction that a slice brought. */
export function firstOf({ previous }: Preconfirmed): number {
  return previous?.block.transactions.length ?? 0
}

/** A sealed block as it is kept: with the state that it left, or, of another node's file, without. */
export type SealedBlock = Moment | UnknownState

/** Whether the state that a sealed block left is known. */
export function hasState(sealed: SealedBlock): sealed is Moment {
  return 'state' in sealed
}

/** A block that cannot be had. */
export type Missing =
  | { readonly kind: 'unknownSlice'; readonly number: bigint; readonly slice: number; readonly last: number }
  | { readonly kind: 'unknownNumber'; readonly number: bigint }
  | { readonly kind: 'unknownHash'; readonly hash: Hash }
  | { readonly kind: 'prunedHistory'; readonly number: bigint; readonly oldest: bigint }
  | UnknownState

/** The block can be had, but not the state it left. */
export interface UnknownState {
  readonly kind: 'unknownState'
  readonly block: Block
}
