/** The arguments of an error or event: what a test expects of them, and which differ. */
import type { Decoded } from '../../index.ts'
import { isSame, shown } from './sameValue.ts'

/** All of them by their places, or some of them by their names. Absent: whatever they are. */
export type ExpectedArgs = readonly unknown[] | Readonly<Record<string, unknown>> | undefined

/** A line for each argument that is not as expected: none where all are. */
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

/** What is expected, such as `Transfer(to: 0x…, value: Any<BigInt>)`. */
export function describedExpectation(name: string, expected: ExpectedArgs): string {
  if (expected === undefined) return name
  const list = isList(expected)
    ? expected.map(shown)
    : Object.entries(expected).map(([key, value]) => `${key}: ${shown(value)}`)
  return `${name}(${list.join(', ')})`
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function difference(name: string, expected: unknown, actual: unknown): string {
  return `${name}: expected ${shown(expected)}, got ${shown(actual)}`
}

/** A name that is misspelt would otherwise be a difference at which one looks in vain. */
function unknownArgument(name: string, key: string, args: Decoded['args']): TypeError {
  const names = args.map((arg) => arg.name).filter((each) => each !== '')
  const known = names.length === 0 ? 'its arguments have no names, give a list' : `it has ${names.join(', ')}`
  return new TypeError(`${name} has no argument "${key}": ${known}`)
}

function isList(expected: NonNullable<ExpectedArgs>): expected is readonly unknown[] {
  return Array.isArray(expected)
}
