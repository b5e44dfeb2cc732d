/** Checks arguments at run time, because plain JavaScript callers have no type checks. */
import { callSite, thrownAt } from './callSite.ts'
import { proposal } from './text.ts'

/** Returns whether a value is an object with named members: neither `null` nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type KnownNames = ReadonlySet<string>

/** Returns the names of all members of `T`. The compiler reports missing and unknown names. */
export function namesOf<T>(names: Readonly<Record<keyof T & string, true>>): KnownNames {
  return new Set(Object.keys(names))
}

export interface OtherNames {
  /** Names that are accepted but have no effect. No error message proposes these names. */
  readonly ignored?: KnownNames | undefined
  /** Names that other libraries use, each with the text that the error message proposes instead. */
  readonly instead?: ReadonlyMap<string, string> | undefined
}

/** Throws a `TypeError`, with a proposal, for a member of `given` that is neither known, ignored nor `undefined`. */
export function requireKnown(what: string, given: object, known: KnownNames, others: OtherNames = {}): void {
  for (const name in given) {
    if (known.has(name) || (given as Record<string, unknown>)[name] === undefined) continue
    if (others.ignored?.has(name)) continue
    const meant = others.instead?.get(name) ?? proposal(name, known)
    throw new TypeError(`${what}: ${name}: there is no such field; ${meant}`)
  }
}

/** Throws a `TypeError` with the stack of `callee`'s caller unless `given` is an object with only `known` members. */
export function requireOptions(
  what: string,
  given: unknown,
  known: KnownNames,
  callee: (...args: never[]) => unknown = requireOptions,
): void {
  try {
    checkOptions(what, given, known)
  } catch (error) {
    throw thrownAt(callSite(callee), error)
  }
}

function checkOptions(what: string, given: unknown, known: KnownNames): void {
  if (given === undefined) return
  if (typeof given !== 'object' || given === null) {
    const members = [...known].join(', ')
    throw new TypeError(
      `${what}: expected an object {${members}}, got ${given === null ? 'null' : typeof given}`,
    )
  }
  requireKnown(what, given, known)
}

/** A length of time: the sum of its members. `{ days: 1, hours: 12 }` is a day and a half. */
export interface Duration {
  /** Weeks of 7 days. */
  readonly weeks?: number | undefined
  /** Days of 86,400 seconds. */
  readonly days?: number | undefined
  /** Hours of 3,600 seconds. */
  readonly hours?: number | undefined
  /** Minutes of 60 seconds. */
  readonly minutes?: number | undefined
  /** Seconds; fractions are allowed. */
  readonly seconds?: number | undefined
  /** Milliseconds; fractions are allowed. */
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

const UNITS: KnownNames = new Set(Object.keys(UNITS_MS))

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
