/** What the sequencer tells those who listen. */
import type { Moment, Preconfirmed } from '../chain/moment.ts'
import type { Fault } from '../model/fault.ts'
import { namesOf } from '../model/knownNames.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Rejection } from '../pool/admit.ts'

/** Why a waiting transaction was given up. */
export type DropReason =
  | Rejection
  | { readonly kind: 'replaced'; readonly by: Transaction }
  | { readonly kind: 'defect'; readonly error: unknown }
  /** Somebody asked for it. */
  | { readonly kind: 'removed' }
  /** It was pre-confirmed and is not in the sealed block, because a fault was asked for. */
  | { readonly kind: 'fault'; readonly lands: 'next' | 'never' }
  /** Its block was taken off the chain, and it is in none of those that came instead. */
  | { readonly kind: 'reorged' }

/** How far a command is that takes long. */
export interface Progress {
  readonly work: 'mine'
  /** Of `total` blocks. */
  readonly done: number
  readonly total: number
}

export interface Events {
  /** A transaction was accepted and waits. */
  accepted: (transaction: Transaction) => void
  /** A slice was published; `added` are the transactions that it brought. */
  preconfirmed: (moment: Preconfirmed, added: readonly Transaction[]) => void
  /** A fault was taken back that hid the block under construction from readers: they see it as it is. */
  revealed: (moment: Preconfirmed) => void
  sealed: (moment: Moment) => void
  /** These sealed blocks, the oldest first, are no longer on the chain; what stands in their place is sealed next. */
  reorged: (removed: readonly Moment[]) => void
  /** Something went wrong on purpose, in this block and slice. */
  fault: (fault: Fault, block: bigint, slice: number | undefined) => void
  /** What a test bends may be another now: the chain id, who may send without a key, the next block. */
  bent: () => void
  /** An accepted transaction will not come. */
  dropped: (transaction: Transaction, reason: DropReason) => void
  /** A command that takes long is so far: told several times a second, and when it has ended. */
  progress: (progress: Progress) => void
}

/** The names of the events. */
export const EVENTS = namesOf<Events>({
  accepted: true,
  preconfirmed: true,
  revealed: true,
  sealed: true,
  reorged: true,
  fault: true,
  bent: true,
  dropped: true,
  progress: true,
})
