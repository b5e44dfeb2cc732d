/** Hashes typed data (EIP-712) for `eth_signTypedData_v4`. */
import { concatenate } from '../../bytes/bytes.ts'
import { fromHex, type Hex, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'

export interface TypedData {
  readonly types: Types
  readonly primaryType: string
  readonly domain: Struct
  readonly message: Struct
}

export type Types = Readonly<Record<string, readonly Member[]>>
export interface Member {
  readonly name: string
  readonly type: string
}
type Struct = Readonly<Record<string, unknown>>

export class InvalidTypedData extends Error {
  readonly path: string
  readonly expected: string
  readonly value: unknown

  constructor(path: string, expected: string, value: unknown) {
    super(`${path}: expected ${expected}`)
    this.path = path
    this.expected = expected
    this.value = value
  }
}

/** Limits: depth of structs and arrays, number of referenced structs, total characters of encoded types. */
const MAX_DEPTH = 64
const MAX_TYPES = 1_000
const MAX_TYPE_TEXT = 16 * 1024 * 1024

/** Returns the 32-byte hash to sign. Yields between values, so that the caller can pause. Throws `InvalidTypedData`. */
export function* hashingTypedData({
  types,
  primaryType,
  domain,
  message,
}: TypedData): Generator<undefined, Uint8Array> {
  // The object has no prototype, because a type may be named `toString`.
  const EIP712Domain = DOMAIN.filter(({ name }) => domain[name] !== undefined)
  const withDomain: Types = Object.assign(Object.create(null), { EIP712Domain }, types)
  const hasher = new Hasher(withDomain)
  const parts = [Uint8Array.of(0x19, 0x01), yield* hasher.struct('EIP712Domain', domain, 'domain', 0)]
  // A message may consist of its domain alone.
  if (primaryType !== 'EIP712Domain') parts.push(yield* hasher.struct(primaryType, message, 'message', 0))
  return keccak256(concatenate(parts))
}

/** The members that an EIP-712 domain may have, in the order that EIP-712 requires. */
const DOMAIN: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/** Returns the encoded type of a struct, followed by the encoded types of the structs it references, sorted by name. */
export function encodeType(types: Types, type: string): string {
  const others = [...referred(types, type)].filter((name) => name !== type).sort()
  return [type, ...others].map((name) => `${name}(${types[name]!.map(memberText).join(',')})`).join('')
}

function memberText({ type, name }: Member): string {
  return `${type} ${name}`
}

function referred(types: Types, type: string): Set<string> {
  const found = new Set([type])
  // The loop also visits the items that are added to `found` while it runs.
  for (const known of found) {
    for (const member of types[known]!) {
      const name = member.type.replace(/\[.*$/, '')
      if (types[name] !== undefined) found.add(name)
    }
    if (found.size > MAX_TYPES) {
      const expected = `at most ${MAX_TYPES} referenced structs`
      throw new InvalidTypedData(`types.${type}`, expected, types[type])
    }
  }
  return found
}

const NOTHING = new Uint8Array(32)

class Hasher {
  readonly #types: Types
  readonly #typeHashes = new Map<string, Uint8Array>()
  #typeTextLeft = MAX_TYPE_TEXT

  constructor(types: Types) {
    this.#types = types
  }

  *struct(type: string, value: Struct, path: string, depth: number): Generator<undefined, Uint8Array> {
    const fields = [this.#typeHash(type)]
    for (const member of this.#types[type]!) {
      fields.push(yield* this.#field(member.type, value[member.name], `${path}.${member.name}`, depth + 1))
    }
    return keccak256(concatenate(fields))
  }

  #typeHash(type: string): Uint8Array {
    let hash = this.#typeHashes.get(type)
    if (hash === undefined) {
      const text = encodeType(this.#types, type)
      this.#typeTextLeft -= text.length
      if (this.#typeTextLeft < 0) {
        const expected = `structs with at most ${MAX_TYPE_TEXT} characters in all`
        throw new InvalidTypedData('types', expected, this.#types)
      }
      hash = keccak256(utf8(text))
      this.#typeHashes.set(type, hash)
    }
    return hash
  }

  /** Returns the 32-byte encoding of a member: an atomic value as it is, any other value as its hash. */
  *#field(type: string, value: unknown, path: string, depth: number): Generator<undefined, Uint8Array> {
    yield
    if (depth > MAX_DEPTH)
      throw new InvalidTypedData(path, `at most ${MAX_DEPTH} levels of structs and arrays`, value)
    const array = type.endsWith(']') ? /^(.*)\[(\d*)\]$/.exec(type) : null
    if (array !== null) {
      const [, item, length] = array
      if (!Array.isArray(value) || (length !== '' && value.length !== Number(length))) {
        throw new InvalidTypedData(path, length === '' ? 'an array' : `an array of ${length}`, value)
      }
      const items: Uint8Array[] = []
      for (const [i, one] of value.entries()) {
        items.push(yield* this.#field(item!, one, `${path}[${i}]`, depth + 1))
      }
      return keccak256(concatenate(items))
    }
    if (this.#types[type] !== undefined) {
      // Version 4 encodes an absent struct as zeros, which allows recursive types.
      if (value === null || value === undefined) return NOTHING
      if (typeof value !== 'object' || Array.isArray(value))
        throw new InvalidTypedData(path, `an object (${type})`, value)
      return yield* this.struct(type, value as Struct, path, depth)
    }
    return encodeAtom(type, value, path)
  }
}

function encodeAtom(type: string, value: unknown, path: string): Uint8Array {
  if (type === 'string') {
    if (typeof value !== 'string') throw new InvalidTypedData(path, 'a string', value)
    return keccak256(utf8(value))
  }
  if (type === 'bytes') return keccak256(bytesOf(value, undefined, path))
  if (type === 'bool') {
    if (typeof value !== 'boolean') throw new InvalidTypedData(path, 'true or false', value)
    return toWord(value ? 1n : 0n)
  }
  if (type === 'address') return padded(bytesOf(value, 20, path), 12)
  const fixed = /^bytes([1-9]|[12]\d|3[0-2])$/.exec(type)
  if (fixed !== null) return padded(bytesOf(value, Number(fixed[1]), path), 0)
  return encodeNumber(type, value, path)
}

function encodeNumber(type: string, value: unknown, path: string): Uint8Array {
  const [, sign, size = '256'] = /^(u?int)(\d*)$/.exec(type) ?? []
  const bits = BigInt(size === '' ? '256' : size)
  if (sign === undefined || bits < 8n || bits > 256n || bits % 8n !== 0n) {
    throw new InvalidTypedData(path, 'a declared type or one of Solidity', type)
  }
  const number = numberOf(value, `${path}`, type)
  const [least, most] =
    sign === 'uint' ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
  if (number < least || number > most)
    throw new InvalidTypedData(path, `a number that ${type} can hold`, value)
  return toWord(BigInt.asUintN(256, number))
}

function numberOf(value: unknown, path: string, type: string): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && value.length <= 80 && /^(-?\d+|0x[0-9a-fA-F]+)$/.test(value))
    return BigInt(value)
  throw new InvalidTypedData(path, `a number (${type}), or its text in decimal or hex`, value)
}

function bytesOf(value: unknown, size: number | undefined, path: string): Uint8Array {
  const isHex = typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value)
  if (!isHex || (size !== undefined && value.length !== 2 + 2 * size)) {
    throw new InvalidTypedData(path, `${size === undefined ? '' : `${size} `}bytes in hex`, value)
  }
  return fromHex(value as Hex)
}

function padded(bytes: Uint8Array, before: number): Uint8Array {
  const word = new Uint8Array(32)
  word.set(bytes, before)
  return word
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
