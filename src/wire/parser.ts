/**
 * Parsers: from what JSON brought to what the inside works with.
 *
 * A parser gives back a better type or throws `InvalidValue`, which says where the value stood, what came and what
 * would be right. They are strict: a value that only looks right is refused here, so that nothing behind checks again.
 */

/** An object of JSON. */
export type JsonObject = Record<string, unknown>

/** Makes a `T` of a value that stands at `path`, or throws `InvalidValue`. */
export type Parser<T> = (value: unknown, path: string) => T

/** A value from outside that cannot be used. */
export class InvalidValue extends Error {
  readonly path: string
  readonly expected: string
  readonly value: unknown

  constructor(path: string, expected: string, value: unknown) {
    super(`${path}: expected ${expected}, got ${shown(value)}`)
    this.path = path
    this.expected = expected
    this.value = value
  }
}

/** Values that are each right but contradict each other. geth answers these with another code. */
export class ConflictingValues extends Error {
  readonly kind: 'fees' | 'input'

  constructor(kind: 'fees' | 'input', path: string) {
    super(`${path}: ${CONFLICTS[kind]}`)
    this.kind = kind
  }
}

const CONFLICTS = {
  fees: 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified; give one kind of fee',
  input: 'both "data" and "input" are set and not equal; give one of them, or the same bytes in both',
}

/** A value as an error message shows it: its JSON, cut where it gets long. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  // In process anything may come; JSON has none of these.
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const json = JSON.stringify(value) ?? typeof value
  return json.length > 80 ? `${json.slice(0, 77)}…"` : json
}

/** `null` and nothing are `undefined`; anything else goes to `parse`. */
export function optional<T>(parse: Parser<T>): Parser<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : parse(value, path))
}

/** `null` and nothing are `fallback`. */
export function withDefault<T>(parse: Parser<T>, fallback: T): Parser<T> {
  return (value, path) => (value === undefined || value === null ? fallback : parse(value, path))
}

/** Each item of an array. */
export function arrayOf<T>(parse: Parser<T>, what = 'an array'): Parser<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new InvalidValue(path, what, value)
    return value.map((item, index) => parse(item, `${path}[${index}]`))
  }
}

/** An object whose members have any names. */
export function entriesOf(value: unknown, path: string, what: string): [string, unknown][] {
  return Object.entries(recordOf(value, path, what))
}

/** An object, as it came. */
export function recordOf(value: unknown, path: string, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidValue(path, what, value)
  }
  return value as Record<string, unknown>
}

/** true or false. */
export const boolean: Parser<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new InvalidValue(path, 'true or false', value)
  return value
}

export const text: Parser<string> = (value, path) => {
  if (typeof value !== 'string') throw new InvalidValue(path, 'a text', value)
  return value
}

/** Whatever came, looked at by somebody else or by nobody. */
export const anything: Parser<unknown> = (value) => value
