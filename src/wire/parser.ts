/**
 * Parsers of JSON values. A parser returns a value of a more precise type, or throws `InvalidValue` with the path of
 * the value, the expected form and the received value. Later code need not check values again.
 */

export type JsonObject = Record<string, unknown>

export type Parser<T> = (value: unknown, path: string) => T

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

/** Thrown when valid values contradict each other. geth uses another error code for this than for invalid values. */
export class ConflictingValues extends Error {
  /** The member that must not be given beside `gasPrice`, or `data`. */
  readonly kind: keyof typeof CONFLICTS

  constructor(kind: keyof typeof CONFLICTS, path: string) {
    super(`${path}: ${CONFLICTS[kind]}`)
    this.kind = kind
  }
}

const TWO_KINDS_OF_FEE =
  'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified; give one kind of fee'

const CONFLICTS = {
  maxFeePerGas: TWO_KINDS_OF_FEE,
  maxPriorityFeePerGas: TWO_KINDS_OF_FEE,
  input: 'both "data" and "input" are set and not equal; give one of them, or the same bytes in both',
}

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  // A request from the same process may contain bigints, which JSON cannot represent.
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  const json = JSON.stringify(value) ?? typeof value
  return json.length > 80 ? `${json.slice(0, 77)}…"` : json
}

export function optional<T>(parse: Parser<T>): Parser<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : parse(value, path))
}

/** Parses the member `name`. The caller reads `value`, because V8 reads `record.gas` faster than `record[name]`. */
export function parsedMember<T>(value: unknown, name: string, path: string, parse: Parser<T>): T | undefined {
  // The path is built only if the member is present, because most are absent.
  return value === undefined || value === null ? undefined : parse(value, `${path}.${name}`)
}

export function withDefault<T>(parse: Parser<T>, fallback: T): Parser<T> {
  return (value, path) => (value === undefined || value === null ? fallback : parse(value, path))
}

export function oneOf<const T>(known: readonly T[]): Parser<T> {
  return (value, path) => {
    const found = known.find((one) => one === value)
    if (found === undefined) throw new InvalidValue(path, `one of ${known.join(', ')}`, value)
    return found
  }
}

export function arrayOf<T>(parse: Parser<T>, what = 'an array'): Parser<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw new InvalidValue(path, what, value)
    return value.map((item, index) => parse(item, `${path}[${index}]`))
  }
}

export function entriesOf(value: unknown, path: string, what: string): [string, unknown][] {
  return Object.entries(recordOf(value, path, what))
}

export function recordOf(value: unknown, path: string, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidValue(path, what, value)
  }
  return value as Record<string, unknown>
}

export const boolean: Parser<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new InvalidValue(path, 'true or false', value)
  return value
}

export function integer(min: number, max: number, expected: string): Parser<number> {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max) {
      throw new InvalidValue(path, expected, value)
    }
    return value
  }
}

/** Parses a count, which geth's debug methods and Parity's trace methods take as a JSON number. */
export const parseCount: Parser<number> = integer(0, Number.MAX_SAFE_INTEGER, 'a whole number from 0 on')

export const text: Parser<string> = (value, path) => {
  if (typeof value !== 'string') throw new InvalidValue(path, 'a text', value)
  return value
}

export const anything: Parser<unknown> = (value) => value

/** Returns the members of an object. Throws `InvalidValue` for a member that neither `members` nor `others` has. */
export function membersOf(
  record: Record<string, unknown>,
  members: Readonly<Record<string, Parser<unknown>>>,
  path: string,
  others: readonly string[] = [],
): Record<string, unknown> {
  const known = [...Object.keys(members), ...others]
  const unknown = Object.keys(record).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const names = known.length === 0 ? 'no members' : `one of the members ${known.join(', ')}`
    throw new InvalidValue(`${path}.${unknown}`, names, record[unknown])
  }
  const parsed = Object.entries(members).map(([name, parse]) => [
    name,
    parse(record[name], `${path}.${name}`),
  ])
  return Object.fromEntries(parsed.filter(([, value]) => value !== undefined))
}
