import type { Moment, SliceMoment } from '../chain/moment.ts'
import { namesOf } from '../model/api/arguments.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Rejection } from '../pool/admit.ts'

/** The reason why a waiting transaction was dropped. */
export type DropReason =
  | Rejection
  | { readonly kind: 'replaced'; readonly by: Transaction }
  | { readonly kind: 'defect'; readonly error: unknown }
  /** Its code took more memory than a run may have. */
  | { readonly kind: 'outOfMemory'; readonly limitBytes: number }
  /** A command removed the transaction. */
  | { readonly kind: 'removed' }
  /** The transaction was pre-confirmed, and a planned fault keeps it out of the sealed block. */
  | { readonly kind: 'fault'; readonly lands: 'next' | 'never' }
  /** A reorg removed the transaction's block, and no new block has the transaction. */
  | { readonly kind: 'reorged' }

export interface Progress {
  readonly work: 'mine'
  /** Number of finished blocks. */
  readonly done: number
  readonly total: number
}

export interface Events {
  /** A transaction was accepted and waits. */
  accepted: (transaction: Transaction) => void
  /** A slice was published; `added` are its transactions. */
  preconfirmed: (moment: SliceMoment, added: readonly Transaction[]) => void
  /** A fault that hid the block under construction has ended: readers see its current state. */
  revealed: (moment: SliceMoment) => void
  sealed: (moment: Moment) => void
  /** These sealed blocks were removed from the chain, the oldest first; `sealed` follows for the new ones. */
  reorged: (removed: readonly Moment[]) => void
  /** State that cheats set may have changed: the chain id, impersonations, accounts, time, the rhythm, the next block. */
  cheatsChanged: () => void
  /** Another chain is in place of this one: a snapshot was reverted, a state file loaded, or the chain reset. */
  restored: () => void
  /** An accepted transaction was dropped. */
  dropped: (transaction: Transaction, reason: DropReason) => void
  /** The progress of a long command, several times a second and at its end. */
  progress: (progress: Progress) => void
}

export const EVENTS = namesOf<Events>({
  accepted: true,
  preconfirmed: true,
  revealed: true,
  sealed: true,
  reorged: true,
  cheatsChanged: true,
  restored: true,
  dropped: true,
  progress: true,
})
