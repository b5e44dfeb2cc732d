/** The arguments of an error or event: comparison of the expected with the actual ones. */
import type { Decoded } from '../../index.ts'
import { isSame, shown } from './sameValue.ts'

/** All arguments by position, or some of them by name. `undefined`: any arguments. */
export type ExpectedArgs = readonly unknown[] | Readonly<Record<string, unknown>> | undefined

/** Returns a line for each argument that differs from the expected one. */
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

/** Returns the expected call as text, such as `Transfer(to: 0x…, value: Any<BigInt>)`. */
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

/** Returns the error for an unknown argument name, which would otherwise be shown as a misleading difference. */
function unknownArgument(name: string, key: string, args: Decoded['args']): TypeError {
  const names = args.map((arg) => arg.name).filter((each) => each !== '')
  const known = names.length === 0 ? 'its arguments have no names, give a list' : `it has ${names.join(', ')}`
  return new TypeError(`${name} has no argument "${key}": ${known}`)
}

function isList(expected: NonNullable<ExpectedArgs>): expected is readonly unknown[] {
  return Array.isArray(expected)
}
