import type { Moment, SliceMoment } from '../chain/moment.ts'
import { namesOf } from '../model/api/arguments.ts'
import type { Transaction } from '../model/transaction/transaction.ts'
import type { Rejection } from '../pool/admit.ts'

/** The reason why a waiting transaction was dropped. */
export type DropReason =
  | Rejection
  | { readonly kind: 'replaced'; readonly by: Transaction }
  | { readonly kind: 'defect'; readonly error: unknown }
  /** The transaction's code took more memory than a run may have. */
  | { readonly kind: 'outOfMemory'; readonly limitBytes: number }
  /** A command, such as `anvil_dropTransaction`, removed the transaction from the pool. */
  | { readonly kind: 'removed' }
  /** A fault keeps the pre-confirmed transaction out of the sealed block. With `next`, it waits for the next block. */
  | { readonly kind: 'fault'; readonly lands: 'next' | 'never' }
  /** A reorg removed the transaction's block, and no new block has the transaction. */
  | { readonly kind: 'reorged' }

export interface Progress {
  readonly work: 'mine'
  /** Number of blocks that the running command has mined. */
  readonly done: number
  readonly total: number
}

export interface Events {
  /** A transaction was accepted into the pool. */
  accepted: (transaction: Transaction) => void
  /** A slice was published. `added` are its transactions, `moment` is the block after it. */
  preconfirmed: (moment: SliceMoment, added: readonly Transaction[]) => void
  /** A fault that hid the block under construction has ended. Readers now see `moment`, the block's current state. */
  revealed: (moment: SliceMoment) => void
  sealed: (moment: Moment) => void
  /** Sealed blocks were removed; `removed` lists them, oldest first. A `sealed` event follows for each new block. */
  reorged: (removed: readonly Moment[]) => void
  /** Cheats may have changed settings: the chain id, impersonations, accounts, time, the rhythm, the next block. */
  cheatsChanged: () => void
  /** Another chain has replaced this one: a snapshot was reverted, a state file was loaded, or the chain was reset. */
  restored: () => void
  /** An accepted transaction was dropped because of `reason`. */
  dropped: (transaction: Transaction, reason: DropReason) => void
  /** Emitted for a long command several times a second and at its end. */
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
