/** What the sequencer tells those who listen. */
import type { Moment, Preconfirmed } from '../chain/moment.ts'
import type { Fault } from '../model/fault.ts'
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
}

type AnyListener = (...payload: never[]) => void

/** Listeners by event. One that throws does not keep the others, or the sequencer, from going on. */
export class Listeners<Each extends Record<keyof Each, AnyListener> = Events> {
  readonly #listeners = new Map<keyof Each, Set<AnyListener>>()

  /** Calls `listener` at each `event` until the answered function is called. */
  on<E extends keyof Each>(event: E, listener: Each[E]): () => void {
    const set = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, set)
    set.add(listener)
    return () => {
      set.delete(listener)
    }
  }

  off<E extends keyof Each>(event: E, listener: Each[E]): void {
    this.#listeners.get(event)?.delete(listener)
  }

  /** Whether anybody would be told of `event`. */
  has(event: keyof Each): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0
  }

  emit<E extends keyof Each>(event: E, ...payload: Parameters<Each[E]>): void {
    // Whoever begins to listen while this is told has missed it.
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as (...payload: unknown[]) => void)(...payload)
      } catch (error) {
        // A listener's fault is its own: it is shown where uncaught errors are, and the chain goes on.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
