/**
 * Transactions that wait: accepted, in no block yet.
 *
 * The contents are an immutable value, so that a fork or a snapshot takes them along for a pointer. A sender's
 * transactions are held in the order of their nonces; those after a gap wait until it is filled.
 */
import type { Address, Hash } from '../model/bytes/hex.ts'
import { PersistentMap } from '../model/collections/persistentMap.ts'
import type { Transaction } from '../model/transaction/transaction.ts'

/** A waiting transaction and its place in the order of arrival. */
export interface Pooled {
  readonly transaction: Transaction
  readonly arrival: number
}

/** All that waits, as a value. */
export interface PoolContents {
  readonly byHash: PersistentMap<Pooled>
  /** By sender, in the order of nonces. */
  readonly bySender: PersistentMap<readonly Pooled[]>
  readonly arrivals: number
}

const NOTHING: PoolContents = {
  byHash: PersistentMap.empty(),
  bySender: PersistentMap.empty(),
  arrivals: 0,
}

export class Pool {
  #contents: PoolContents

  constructor(contents: PoolContents = NOTHING) {
    this.#contents = contents
  }

  /** What waits now, as a value that later changes leave alone. */
  get contents(): PoolContents {
    return this.#contents
  }

  /** Puts back what `contents` once was. */
  restore(contents: PoolContents): void {
    this.#contents = contents
  }

  get size(): number {
    return this.#contents.byHash.size
  }

  get(hash: Hash): Transaction | undefined {
    return this.#contents.byHash.get(hash)?.transaction
  }

  /** A sender's waiting transactions in the order of their nonces. */
  of(sender: Address): readonly Pooled[] {
    return this.#contents.bySender.get(sender) ?? []
  }

  /** The waiting transaction with the same sender and nonce, which a newcomer would replace. */
  rivalOf(transaction: Transaction): Transaction | undefined {
    return this.of(transaction.from).find((other) => other.transaction.nonce === transaction.nonce)
      ?.transaction
  }

  /** Takes a transaction in, in place of the one with its nonce. The caller has admitted it. */
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

  /** Lets all go. */
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

  /** The nonce after `nonce` and those waiting transactions of `sender` that follow it without a gap. */
  nextNonce(sender: Address, nonce: bigint): bigint {
    let next = nonce
    for (const { transaction } of this.of(sender)) {
      if (transaction.nonce === next) next++
    }
    return next
  }
}
