/** Checks the names of members that JavaScript callers pass: an unknown name is refused, as TypeScript refuses it. */
import { callSite, thrownAt } from './callSite.ts'

/** The names that a function reads. */
export type KnownNames = ReadonlySet<string>

/** Returns the names of all members of `T`. The compiler reports names that are missing or unknown. */
export function namesOf<T>(names: Readonly<Record<keyof T & string, true>>): KnownNames {
  return new Set(Object.keys(names))
}

/** What is said about names that a function does not read. */
export interface OtherNames {
  /** Names that the function ignores, and that no message proposes. */
  readonly ignored?: KnownNames | undefined
  /** Names of other libraries, each with its replacement. */
  readonly instead?: ReadonlyMap<string, string> | undefined
}

/**
 * Throws a `TypeError` for a member of `given` that is not in `known`, unless its value is `undefined` or it is
 * ignored. The message proposes the replacement in `instead`, or the nearest known name.
 */
export function requireKnown(what: string, given: object, known: KnownNames, others: OtherNames = {}): void {
  for (const name in given) {
    if (known.has(name) || (given as Record<string, unknown>)[name] === undefined) continue
    if (others.ignored?.has(name)) continue
    const meant = others.instead?.get(name) ?? proposal(name, known)
    throw new TypeError(`${what}: ${name}: there is no such field; ${meant}`)
  }
}

/**
 * Throws a `TypeError` if `given` is not an object, or has a member that is not in `known`. Its stack trace begins at
 * the line that called `callee`, a function that is running.
 */
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

/** Returns a proposal such as `did you mean until?`, or a list of all names if none is near. */
export function proposal(name: string, known: Iterable<string>): string {
  const names = [...known]
  const close = nearest(name, names)
  return close === undefined ? `known are ${names.join(', ')}` : `did you mean ${close}?`
}

/**
 * Returns the name in `names` that `written` begins, if there is only one; otherwise the nearest, if it is close enough
 * to be a typing error.
 */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const lower = written.toLowerCase()
  const [longer, ...others] = names.filter((name) => name.toLowerCase().startsWith(lower))
  if (longer !== undefined && others.length === 0 && lower.length >= MIN_PREFIX) return longer
  const limit = Math.max(2, written.length / 3)
  const [best] = names
    .filter((name) => Math.abs(name.length - written.length) <= limit)
    .map((name) => ({ name, distance: distance(lower, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= limit ? best.name : undefined
}

/** Fewer letters say too little to complete a name. */
const MIN_PREFIX = 3

/** Returns the number of letters to insert, delete or replace (Levenshtein distance). */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
