/** The clock and the source of randomness. Tests replace them. */
export interface UpstreamTime {
  now(): number
  /** Calls `action` once, after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, action: () => void): () => void
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

const MOST_AT_ONCE = 16

/** Delays exchanges with a node by a token bucket, a limit of concurrent exchanges, and pauses that a node requests. */
export class Pacing {
  readonly #time: UpstreamTime
  readonly #perSecond: number
  #tokens: number
  #refilledMs: number
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #running = 0
  readonly #queue: (() => void)[] = []
  /** Resolves when the previous exchange has its tokens. Exchanges receive tokens one after the other. */
  #turn: Promise<void> = Promise.resolve()

  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(time: UpstreamTime, requestsPerSecond: number) {
    this.#time = time
    this.#perSecond = requestsPerSecond
    this.#tokens = this.burst
    this.#refilledMs = time.now()
  }

  get burst(): number {
    return Math.max(1, Math.floor(this.#perSecond))
  }

  pause(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#time.now() + ms)
  }

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
      // The number of tokens may become negative, so that the next exchange waits longer.
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

/** The maximum wait between attempts. If a node requests a longer wait, such as a day, the request fails instead. */
export const LONGEST_WAIT_MS = 60_000
const LONGEST_BACKOFF_MS = 10_000

/** Returns the milliseconds before a retry. Random jitter keeps processes from retrying at the same time. */
export function backoffMs(firstMs: number, failures: number, chance: number): number {
  const whole = Math.min(LONGEST_BACKOFF_MS, firstMs * 2 ** (failures - 1))
  return Math.round(whole * (0.5 + chance / 2))
}
