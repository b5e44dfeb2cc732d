/** Lengths of time in the options of tests and helpers. */
import { namesOf, requireOptions } from './knownNames.ts'

/** A length of time: the sum of its members. `{ days: 1, hours: 12 }` is a day and a half. */
export interface Duration {
  /** 7 days each. */
  readonly weeks?: number | undefined
  /** 86,400 seconds each. */
  readonly days?: number | undefined
  /** 3,600 seconds each. */
  readonly hours?: number | undefined
  /** 60 seconds each. */
  readonly minutes?: number | undefined
  /** Seconds, which may be fractions. */
  readonly seconds?: number | undefined
  /** Milliseconds. */
  readonly ms?: number | undefined
}

const UNITS_MS: Readonly<Record<keyof Duration, number>> = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  ms: 1,
}

const UNITS = namesOf<Duration>({
  weeks: true,
  days: true,
  hours: true,
  minutes: true,
  seconds: true,
  ms: true,
})

/**
 * Returns a length of time in milliseconds. Throws a `TypeError` for an unknown unit, and a `RangeError` for a value
 * that is not a number of at least 0. `what` is the name of the function in the error message.
 */
export function durationMs(what: string, duration: Duration): number {
  requireOptions(what, duration ?? null, UNITS)
  let sumMs = 0
  let isGiven = false
  for (const [unit, unitMs] of Object.entries(UNITS_MS)) {
    const value: unknown = duration[unit as keyof Duration]
    if (value === undefined) continue
    isGiven = true
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      const name = unit === 'ms' ? 'milliseconds' : unit
      throw new RangeError(`${what}: expected ${name} of at least 0, got ${String(value)}`)
    }
    sumMs += value * unitMs
  }
  if (!isGiven) throw new TypeError(`${what}: expected a length of time, such as { days: 7 }, got none`)
  return sumMs
}
