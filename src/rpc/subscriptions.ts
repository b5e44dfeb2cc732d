/**
 * The subscriptions of one connection, whatever carries it: who made them is given `deliver`, and gets each result under
 * its subscription's id. They last until they are ended, or the connection is.
 */
import { encodeQuantity } from '../wire/hex.ts'
import type { Feed, Feeds } from './feeds.ts'
import { Problem } from './problem.ts'

/** More than any client needs; a loop that subscribes and never ends must not fill the memory. */
const MAX_SUBSCRIPTIONS = 1_000

/** Takes the JSON of one result to whoever holds the connection. */
export type Deliver = (id: string, result: string) => void

interface Subscription {
  /** What came before its id was answered; `undefined` once that is done. */
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

  /** Subscribes to `feed` and answers the id. What comes is held back until `answered` says that the id is out. */
  add(feed: Feed): string {
    if (this.#held.size >= MAX_SUBSCRIPTIONS) {
      throw new Problem({ kind: 'tooManySubscriptions', limit: MAX_SUBSCRIPTIONS })
    }
    const id = this.#feeds.newId()
    const name = encodeQuantity(id)
    // A message of a connection that has ended meanwhile is still answered, to nobody.
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

  /** Whether there was such a subscription to end. */
  remove(id: bigint): boolean {
    this.#held.get(id)?.end()
    return this.#held.delete(id)
  }

  /**
   * To be called right after a message was handed to the dispatcher, which subscribes at once: answers what to call when
   * the reply has left, if there is anything to call. No notification leaves before the reply that carries its
   * subscription's id (invariant 5).
   */
  answered(): (() => void) | undefined {
    if (this.#unanswered.length === 0) return undefined
    const ids = this.#unanswered
    this.#unanswered = []
    return () => {
      for (const id of ids) this.#release(id)
    }
  }

  /** Ends all of them, and lets no new ones in. */
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

/** The message that tells a subscriber a result. */
export function notification(id: string, result: string): string {
  return `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${id}","result":${result}}}`
}
