/**
 * Values of fixtures as JSON, from which the same values come back: what JSON has not stands there as an object with one
 * member, `{ "$bigint": "5" }`.
 *
 * What cannot be told from what comes back is stored; all else is refused by its path, for a test must see the same values
 * whether they were just made or loaded.
 */
import { types } from 'node:util'
import { isWithoutClass, kindOf } from './kindOf.ts'

/** A value that cannot be stored; `path` says where it stands. */
export class NotStorable extends Error {
  readonly path: string
  /** What stands there: `a function`. */
  readonly what: string

  constructor(path: string, what: string) {
    super(`${path} is ${what}, which cannot be stored`)
    this.path = path
    this.what = what
  }
}

/** JSON for `value`, which stands at `path`. Throws `NotStorable`. */
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
  // It looks like an object with nothing in it: what viem's contracts are made of.
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

/** Not of a class that extends it, such as `Buffer`. */
function isOf(value: object, kind: { prototype: object }): boolean {
  return Object.getPrototypeOf(value) === kind.prototype
}

/** What `encodeStored` made `json` of. Throws an `Error` for what it never makes. */
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
