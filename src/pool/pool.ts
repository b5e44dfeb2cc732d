/**
 * The pool: accepted transactions that are in no block yet.
 *
 * The contents are an immutable value, so that a fork or a snapshot holds them by a pointer. A sender's transactions
 * are held in the order of their nonces; those after a gap wait until it is filled.
 */
import type { Address, Hash } from '../bytes/hex.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** A waiting transaction and its place in the order of arrival. */
export interface Pooled {
  readonly transaction: Transaction
  readonly arrival: number
}

/** The contents of the pool as a value. */
export interface PoolContents {
  readonly byHash: PersistentMap<Pooled>
  /** The transactions of each sender, in the order of their nonces. */
  readonly bySender: PersistentMap<readonly Pooled[]>
  readonly arrivals: number
}

const NOTHING: PoolContents = {
  byHash: PersistentMap.empty(),
  bySender: PersistentMap.empty(),
  arrivals: 0,
}

/** The pool of waiting transactions. Its methods do not check transactions. */
export class Pool {
  #contents: PoolContents

  constructor(contents: PoolContents = NOTHING) {
    this.#contents = contents
  }

  /** The current contents, as a value that later changes do not affect. */
  get contents(): PoolContents {
    return this.#contents
  }

  /** Restores earlier contents. */
  restore(contents: PoolContents): void {
    this.#contents = contents
  }

  get size(): number {
    return this.#contents.byHash.size
  }

  get(hash: Hash): Transaction | undefined {
    return this.#contents.byHash.get(hash)?.transaction
  }

  /** Returns a sender's waiting transactions in the order of their nonces. */
  of(sender: Address): readonly Pooled[] {
    return this.#contents.bySender.get(sender) ?? []
  }

  /** Returns the waiting transaction with the same sender and nonce, which `transaction` would replace. */
  rivalOf(transaction: Transaction): Transaction | undefined {
    return this.of(transaction.from).find((other) => other.transaction.nonce === transaction.nonce)
      ?.transaction
  }

  /** Adds a transaction, or replaces the one with its sender and nonce. The caller has checked it with `admit`. */
  add(transaction: Transaction): void {
    const rival = this.rivalOf(transaction)
    if (rival !== undefined) this.remove(rival)
    const pooled = { transaction, arrival: this.#contents.arrivals }
    const queue = this.of(transaction.from)
    const at = queue.findIndex((other) => other.transaction.nonce > transaction.nonce)
    this.#contents = {
      byHash: this.#contents.byHash.set(transaction.hash, pooled),
      bySender: this.#contents.bySender.set(
        transaction.from,
        queue.toSpliced(at === -1 ? queue.length : at, 0, pooled),
      ),
      arrivals: this.#contents.arrivals + 1,
    }
  }

  /** Removes all transactions. */
  clear(): void {
    this.#contents = NOTHING
  }

  remove({ hash, from }: Transaction): void {
    const queue = this.of(from).filter((other) => other.transaction.hash !== hash)
    const { byHash, bySender, arrivals } = this.#contents
    this.#contents = {
      byHash: byHash.delete(hash),
      bySender: queue.length === 0 ? bySender.delete(from) : bySender.set(from, queue),
      arrivals,
    }
  }

  /** Returns the nonce after `nonce` and the waiting transactions of `sender` that follow it without a gap. */
  nextNonce(sender: Address, nonce: bigint): bigint {
    let next = nonce
    for (const { transaction } of this.of(sender)) {
      if (transaction.nonce === next) next++
    }
    return next
  }
}
