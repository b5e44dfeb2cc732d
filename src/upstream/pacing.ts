/** Pacing of the requests to a node: concurrency, rate limit, pauses, and the backoff between retries. */

/** Time and randomness, which tests replace. */
export interface UpstreamTime {
  /** Returns milliseconds since 1970: a `Retry-After` may be a date. */
  now(): number
  /** Calls `action` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void
  /** Returns a number from 0 to 1, excluding 1. */
  random(): number
}

export const REAL_TIME: UpstreamTime = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}

/** The maximum number of concurrent exchanges with one node. */
const MOST_AT_ONCE = 16

/** Admits exchanges: a token bucket for requests, a limit of concurrency, and pauses that the node asked for. */
export class Pacing {
  readonly #time: UpstreamTime
  readonly #perSecond: number
  #tokens: number
  #refilledMs: number
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #running = 0
  readonly #queue: (() => void)[] = []
  /** The queue for tokens: each exchange waits until the one before it has its tokens. */
  #turn: Promise<void> = Promise.resolve()

  /** The ends of running waits. */
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(time: UpstreamTime, requestsPerSecond: number) {
    this.#time = time
    this.#perSecond = requestsPerSecond
    this.#tokens = this.burst
    this.#refilledMs = time.now()
  }

  /** The maximum size of a batch. */
  get burst(): number {
    return Math.max(1, Math.floor(this.#perSecond))
  }

  /** Starts no exchange for `ms` milliseconds. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#time.now() + ms)
  }

  /** Runs `exchange`, of `requests` requests, once the limits allow it. */
  async run<T>(requests: number, exchange: () => Promise<T>): Promise<T> {
    await this.#slot()
    try {
      await this.#tokensFor(requests)
      return await exchange()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }

  async #slot(): Promise<void> {
    if (this.#running < MOST_AT_ONCE) this.#running++
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  /** Resolves after `ms` milliseconds, or on `close`. */
  wait(ms: number): Promise<void> {
    if (ms <= 0 || this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#ends.delete(end)
        resolve()
      }
      const cancel = this.#time.after(ms, end)
      this.#ends.add(end)
    })
  }

  close(): void {
    this.#isClosed = true
    for (const end of [...this.#ends]) end()
  }

  async #tokensFor(requests: number): Promise<void> {
    const isFree = this.#perSecond === Number.POSITIVE_INFINITY
    if (isFree && this.#pausedUntilMs <= this.#time.now()) return
    const before = this.#turn
    let done = () => {}
    this.#turn = new Promise((resolve) => {
      done = resolve
    })
    try {
      await before
      await this.wait(this.#pausedUntilMs - this.#time.now())
      if (isFree) return
      this.#refill()
      const missing = requests - this.#tokens
      // A negative balance makes the next exchange wait longer.
      this.#tokens -= requests
      if (missing > 0) await this.wait(Math.ceil((missing / this.#perSecond) * 1000))
    } finally {
      done()
    }
  }

  #refill(): void {
    const now = this.#time.now()
    const gained = ((now - this.#refilledMs) / 1000) * this.#perSecond
    this.#tokens = Math.min(this.burst, this.#tokens + gained)
    this.#refilledMs = now
  }
}

/** The maximum wait between two attempts. A node that asks for a longer one, such as a day, is not asked again. */
export const LONGEST_WAIT_MS = 60_000
const LONGEST_BACKOFF_MS = 10_000

/**
 * Returns the wait before a retry: exponential, with jitter of up to a half, so that processes do not retry in step.
 */
export function backoffMs(firstMs: number, failures: number, chance: number): number {
  const whole = Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** (failures - 1))
  return Math.round(whole * (0.5 + chance / 2))
}
