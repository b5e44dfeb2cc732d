/** Compares a value from a chain with the value that a test expects. */
import type { Decoded } from '../../index.ts'
import { counted } from '../../model/api/text.ts'

/** An asymmetric matcher of any test library, such as `expect.any(BigInt)`. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
  toAsymmetricMatcher?(): string
}

/** Compares numbers by value, hex without case, lists and objects by members, or asks an asymmetric matcher. */
export function isSame(expected: unknown, actual: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  if (isWhole(expected) && isWhole(actual)) return BigInt(expected) === BigInt(actual)
  if (isHex(expected) && typeof actual === 'string') return expected.toLowerCase() === actual.toLowerCase()
  if (Array.isArray(expected)) return areSame(expected, membersOf(actual))
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false
  const names = Object.keys(expected)
  return (
    names.length === Object.keys(actual).length &&
    names.every((name) => name in actual && isSame(memberOf(expected, name), memberOf(actual, name)))
  )
}

export function shown(value: unknown): string {
  if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? String(value)
  if (typeof value === 'string') return isHex(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}: ${shown(member)}`)
    .join(', ')}}`
}

export function isHex(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)
}

function areSame(expected: readonly unknown[], actual: readonly unknown[] | undefined): boolean {
  return actual?.length === expected.length && expected.every((item, index) => isSame(item, actual[index]))
}

/** Returns the members of a decoded tuple, which is an object if all components have names, otherwise an array. */
function membersOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : undefined
}

function memberOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name]
}

function isWhole(value: unknown): value is bigint | number {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return typeof (value as Partial<Asymmetric> | null)?.asymmetricMatch === 'function'
}

/** All arguments by position, or some of them by name; `undefined` for any arguments. */
export type ExpectedArgs = readonly unknown[] | Readonly<Record<string, unknown>> | undefined

/** Returns a line of text for each argument that differs from the expected argument. */
export function differences({ name, args }: Decoded, expected: ExpectedArgs): string[] {
  if (expected === undefined) return []
  if (!isList(expected)) {
    return Object.entries(expected).flatMap(([key, value]) => {
      const found = args.find((arg) => arg.name === key)
      if (found === undefined) throw unknownArgument(name, key, args)
      return isSame(value, found.value) ? [] : [difference(key, value, found.value)]
    })
  }
  if (expected.length !== args.length) {
    return [`it has ${counted(args.length, 'argument')}, expected were ${expected.length}`]
  }
  return args.flatMap((arg, index) =>
    isSame(expected[index], arg.value)
      ? []
      : [difference(arg.name || `argument ${index}`, expected[index], arg.value)],
  )
}

/** Returns the expected error or event as text, such as `Transfer(to: 0x…, value: Any<BigInt>)`. */
export function describedExpectation(name: string, expected: ExpectedArgs): string {
  if (expected === undefined) return name
  const list = isList(expected)
    ? expected.map(shown)
    : Object.entries(expected).map(([key, value]) => `${key}: ${shown(value)}`)
  return `${name}(${list.join(', ')})`
}

function difference(name: string, expected: unknown, actual: unknown): string {
  return `${name}: expected ${shown(expected)}, got ${shown(actual)}`
}

function unknownArgument(name: string, key: string, args: Decoded['args']): TypeError {
  const names = args.map((arg) => arg.name).filter((each) => each !== '')
  const known = names.length === 0 ? 'its arguments have no names, give a list' : `it has ${names.join(', ')}`
  return new TypeError(`${name} has no argument "${key}": ${known}`)
}

function isList(expected: NonNullable<ExpectedArgs>): expected is readonly unknown[] {
  return Array.isArray(expected)
}
