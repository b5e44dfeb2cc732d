import type { RpcFoundTransaction } from '../../wire/transactionSearch.ts'
import { numberOf } from '../format.ts'
import type { BlockChange, PresealEvent } from './events.ts'

export type LiveState = 'waiting' | 'preconfirmed' | 'sealed' | 'dropped' | 'reorged'

export interface LiveTransaction {
  readonly hash: string
  /** Whether the chain itself added the transaction to a block, as on layer 2. */
  isDeposit?: boolean
  state: LiveState
  /** When the transaction was accepted or first reported, in milliseconds of the devnet's clock. */
  readonly firstMs: number
  hasFailed?: boolean
}

/** If there are more than `MOST` transactions, the oldest are removed until `KEPT` remain. */
const MOST = 6_000
const KEPT = 5_000

export class LiveTransactions {
  /** Transactions, keyed by hash, oldest first. */
  readonly all = new Map<string, LiveTransaction>()
  #open = new Set<LiveTransaction>()

  /** Adds transactions that were sent before the page was opened. Does not change transactions known from events. */
  addFound(found: readonly RpcFoundTransaction[], nowMs: number): void {
    for (const { hash, state, timestamp, since } of found) {
      if (this.all.has(hash)) continue
      const transaction: LiveTransaction = {
        hash,
        state: state === 'failed' ? 'sealed' : state,
        firstMs: timestamp === null ? (since ?? nowMs) : numberOf(timestamp) * 1_000,
        hasFailed: state === 'failed',
      }
      this.all.set(hash, transaction)
      if (state === 'preconfirmed') this.#open.add(transaction)
    }
  }

  apply(event: PresealEvent): void {
    const { time } = event
    switch (event.kind) {
      case 'accepted': {
        const { hash } = event
        this.all.delete(hash)
        this.#add({ hash, state: 'waiting', firstMs: time })
        break
      }
      case 'preconfirmed':
      case 'revealed':
        for (const transaction of this.#include(event, 'preconfirmed')) this.#open.add(transaction)
        break
      case 'sealed':
        this.#include(event, 'sealed')
        this.#closeBlock()
        break
      case 'dropped':
        this.#move(event.hash, 'dropped', time)
        break
      case 'reorged':
        for (const { transactions } of event.blocks)
          for (const hash of transactions) this.#move(hash, 'reorged', time)
        this.#closeBlock()
        break
      case 'restored':
        this.all.clear()
        this.#open.clear()
        break
    }
  }

  #include(event: BlockChange & { readonly time: number }, state: LiveState): readonly LiveTransaction[] {
    const { transactions, block } = event
    const failed = new Set<string>(event.failed)
    // Deposits begin the block, so only an event with all of its transactions contains them.
    const isWhole = transactions.length === numberOf(block.transactionCount)
    const deposits = new Set<string>(isWhole ? transactions.slice(0, numberOf(block.depositCount)) : [])
    // Of a huge block, transactions that `all` lacks are not added: they would displace those in `all`.
    const isHuge = transactions.length > KEPT
    return transactions
      .filter((hash) => !isHuge || this.all.has(hash))
      .map((hash) =>
        this.#move(hash, state, event.time, { hasFailed: failed.has(hash), isDeposit: deposits.has(hash) }),
      )
  }

  /** Makes unsealed transactions of the open block wait again, and removes unsealed deposits. */
  #closeBlock(): void {
    for (const transaction of this.#open) {
      if (transaction.state !== 'preconfirmed') continue
      transaction.state = 'waiting'
      if (transaction.isDeposit) this.all.delete(transaction.hash)
    }
    this.#open.clear()
  }

  #move(hash: string, state: LiveState, firstMs: number, more?: Partial<LiveTransaction>): LiveTransaction {
    const known = this.all.get(hash)
    return known === undefined
      ? this.#add({ hash, state, firstMs, ...more })
      : Object.assign(known, { state, ...more })
  }

  #add(transaction: LiveTransaction): LiveTransaction {
    this.all.set(transaction.hash, transaction)
    if (this.all.size > MOST) this.#forget()
    return transaction
  }

  /** Removes the oldest transactions. Removes waiting transactions only if no other transactions are left. */
  #forget(): void {
    for (const isKept of [({ state }: LiveTransaction) => state === 'waiting', () => false]) {
      for (const [hash, transaction] of this.all) {
        if (this.all.size <= KEPT) return
        if (!isKept(transaction)) this.all.delete(hash)
      }
    }
  }
}

export type State = LiveState | 'accepted' | 'failed'
