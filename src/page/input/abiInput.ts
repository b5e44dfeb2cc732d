/**
 * Form input for ABI parameters, and its parsing to values for `encodeValues` (`solidity/abi/codec.ts`). Input for a leaf is text; for an
 * array or a tuple it is a list of inputs, or JSON as text.
 */
import { hasRightChecksum } from '../../solidity/abi/codec.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import { isAddress } from '../format.ts'
import { INTEGER_FORMS, integerOf } from './integers.ts'

export type Entered = string | readonly Entered[]

type Meant =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `path`: the invalid part, such as `orders[1].price`; empty for the whole. */
  | { readonly kind: 'wrong'; readonly path: string; readonly message: string }

/** Addresses by names that may be entered instead, in lower case. */
export type Names = ReadonlyMap<string, string>

const NO_NAMES: Names = new Map()

/** Returns the initial input of a form: fixed arrays and tuples have their items. */
export function blank(parameter: Parameter): Entered {
  const array = arrayOf(parameter)
  if (array !== undefined) {
    const { item, length = 0 } = array
    // Long arrays are entered as JSON.
    return length > MOST_ITEMS ? '' : Array.from({ length }, () => blank(item))
  }
  if (parameter.type === 'tuple') return (parameter.components ?? []).map(blank)
  return ''
}

/** Longer arrays are entered as JSON. */
export const MOST_ITEMS = 64

/** Returns the item type of an array and its fixed length; `undefined` for other types. */
export function arrayOf(parameter: Parameter): { item: Parameter; length: number | undefined } | undefined {
  const [, type, length] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
  if (type === undefined) return undefined
  return {
    item: { ...parameter, name: '', type },
    length: length === '' ? undefined : Number(length),
  }
}

/** Parses `typed` as a value of `parameter`. */
export function meant(parameter: Parameter, typed: Entered, names: Names = NO_NAMES): Meant {
  return read(parameter, typed, names, '')
}

/** Parses the values of all parameters; returns the first problem, with the parameter in its path. */
export function allMeant(
  parameters: readonly Parameter[],
  typed: readonly Entered[],
  names: Names = NO_NAMES,
): Meant {
  return each(parameters, (parameter, i) =>
    read(parameter, typed[i] ?? '', names, parameter.name || `argument ${i + 1}`),
  )
}

function read(parameter: Parameter, typed: Entered, names: Names, path: string): Meant {
  const array = arrayOf(parameter)
  if (array === undefined && parameter.type !== 'tuple') {
    return typeof typed === 'string'
      ? leaf(parameter.type, typed, names, path)
      : wrong(path, `expected one ${parameter.type}, got a list`)
  }
  let items: unknown = typed
  if (typeof typed === 'string') {
    const parsed = jsonOf(typed)
    if (parsed === undefined)
      return wrong(path, `expected JSON such as ${exampleOf(parameter)}, got ${brief(typed)}`)
    items = parsed.value
  }
  return array === undefined ? tuple(parameter, items, names, path) : list(parameter, items, names, path)
}

function list(parameter: Parameter, items: unknown, names: Names, path: string): Meant {
  const { item, length } = arrayOf(parameter)!
  if (!Array.isArray(items))
    return wrong(path, `expected a list such as ${exampleOf(parameter)}, got ${brief(items)}`)
  if (length !== undefined && items.length !== length)
    return wrong(path, `expected ${length} items, got ${items.length}`)
  return each(items, (given, i) => read(item, enteredOf(given), names, `${path}[${i}]`))
}

function tuple({ components = [], ...rest }: Parameter, items: unknown, names: Names, path: string): Meant {
  const at = (name: string | undefined, i: number) => `${path}${path && '.'}${name || i}`
  if (!Array.isArray(items)) {
    if (typeof items !== 'object' || items === null)
      return wrong(path, `expected ${exampleOf({ ...rest, components })}, got ${brief(items)}`)
    const given = items as Record<string, unknown>
    const unknown = Object.keys(given).find((key) => !components.some(({ name }) => name === key))
    if (unknown !== undefined)
      return wrong(path, `expected the members ${membersOf(components)}, got ${brief(unknown)}`)
    const missing = components.find(({ name = '' }) => !Object.hasOwn(given, name))
    if (missing !== undefined) return wrong(path, `${missing.name || 'a member'} is missing`)
    items = components.map(({ name = '' }) => given[name])
  }
  const values = items as readonly unknown[]
  if (values.length !== components.length)
    return wrong(path, `expected ${components.length} members, got ${values.length}`)
  return each(components, (component, i) =>
    read(component, enteredOf(values[i]), names, at(component.name, i)),
  )
}

/** Parsers of leaves by type. */
const LEAVES: readonly (readonly [
  RegExp,
  (text: string, type: string, names: Names) => unknown | Expected,
])[] = [
  [/^u?int\d*$/, integer],
  [/^address$/, (text, _, names) => address(text, names)],
  [/^bool$/, (text) => bool(text.trim())],
  [/^bytes\d*$|^function$/, bytes],
  [/^string$/, (text) => text],
]

/** The problem: the expected input. */
class Expected {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function leaf(type: string, text: string, names: Names, path: string): Meant {
  const reader = LEAVES.find(([pattern]) => pattern.test(type))?.[1]
  if (reader === undefined) return wrong(path, `values of the type ${type} cannot be encoded`)
  const value = reader(text, type, names)
  return value instanceof Expected
    ? wrong(path, `expected ${value.text}, got ${text.trim() === '' ? 'nothing' : brief(text)}`)
    : right(value)
}

function integer(text: string, type: string): bigint | Expected {
  const value = integerOf(text)
  if (value === undefined) return new Expected(INTEGER_FORMS)
  const bits = BigInt(/\d+$/.exec(type)?.[0] ?? 256)
  const [low, high] = type.startsWith('u')
    ? [0n, 2n ** bits - 1n]
    : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
  return value < low || value > high
    ? new Expected(bits > 64n ? `${type}: ${rangeText(type, bits)}` : `${type}: from ${low} to ${high}`)
    : value
}

function rangeText(type: string, bits: bigint): string {
  return type.startsWith('u') ? `from 0 to 2^${bits} - 1` : `from -2^${bits - 1n} to 2^${bits - 1n} - 1`
}

function address(text: string, names: Names): string | Expected {
  const given = text.trim()
  if (isAddress(given)) {
    return hasRightChecksum(given)
      ? given.toLowerCase()
      : new Expected('an address whose capitals are its checksum (EIP-55), or all in lower case')
  }
  return (
    names.get(given.toLowerCase()) ??
    new Expected('an address (0x and 40 hex digits) or the name of an account that is known')
  )
}

function bool(text: string): boolean | Expected {
  return text === 'true' || (text === 'false' ? false : new Expected('true or false'))
}

function bytes(text: string, type: string): string | Expected {
  const length = type === 'function' ? 24 : Number(type.slice('bytes'.length) || Number.NaN)
  const given = text.trim()
  const isQuoted = /^".*"$/s.test(given)
  const hex = isQuoted ? utf8(given.slice(1, -1)) : given.toLowerCase()
  const count = (hex.length - 2) / 2
  if (!/^0x([0-9a-f]{2})*$/.test(hex)) {
    return new Expected(
      `${Number.isNaN(length) ? 'bytes' : `${length} bytes`} in hex (0x and two digits for each), or text in quotation marks`,
    )
  }
  if (Number.isNaN(length) || count === length) return hex
  // Padded with zeros, like string literals in Solidity.
  if (isQuoted && count < length) return hex.padEnd(2 + 2 * length, '0')
  return new Expected(`${length} bytes in hex, not ${count}`)
}

function utf8(text: string): string {
  let hex = '0x'
  for (const byte of new TextEncoder().encode(text)) hex += byte.toString(16).padStart(2, '0')
  return hex
}

/**
 * Parses JSON with numbers as strings, since JSON.parse would round integers. Bare words (addresses, numbers with underscores) are strings,
 * too; `undefined` for invalid JSON.
 */
function jsonOf(text: string): { readonly value: unknown } | undefined {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|[\w.+-]+/g, (token) =>
    token.startsWith('"') || token === 'null' ? token : `"${token}"`,
  )
  try {
    return { value: JSON.parse(quoted) }
  } catch {
    return undefined
  }
}

/** Returns a JSON item as input. */
function enteredOf(item: unknown): Entered {
  if (typeof item === 'string') return item
  if (Array.isArray(item)) return item as readonly Entered[]
  return JSON.stringify(item) ?? ''
}

/** Returns an example of a value as JSON. */
export function exampleOf(parameter: Parameter): string {
  const array = arrayOf(parameter)
  if (array !== undefined) {
    const item = exampleOf(array.item)
    const length = Math.min(array.length ?? 2, 2)
    return `[${Array.from({ length }, () => item).join(', ')}${(array.length ?? 2) > 2 ? ', …' : ''}]`
  }
  if (parameter.type === 'tuple')
    return `{${(parameter.components ?? []).map((one) => `"${one.name}": ${exampleOf(one)}`).join(', ')}}`
  if (parameter.type === 'string') return '"text"'
  if (parameter.type === 'bool') return 'true'
  return /^u?int/.test(parameter.type) ? '1' : '"0x…"'
}

function membersOf(components: readonly Parameter[]): string {
  return components.map(({ name }) => name).join(', ')
}

/** Returns all values, or the first problem. */
function each<T>(items: readonly T[], readOne: (item: T, i: number) => Meant): Meant {
  const values: unknown[] = []
  for (const [i, item] of items.entries()) {
    const one = readOne(item, i)
    if (one.kind === 'wrong') return one
    values.push(one.value)
  }
  return right(values)
}

function right(value: unknown): Meant {
  return { kind: 'value', value }
}

function wrong(path: string, message: string): Meant {
  return { kind: 'wrong', path, message }
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? `"${value.trim()}"` : String(JSON.stringify(value))
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Converts input to JSON text, with members of tuples by name. */
export function asJson(parameter: Parameter, entered: Entered): string {
  return typeof entered === 'string' ? entered : JSON.stringify(plain(parameter, entered), undefined, 1)
}

function plain(parameter: Parameter, entered: Entered): unknown {
  if (typeof entered === 'string') {
    return isComposite(parameter) ? (jsonOf(entered)?.value ?? entered) : entered
  }
  const array = arrayOf(parameter)
  if (array !== undefined) return entered.map((item) => plain(array.item, item))
  const components = parameter.components ?? []
  const members = components.map((component, i) => plain(component, entered[i] ?? ''))
  return isNamed(components)
    ? Object.fromEntries(components.map(({ name = '' }, i) => [name, members[i]]))
    : members
}

/** Converts JSON text to an input for each item; `undefined` if it does not fit, or has too many items. */
export function asItems(parameter: Parameter, entered: Entered): Entered | undefined {
  if (!isComposite(parameter)) return typeof entered === 'string' ? entered : undefined
  const given = typeof entered === 'string' ? jsonOf(entered)?.value : entered
  const array = arrayOf(parameter)
  if (array !== undefined) {
    if (!Array.isArray(given) || given.length > MOST_ITEMS) return undefined
    return allOf(given, (item) => asItems(array.item, enteredOf(item)))
  }
  const components = parameter.components ?? []
  if (typeof given !== 'object' || given === null) return undefined
  const members = Array.isArray(given)
    ? given
    : components.map(({ name = '' }) => (given as Record<string, unknown>)[name])
  if (members.length !== components.length) return undefined
  return allOf(components, (component, i) => asItems(component, enteredOf(members[i])))
}

/** Returns whether a parameter is an array or a tuple. */
export function isComposite(parameter: Parameter): boolean {
  return parameter.type === 'tuple' || arrayOf(parameter) !== undefined
}

function isNamed(components: readonly Parameter[]): boolean {
  const names = new Set(components.map(({ name }) => name))
  return names.size === components.length && !names.has('') && !names.has(undefined)
}

function allOf<T>(
  items: readonly T[],
  one: (item: T, i: number) => Entered | undefined,
): Entered | undefined {
  const all = items.map(one)
  return all.includes(undefined) ? undefined : (all as Entered[])
}
