/** A block and the state it left: what every question about the chain is asked of. */
import type { Block } from '../model/block.ts'
import type { Hash } from '../model/hex.ts'
import type { PersistentMap } from '../model/persistentMap.ts'
import type { State } from '../state/state.ts'
import type { LogIndex } from './logIndex.ts'

/** Published once, never changed. */
export interface Moment {
  readonly block: Block
  readonly state: State
}

/** The block under construction: its hash and state root are zero until it is sealed (CONTRACT 6). */
export interface Preconfirmed extends Moment {
  /** How many slices it has had. */
  readonly slices: number
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

/** A moment that cannot be had. */
export type Missing =
  | { readonly kind: 'unknownNumber'; readonly number: bigint }
  | { readonly kind: 'unknownHash'; readonly hash: Hash }
  | { readonly kind: 'prunedHistory'; readonly number: bigint; readonly oldest: bigint }
  | UnknownState

/** The block can be had, but not the state it left. */
export interface UnknownState {
  readonly kind: 'unknownState'
  readonly block: Block
}
