/** Accepted transactions that are not in a block yet. The content of the pool is an immutable value. */
import type { Address, Hash } from '../bytes/hex.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

export interface Pooled {
  readonly transaction: Transaction
  readonly arrival: number
}

export interface PoolContents {
  readonly byHash: PersistentMap<Pooled>
  /** The transactions of each sender, ordered by ascending nonce. */
  readonly bySender: PersistentMap<readonly Pooled[]>
  readonly arrivals: number
  /** The transaction that was added last. It may have been removed. */
  readonly newest: Transaction | undefined
}

const NOTHING: PoolContents = {
  byHash: PersistentMap.empty(),
  bySender: PersistentMap.empty(),
  arrivals: 0,
  newest: undefined,
}

export class Pool {
  #contents: PoolContents

  constructor(contents: PoolContents = NOTHING) {
    this.#contents = contents
  }

  get contents(): PoolContents {
    return this.#contents
  }

  restore(contents: PoolContents): void {
    this.#contents = contents
  }

  get size(): number {
    return this.#contents.byHash.size
  }

  get(hash: Hash): Transaction | undefined {
    return this.#contents.byHash.get(hash)?.transaction
  }

  of(sender: Address): readonly Pooled[] {
    return this.#contents.bySender.get(sender) ?? []
  }

  /** Returns the waiting transaction with the same sender and nonce, which `transaction` would replace. */
  rivalOf(transaction: Transaction): Transaction | undefined {
    return this.of(transaction.from).find((other) => other.transaction.nonce === transaction.nonce)
      ?.transaction
  }

  /** Adds a transaction that `admit` accepted. Replaces a transaction with the same sender and nonce. */
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
      newest: transaction,
    }
  }

  clear(): void {
    this.#contents = NOTHING
  }

  remove({ hash, from }: Transaction): void {
    const queue = this.of(from).filter((other) => other.transaction.hash !== hash)
    const { byHash, bySender, arrivals, newest } = this.#contents
    this.#contents = {
      byHash: byHash.delete(hash),
      bySender: queue.length === 0 ? bySender.delete(from) : bySender.set(from, queue),
      arrivals,
      newest,
    }
  }

  /** Returns the first nonce, from `nonce` on, that no waiting transaction of `sender` uses. */
  nextNonce(sender: Address, nonce: bigint): bigint {
    let next = nonce
    for (const { transaction } of this.of(sender)) {
      if (transaction.nonce === next) next++
    }
    return next
  }
}
