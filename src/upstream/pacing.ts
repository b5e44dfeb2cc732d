/** Decides when the next exchange with a node may begin: how many run at once, how many requests a second, pauses. */
import type { UpstreamTime } from './time.ts'

/** The most exchanges with one node at the same time. */
export const MOST_AT_ONCE = 16

/** Waits of a process that end at once when it is over. */
export class Waits {
  readonly #time: UpstreamTime
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(time: UpstreamTime) {
    this.#time = time
  }

  /** Resolves after `ms` milliseconds, or when the waits are closed. */
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
}

/** Admits exchanges: a token bucket for requests, a limit of those at the same time, and pauses that the node asked for. */
export class Pacing {
  readonly #time: UpstreamTime
  readonly #waits: Waits
  readonly #perSecond: number
  #tokens: number
  #refilledMs: number
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #running = 0
  readonly #queue: (() => void)[] = []
  /** The order of those that wait for tokens: each begins to wait after the one before it has its own. */
  #turn: Promise<void> = Promise.resolve()

  constructor(time: UpstreamTime, waits: Waits, requestsPerSecond: number) {
    this.#time = time
    this.#waits = waits
    this.#perSecond = requestsPerSecond
    this.#tokens = this.burst
    this.#refilledMs = time.now()
  }

  /** The most requests that may go together. */
  get burst(): number {
    return Math.max(1, Math.floor(this.#perSecond))
  }

  /** Begins no exchange for `ms` milliseconds: the node asked for that. */
  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#time.now() + ms)
  }

  /** Runs `exchange`, of `requests` requests, when the node may be asked. */
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

  /** Resolves when fewer than `MOST_AT_ONCE` exchanges run; the next one takes the place. */
  async #slot(): Promise<void> {
    if (this.#running < MOST_AT_ONCE) this.#running++
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
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
      await this.#waits.wait(this.#pausedUntilMs - this.#time.now())
      if (isFree) return
      this.#refill()
      const missing = requests - this.#tokens
      // The tokens may go below zero: then the next one waits longer.
      this.#tokens -= requests
      if (missing > 0) await this.#waits.wait(Math.ceil((missing / this.#perSecond) * 1000))
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

/** The longest wait between two attempts. A node that wants a longer one, such as a day, is not asked again. */
export const LONGEST_WAIT_MS = 60_000
/** The longest wait that is chosen here. */
const LONGEST_BACKOFF_MS = 10_000

/**
 * Returns the wait before the attempt after `failures` failed ones: it doubles each time, and between a half and the
 * whole of it is taken, so that many processes do not come back together.
 */
export function backoffMs(firstMs: number, failures: number, chance: number): number {
  const whole = Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** (failures - 1))
  return Math.round(whole * (0.5 + chance / 2))
}
