/** Parses form input to values for `encodeValues`. Arrays and tuples are entered as lists of inputs or as JSON text. */
import { toHex } from '../../bytes/hex.ts'
import { hasRightChecksum } from '../../solidity/abi/codec.ts'
import type { Parameter } from '../../solidity/abi/decoded.ts'
import { isAddress } from '../format.ts'

export type Entered = string | readonly Entered[]

type Meant =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `path` is the position of the invalid part, such as `orders[1].price`. Empty if the whole input is invalid. */
  | { readonly kind: 'wrong'; readonly path: string; readonly message: string }

/** Addresses, keyed by the lower-case names that users can enter instead. */
export type Names = ReadonlyMap<string, string>

const NO_NAMES: Names = new Map()

/** Returns the empty input for a parameter. A tuple or an array of fixed length gets an input for each item. */
export function blank(parameter: Parameter): Entered {
  const array = arrayOf(parameter)
  if (array !== undefined) {
    const { item, length = 0 } = array
    // A long array is entered as JSON text.
    return length > MOST_ITEMS ? '' : Array.from({ length }, () => blank(item))
  }
  if (parameter.type === 'tuple') return (parameter.components ?? []).map(blank)
  return ''
}

export const MOST_ITEMS = 64

/** Returns the item type of an array, and its length if fixed. Returns `undefined` for other types. */
export function arrayOf(parameter: Parameter): { item: Parameter; length: number | undefined } | undefined {
  const [, type, length] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
  if (type === undefined) return undefined
  return { item: { ...parameter, name: '', type }, length: length === '' ? undefined : Number(length) }
}

export function parseInput(parameter: Parameter, typed: Entered, names: Names = NO_NAMES): Meant {
  return attempt(() => read(parameter, typed, names, ''))
}

/** Parses the inputs of all parameters. Returns the first problem, if any, whose path begins with a parameter name. */
export function parseInputs(
  parameters: readonly Parameter[],
  typed: readonly Entered[],
  names: Names = NO_NAMES,
): Meant {
  return attempt(() =>
    parameters.map((parameter, i) =>
      read(parameter, typed[i] ?? '', names, parameter.name || `argument ${i + 1}`),
    ),
  )
}

class Wrong extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

function attempt(parse: () => unknown): Meant {
  try {
    return { kind: 'value', value: parse() }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return { kind: 'wrong', path: error.path, message: error.message }
  }
}

/** Parses the input at `path`. Throws `Wrong` for invalid input, as do all functions below with a parameter `path`. */
function read(parameter: Parameter, typed: Entered, names: Names, path: string): unknown {
  const array = arrayOf(parameter)
  if (array === undefined && parameter.type !== 'tuple') {
    if (typeof typed === 'string') return leaf(parameter.type, typed, names, path)
    throw new Wrong(path, `expected one ${parameter.type}, got a list`)
  }
  let items: unknown = typed
  if (typeof typed === 'string') {
    const parsed = jsonOf(typed)
    if (parsed === undefined)
      throw new Wrong(path, `expected JSON such as ${exampleOf(parameter)}, got ${brief(typed)}`)
    items = parsed.value
  }
  if (array === undefined) return tuple(parameter, items, names, path)
  if (!Array.isArray(items))
    throw new Wrong(path, `expected a list such as ${exampleOf(parameter)}, got ${brief(items)}`)
  if (array.length !== undefined && items.length !== array.length)
    throw new Wrong(path, `expected ${array.length} items, got ${items.length}`)
  return items.map((given, i) => read(array.item, enteredOf(given), names, `${path}[${i}]`))
}

function tuple(parameter: Parameter, items: unknown, names: Names, path: string): unknown[] {
  const { components = [] } = parameter
  const values = Array.isArray(items) ? (items as readonly unknown[]) : byName(parameter, items, path)
  if (values.length !== components.length)
    throw new Wrong(path, `expected ${components.length} members, got ${values.length}`)
  return components.map((component, i) =>
    read(component, enteredOf(values[i]), names, `${path}${path && '.'}${component.name || i}`),
  )
}

/** Returns the members of a JSON object in the order of the tuple's components. */
function byName(parameter: Parameter, items: unknown, path: string): unknown[] {
  const { components = [] } = parameter
  if (typeof items !== 'object' || items === null)
    throw new Wrong(path, `expected ${exampleOf(parameter)}, got ${brief(items)}`)
  const members = components.map(({ name = '' }) => name)
  const unknown = Object.keys(items).find((key) => !members.includes(key))
  if (unknown !== undefined)
    throw new Wrong(path, `expected the members ${members.join(', ')}, got ${brief(unknown)}`)
  const missing = members.find((name) => !Object.hasOwn(items, name))
  if (missing !== undefined) throw new Wrong(path, `${missing || 'a member'} is missing`)
  return members.map((name) => (items as Record<string, unknown>)[name])
}

type Fail = (expected: string) => never

const LEAVES: readonly (readonly [
  RegExp,
  (text: string, type: string, fail: Fail, names: Names) => unknown,
])[] = [
  [/^u?int\d*$/, integer],
  [/^address$/, (text, _, fail, names) => address(text.trim(), fail, names)],
  [/^bool$/, (text, _, fail) => bool(text.trim(), fail)],
  [/^bytes\d*$|^function$/, (text, type, fail) => bytes(text.trim(), type, fail)],
  [/^string$/, (text) => text],
]

function leaf(type: string, text: string, names: Names, path: string): unknown {
  const parse = LEAVES.find(([pattern]) => pattern.test(type))?.[1]
  if (parse === undefined) throw new Wrong(path, `values of the type ${type} cannot be encoded`)
  const fail = (expected: string) => {
    throw new Wrong(path, `expected ${expected}, got ${text.trim() === '' ? 'nothing' : brief(text)}`)
  }
  return parse(text, type, fail, names)
}

function integer(text: string, type: string, fail: Fail): bigint {
  const value = integerOf(text) ?? fail(INTEGER_FORMS)
  const bits = BigInt(/\d+$/.exec(type)?.[0] ?? 256)
  const isSigned = type.startsWith('i')
  const power = isSigned ? bits - 1n : bits
  const low = isSigned ? -(2n ** power) : 0n
  const high = 2n ** power - 1n
  if (low <= value && value <= high) return value
  if (bits <= 64n) return fail(`${type}: from ${low} to ${high}`)
  return fail(`${type}: from ${isSigned ? `-2^${power}` : 0} to 2^${power} - 1`)
}

function address(text: string, fail: Fail, names: Names): string {
  if (!isAddress(text)) {
    const named = names.get(text.toLowerCase())
    return named ?? fail('an address (0x and 40 hex digits) or the name of an account that is known')
  }
  if (hasRightChecksum(text)) return text.toLowerCase()
  return fail('an address whose capitals are its checksum (EIP-55), or all in lower case')
}

function bool(text: string, fail: Fail): boolean {
  return text === 'true' || (text === 'false' ? false : fail('true or false'))
}

function bytes(text: string, type: string, fail: Fail): string {
  const length = type === 'function' ? 24 : Number(type.slice('bytes'.length) || Number.NaN)
  const isQuoted = /^".*"$/s.test(text)
  const hex = isQuoted ? toHex(new TextEncoder().encode(text.slice(1, -1))) : text.toLowerCase()
  if (!/^0x([0-9a-f]{2})*$/.test(hex)) {
    const expected = Number.isNaN(length) ? 'bytes' : `${length} bytes`
    return fail(`${expected} in hex (0x and two digits for each), or text in quotation marks`)
  }
  const count = (hex.length - 2) / 2
  if (Number.isNaN(length) || count === length) return hex
  // A quoted string is padded with zeros, as in Solidity.
  if (isQuoted && count < length) return hex.padEnd(2 + 2 * length, '0')
  return fail(`${length} bytes in hex, not ${count}`)
}

/** Parses JSON that may contain unquoted addresses and `1_000`. Numbers become strings, because JSON.parse rounds. */
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

function enteredOf(item: unknown): Entered {
  if (typeof item === 'string') return item
  if (Array.isArray(item)) return item as readonly Entered[]
  return JSON.stringify(item) ?? ''
}

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

function brief(value: unknown): string {
  const text = typeof value === 'string' ? `"${value.trim()}"` : String(JSON.stringify(value))
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Converts an input to JSON text. Tuples become objects with the names of their components. */
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

/** Converts JSON text to a list of inputs, if the text matches the type and has at most `MOST_ITEMS` items. */
export function asItems(parameter: Parameter, entered: Entered): Entered | undefined {
  if (!isComposite(parameter)) return typeof entered === 'string' ? entered : undefined
  const given = typeof entered === 'string' ? jsonOf(entered)?.value : entered
  if (typeof given !== 'object' || given === null) return undefined
  const array = arrayOf(parameter)
  const { components = [] } = parameter
  const members = Array.isArray(given)
    ? given
    : components.map(({ name = '' }) => (given as Record<string, unknown>)[name])
  const isWrong = array
    ? !Array.isArray(given) || given.length > MOST_ITEMS
    : members.length !== components.length
  if (isWrong) return undefined
  const items = members.map((member, i) => asItems(array?.item ?? components[i]!, enteredOf(member)))
  return items.includes(undefined) ? undefined : (items as Entered[])
}

export function isComposite(parameter: Parameter): boolean {
  return parameter.type === 'tuple' || arrayOf(parameter) !== undefined
}

function isNamed(components: readonly Parameter[]): boolean {
  const names = new Set(components.map(({ name }) => name))
  return names.size === components.length && !names.has('') && !names.has(undefined)
}

/** Units of integers, as in Solidity: amounts are converted to wei, times to seconds. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['wei', 1n],
  ['gwei', 10n ** 9n],
  ['ether', 10n ** 18n],
  ['eth', 10n ** 18n],
  ['seconds', 1n],
  ['minutes', 60n],
  ['hours', 3_600n],
  ['days', 86_400n],
  ['weeks', 604_800n],
])

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:e\+?(\d{1,3}))?\s*([a-z]*)$/i

const INTEGER_FORMS = 'an integer such as 1000, 1_000, 0x3e8, 1e18, 1.5 ether, 20 gwei or 2 days'

/** Parses a decimal or hex integer with an optional exponent or unit; `undefined` for other text and for fractions. */
export function integerOf(text: string): bigint | undefined {
  // Digits may be grouped by underscores, spaces or thin spaces.
  const plain = text.trim().replace(/(?<=\d)[_\u2009\u00a0 ](?=\d)/g, '')
  if (/^[+-]?0x[0-9a-f]+$/i.test(plain)) {
    const size = BigInt(plain.replace(/^[+-]/, ''))
    return plain.startsWith('-') ? -size : size
  }
  const [matched, sign, whole = '', fraction = '', exponent = '0', unit = ''] = DECIMAL.exec(plain) ?? []
  if (matched === undefined) return undefined
  const factor = unit === '' ? 1n : UNITS.get(unit.toLowerCase())
  if (factor === undefined) return undefined
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(exponent) * factor
  const divisor = 10n ** BigInt(fraction.length)
  if (scaled % divisor !== 0n) return undefined
  return sign === '-' ? -(scaled / divisor) : scaled / divisor
}
