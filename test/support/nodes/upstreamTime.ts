/** Time of the requests to another node, in tests: no test waits for a clock. */
import type { UpstreamTime } from '../../../src/upstream/pacing.ts'

/** Time in which each wait is over at the next turn of the event loop, and no timeout is ever reached. */
export interface EagerTime extends UpstreamTime {
  /** The waits so far, in milliseconds. */
  readonly waits: number[]
}

/** Timeouts of tests with `eagerTime` are at least this long; all other waits are shorter. */
export const NEVER_MS = 10_000_000

export function eagerTime(chance: () => number = () => 0): EagerTime {
  let nowMs = 1_700_000_000_000
  const waits: number[] = []
  return {
    waits,
    now: () => nowMs,
    after(ms, action) {
      if (ms >= NEVER_MS) return () => {}
      waits.push(ms)
      const turn = setImmediate(() => {
        nowMs += ms
        action()
      })
      return () => clearImmediate(turn)
    },
    random: chance,
  }
}

/** Time that goes on when the test says so. */
export interface SteppedTime extends UpstreamTime {
  /** The timers that wait, by the milliseconds that they were given. */
  readonly pending: readonly number[]
  /** Fires the timer that is due first. */
  fire(): void
}

export function steppedTime(): SteppedTime {
  let nowMs = 1_700_000_000_000
  const timers: { readonly ms: number; readonly atMs: number; readonly action: () => void }[] = []
  return {
    get pending() {
      return timers.map(({ ms }) => ms)
    },
    now: () => nowMs,
    after(ms, action) {
      const timer = { ms, atMs: nowMs + ms, action }
      timers.push(timer)
      return () => {
        const at = timers.indexOf(timer)
        if (at !== -1) timers.splice(at, 1)
      }
    },
    fire() {
      timers.sort((a, b) => a.atMs - b.atMs)
      const next = timers.shift()
      if (next === undefined) throw new Error('no timer waits')
      nowMs = next.atMs
      next.action()
    },
    random: () => 0,
  }
}
