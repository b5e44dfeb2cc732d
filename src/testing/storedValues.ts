/**
 * JSON for the values of fixtures. Values that JSON lacks become objects such as `{ "$bigint": "5" }`. Throws an
 * error with the path of a value if the value would be different in a loaded fixture than in a built fixture.
 */
import { types } from 'node:util'

export class NotStorable extends Error {
  readonly path: string
  readonly what: string

  constructor(path: string, what: string) {
    super(`${path} is ${what}, which cannot be stored`)
    this.path = path
    this.what = what
  }
}

/** Returns `value` in a JSON form. `path` is its path in errors. Throws `NotStorable`. */
export function encodeStored(value: unknown, path: string, above: readonly object[] = []): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? '-0' : String(value) }
    case 'bigint':
      return { $bigint: String(value) }
    case 'undefined':
      return { $undefined: true }
    case 'function':
    case 'symbol':
      throw new NotStorable(path, kindOf(value))
    case 'object':
      return value === null ? null : encodeObject(value, path, above)
  }
}

function encodeObject(value: object, path: string, above: readonly object[]): unknown {
  // A proxy would look like an empty object. viem's contracts are proxies.
  if (types.isProxy(value)) throw new NotStorable(path, 'a proxy')
  if (above.includes(value)) throw new NotStorable(path, 'an object that contains itself')
  const within = [...above, value]
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => encodeStored(item, `${path}[${index}]`, within))
  }
  if (value instanceof Date && isOf(value, Date)) return { $date: value.getTime() }
  if (value instanceof Uint8Array && isOf(value, Uint8Array))
    return { $bytes: Buffer.from(value).toString('hex') }
  if (!isWithoutClass(value)) throw new NotStorable(path, kindOf(value))
  const symbol = Object.getOwnPropertySymbols(value)[0]
  if (symbol !== undefined) throw new NotStorable(`${path}[${String(symbol)}]`, 'named by a symbol')
  const members = Object.entries(value).map(
    ([name, member]) => [name, encodeStored(member, `${path}.${name}`, within)] as const,
  )
  const encoded = Object.fromEntries(members)
  return isTagged(encoded) ? { $object: encoded } : encoded
}

/** Returns whether `value` is of exactly this class. A `Buffer`, for example, is of a subclass of `Uint8Array`. */
function isOf(value: object, kind: { prototype: object }): boolean {
  return Object.getPrototypeOf(value) === kind.prototype
}

/** Restores a value from the result of `encodeStored`. Throws an `Error` for any other JSON. */
export function decodeStored(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map(decodeStored)
  if (!isTagged(json)) return decodeMembers(json)
  const [[tag, content]] = Object.entries(json) as [[string, unknown]]
  switch (tag) {
    case '$number':
      return Number(content)
    case '$bigint':
      return BigInt(content as string)
    case '$undefined':
      return undefined
    case '$date':
      return new Date(content === null ? Number.NaN : (content as number))
    case '$bytes':
      return Uint8Array.from(Buffer.from(content as string, 'hex'))
    case '$object':
      return decodeMembers(content as object)
    default:
      throw new Error(`no value is stored as ${tag}`)
  }
}

function decodeMembers(json: object): object {
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, decodeStored(member)]))
}

function isTagged(json: object): boolean {
  const names = Object.keys(json)
  return names.length === 1 && names[0]!.startsWith('$')
}

/** Freezes all plain data in `value`, but no clients, contracts and bytes. Returns `value`. */
export function frozen<T>(value: T): T {
  freeze(value, new Set())
  return value
}

function freeze(value: unknown, seen: Set<object>): void {
  if (!isPlainData(value) || seen.has(value)) return
  seen.add(value)
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member, seen)
}

/** Returns whether `value` is an array, or an object without a class that has neither functions nor accessors. */
function isPlainData(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  if (!isWithoutClass(value)) return false
  const members = Object.values(Object.getOwnPropertyDescriptors(value))
  return members.every((member) => 'value' in member && typeof member.value !== 'function')
}

/** Returns the kind of a value as a noun for error messages, such as `a proxy`. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return value === undefined ? 'nothing' : `a ${typeof value}`
  if (isWithoutClass(value)) return 'an object'
  return `an object of the class ${value.constructor?.name ?? 'without a name'}`
}

/** Returns whether `value` is an object without a class, such as `{}`, even if it is from another realm. */
export function isWithoutClass(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
