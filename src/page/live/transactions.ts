import type { Hex } from '../../bytes/hex.ts'
import type { RpcFoundTransaction } from '../../wire/transactionSearch.ts'
import { numberOf } from '../format.ts'
import type { Requester } from '../source/source.ts'
import type { PresealEvent } from './events.ts'

export type LiveState = 'waiting' | 'preconfirmed' | 'sealed' | 'dropped' | 'reorged'

interface Sent {
  readonly from: string
  readonly to: string | null
}

export interface LiveTransaction {
  readonly hash: string
  /** Absent if the chain itself added the transaction to a block, such as a deposit. */
  readonly sent?: Sent
  state: LiveState
  /** When the transaction was accepted or first reported, in milliseconds of the devnet's clock. */
  readonly firstMs: number
  sinceMs: number
  block?: number
  slice?: number
  hasFailed?: boolean
  reason?: string
  replacedBy?: string | undefined
}

/** If there are more than `MOST` transactions, the oldest are removed until `KEPT` remain. */
const MOST = 6_000
const KEPT = 5_000
/** Maximum number of transactions listed for each state. */
const MOST_OF_STATE = 200

export class LiveTransactions {
  /** Transactions, keyed by hash, oldest first. */
  readonly all = new Map<string, LiveTransaction>()
  #newest = emptyNewest()
  #open = new Set<LiveTransaction>()

  /** Returns at most `most` transactions in `state`. The transaction that entered the state last comes first. */
  newest(state: LiveState, most: number): LiveTransaction[] {
    const found = new Set<LiveTransaction>()
    const of = this.#newest[state]
    for (let i = of.length - 1; i >= 0 && found.size < most; i--) {
      if (of[i]!.state === state) found.add(of[i]!)
    }
    return [...found]
  }

  waiting(): LiveTransaction[] {
    return [...this.all.values()].filter(({ state }) => state === 'waiting')
  }

  /** Adds transactions that the chain had before, newest first. Those that events have reported stay as they are. */
  addFound(found: readonly RpcFoundTransaction[], nowMs: number): void {
    for (const { hash, from, to, state, blockNumber, timestamp, reason } of found) {
      if (this.all.has(hash)) continue
      const atMs = timestamp === null ? nowMs : numberOf(timestamp) * 1_000
      const transaction: LiveTransaction = {
        hash,
        sent: { from, to },
        state: state === 'failed' ? 'sealed' : state,
        firstMs: atMs,
        sinceMs: atMs,
        hasFailed: state === 'failed',
        ...(blockNumber !== null && { block: numberOf(blockNumber) }),
        ...(reason !== null && { reason }),
      }
      this.all.set(hash, transaction)
      this.#newest[transaction.state].unshift(transaction)
      if (state === 'preconfirmed') this.#open.add(transaction)
    }
  }

  addWaiting(hash: string, sent: Sent, firstMs: number): void {
    if (!this.all.has(hash)) this.#add({ hash, sent, state: 'waiting', firstMs, sinceMs: firstMs })
  }

  apply(event: PresealEvent): void {
    const { time } = event
    switch (event.kind) {
      case 'accepted': {
        const { hash, from, to } = event
        this.all.delete(hash)
        this.#add({ hash, sent: { from, to }, state: 'waiting', firstMs: time, sinceMs: time })
        break
      }
      case 'preconfirmed':
      case 'revealed': {
        const place = { block: numberOf(event.blockNumber), slice: numberOf(event.slice) }
        const failed = new Set<string>(event.failed)
        for (const hash of event.transactions) {
          const known = this.all.get(hash)
          // A `revealed` event repeats transactions that earlier events reported.
          if (event.kind === 'revealed' && known?.state === 'preconfirmed' && known.block === place.block)
            continue
          this.#move(hash, 'preconfirmed', time, { ...place, hasFailed: failed.has(hash) })
        }
        break
      }
      case 'sealed': {
        const block = numberOf(event.blockNumber)
        const failed = new Set<string>(event.failed)
        // The unknown transactions of a huge block are not added, because they would displace known ones.
        const hasMore = event.transactions.length > KEPT
        for (const hash of event.transactions) {
          if (!hasMore || this.all.has(hash))
            this.#move(hash, 'sealed', time, { block, hasFailed: failed.has(hash) })
        }
        this.#closeBlock(time)
        break
      }
      case 'dropped': {
        const { hash, reason, replacedBy } = event
        this.#move(hash, 'dropped', time, { reason, replacedBy })
        break
      }
      case 'reorged':
        for (const { blockNumber, transactions } of event.blocks) {
          for (const hash of transactions) this.#move(hash, 'reorged', time, { block: numberOf(blockNumber) })
        }
        this.#closeBlock(time)
        break
      case 'restored':
        this.all.clear()
        this.#newest = emptyNewest()
        this.#open.clear()
        break
    }
  }

  /** Makes unsealed transactions of the open block wait again. Removes those that the chain itself had added. */
  #closeBlock(time: number): void {
    for (const transaction of this.#open) {
      if (transaction.state !== 'preconfirmed') continue
      transaction.sinceMs = time
      transaction.state = transaction.sent === undefined ? 'dropped' : 'waiting'
      if (transaction.sent === undefined) this.all.delete(transaction.hash)
    }
    this.#open.clear()
  }

  #move(hash: string, state: LiveState, time: number, more: Partial<LiveTransaction>): void {
    const known = this.all.get(hash)
    if (known === undefined) {
      this.#add({ hash, state, firstMs: time, sinceMs: time, ...more })
      return
    }
    Object.assign(known, { state, sinceMs: time, ...more })
    this.#note(known)
  }

  #add(transaction: LiveTransaction): void {
    this.all.set(transaction.hash, transaction)
    this.#note(transaction)
    if (this.all.size > MOST) this.#forget()
  }

  #note(transaction: LiveTransaction): void {
    if (transaction.state === 'preconfirmed') this.#open.add(transaction)
    const of = this.#newest[transaction.state]
    of.push(transaction)
    if (of.length > 2 * MOST_OF_STATE) of.splice(0, of.length - MOST_OF_STATE)
  }

  /** Removes the oldest transactions. Waiting transactions are removed only if no others are left. */
  #forget(): void {
    for (const isKept of [({ state }: LiveTransaction) => state === 'waiting', () => false]) {
      for (const [hash, transaction] of this.all) {
        if (this.all.size <= KEPT) return
        if (!isKept(transaction)) this.all.delete(hash)
      }
    }
  }
}

function emptyNewest(): Record<LiveState, LiveTransaction[]> {
  return { waiting: [], preconfirmed: [], sealed: [], dropped: [], reorged: [] }
}

const NONE = { accepted: 0, preconfirmed: 0, sealed: 0, dropped: 0 }

export type Counts = typeof NONE

/** Number of seconds over which rates are averaged. */
const SECONDS = 5

export class Rates {
  readonly #seconds = new Map<number, Counts>()

  apply(event: PresealEvent, pageMs: number): void {
    switch (event.kind) {
      case 'accepted':
      case 'dropped':
        this.#at(pageMs)[event.kind]++
        break
      case 'preconfirmed':
      case 'sealed':
        this.#at(pageMs)[event.kind] += event.transactions.length
        break
    }
  }

  /** Returns the average rates over the last full seconds. `pageMs` counts from the opening of the page. */
  at(pageMs: number): Counts {
    const now = Math.floor(pageMs / 1_000)
    const rates = { ...NONE }
    const seconds = Math.max(1, Math.min(SECONDS, now))
    for (let second = now - SECONDS; second < now; second++) {
      const counts = this.#seconds.get(second) ?? NONE
      for (const kind of KINDS) rates[kind] += counts[kind] / seconds
    }
    return rates
  }

  #at(pageMs: number): Counts {
    const second = Math.floor(pageMs / 1_000)
    const counts = this.#seconds.get(second) ?? { ...NONE }
    this.#seconds.set(second, counts)
    if (this.#seconds.size > SECONDS + 1) this.#seconds.delete(this.#seconds.keys().next().value!)
    return counts
  }
}

const KINDS = Object.keys(NONE) as (keyof Counts)[]

/** The result of `preseal_getWaiting`. */
interface WaitingPage {
  readonly total: Hex
  readonly transactions: readonly {
    readonly hash: string
    readonly from: string
    readonly to: string | null
    /** In milliseconds of the devnet's clock. */
    readonly since: number | null
    readonly reason: string
  }[]
}

/** Resolves to at most `limit` waiting transactions, in the order of arrival. With `after`, begins after that hash. */
export function waitingOf(from: Requester, limit: number, after?: string): Promise<WaitingPage> {
  return from.request('preseal_getWaiting', [{ limit, ...(after !== undefined && { after }) }])
}

export type State = LiveState | 'accepted' | 'failed'
