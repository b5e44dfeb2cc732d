import { encodeQuantity } from '../wire/hex.ts'
import { Problem } from './errors/problem.ts'
import type { Feed, Feeds } from './feeds.ts'

/** Limits the memory that a client can fill by subscribing in a loop without unsubscribing. */
const MAX_SUBSCRIPTIONS = 1_000

export type Deliver = (id: string, result: string) => void

interface Subscription {
  /** Results to send after the response with the id; `undefined` once that response has been sent. */
  waiting: string[] | undefined
  end: () => void
}

export class Subscriptions {
  readonly #feeds: Feeds
  readonly #deliver: Deliver
  readonly #held = new Map<bigint, Subscription>()
  #unanswered: bigint[] = []
  #isClosed = false

  constructor(feeds: Feeds, deliver: Deliver) {
    this.#feeds = feeds
    this.#deliver = deliver
  }

  get isEmpty(): boolean {
    return this.#held.size === 0
  }

  /** Subscribes to `feed` and returns the id. Holds results back until the response with the id has been sent. */
  add(feed: Feed): string {
    if (this.#held.size >= MAX_SUBSCRIPTIONS) {
      throw new Problem({ kind: 'tooManySubscriptions', limit: MAX_SUBSCRIPTIONS })
    }
    const id = this.#feeds.newId()
    const name = encodeQuantity(id)
    // A request on a closed connection still gets a result, which is not sent.
    if (this.#isClosed) return name
    const subscription: Subscription = { waiting: [], end: () => {} }
    subscription.end = feed((result) => {
      if (subscription.waiting === undefined) this.#deliver(name, result)
      else subscription.waiting.push(result)
    })
    this.#held.set(id, subscription)
    this.#unanswered.push(id)
    return name
  }

  remove(id: bigint): boolean {
    this.#held.get(id)?.end()
    return this.#held.delete(id)
  }

  /** Returns a function that sends held notifications, to call after the response; `undefined` without a new subscription. */
  answered(): (() => void) | undefined {
    if (this.#unanswered.length === 0) return undefined
    const ids = this.#unanswered
    this.#unanswered = []
    return () => {
      for (const id of ids) this.#release(id)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const id of [...this.#held.keys()]) this.remove(id)
  }

  #release(id: bigint): void {
    const subscription = this.#held.get(id)
    const waiting = subscription?.waiting ?? []
    if (subscription !== undefined) subscription.waiting = undefined
    for (const result of waiting) this.#deliver(encodeQuantity(id), result)
  }
}

export function notification(id: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`
}
