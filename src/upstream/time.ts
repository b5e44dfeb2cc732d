/** Time and chance of the requests to another node, which tests replace. */

export interface UpstreamTime {
  /** Returns milliseconds since 1970: a `Retry-After` may be a date. */
  now(): number
  /** Calls `action` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, action: () => void): () => void
  /** Returns a number from 0 to 1, without 1. */
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
