import {
  type Address,
  fromHex,
  type Hash,
  type Hex,
  isHex,
  shortLivedBytes,
  toHex,
  toWord,
} from '../bytes/hex.ts'
import { oncePer } from '../model/collections/oncePer.ts'
import { arrayOf, InvalidValue, type Parser } from './parser.ts'

const QUANTITY = /^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH = /^0x[0-9a-fA-F]{64}$/

/** Returns a parser of quantities (EIP-1474) of at most `bits` bits: `0x` and hex digits without leading zeros. */
function quantityOf(bits: number): Parser<bigint> {
  const expected = `a quantity of at most ${bits} bits (0x and hex digits without leading zeros, such as "0x1a")`
  return (value, path) => {
    // Long text is rejected before `BigInt` would convert it.
    if (typeof value !== 'string' || value.length > bits / 4 + 2 || !QUANTITY.test(value)) {
      throw new InvalidValue(path, expected, value)
    }
    return BigInt(value)
  }
}

export const parseQuantity: Parser<bigint> = quantityOf(256)
export const parseUint64: Parser<bigint> = quantityOf(64)
export const parseUint64OrNumber: Parser<bigint> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : parseUint64(value, path)
/** Parses `yParity` of an authorization, which is one byte (EIP-7702). */
export const parseUint8: Parser<bigint> = quantityOf(8)

/** Parses `0x` and an even number of hex digits. */
export const parseBytes: Parser<Uint8Array> = (value, path) => {
  if (typeof value !== 'string' || !isHex(value)) throw new InvalidValue(path, BYTES, value)
  return fromHex(value)
}

/** Parses bytes that are discarded soon, such as the data of a call (see `shortLivedBytes`). */
export const parseShortLivedBytes: Parser<Uint8Array> = (value, path) => {
  const bytes = typeof value === 'string' ? shortLivedBytes(value) : undefined
  if (bytes === undefined) throw new InvalidValue(path, BYTES, value)
  return bytes
}

const BYTES = 'bytes (0x and an even number of hex digits)'

export const parseAddress: Parser<Address> = (value, path) => {
  const known = addresses.get(value)
  if (known !== undefined) return known
  if (typeof value !== 'string' || !ADDRESS.test(value)) {
    throw new InvalidValue(path, 'a 20-byte address (0x and 40 hex digits)', value)
  }
  const address = value.toLowerCase() as Address
  if (addresses.size >= MAX_ADDRESSES) addresses.clear()
  addresses.set(value, address)
  return address
}

/** Recently parsed addresses, keyed by original text. Reused string objects make look-ups in maps faster in V8. */
const addresses = new Map<unknown, Address>()
const MAX_ADDRESSES = 4096

export const parseHash: Parser<Hash> = (value, path) => {
  if (typeof value !== 'string' || !HASH.test(value)) {
    throw new InvalidValue(path, '32 bytes (0x and 64 hex digits)', value)
  }
  return value.toLowerCase() as Hash
}

/** Parses 32 bytes as a number: a storage key or value in overrides. */
export const parseWord: Parser<bigint> = (value, path) => BigInt(parseHash(value, path))

/** Parses a storage key: 32 bytes, or a shorter quantity, which some clients send. */
export const parseSlot: Parser<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw new InvalidValue(path, 'a storage slot (0x and 1 to 64 hex digits)', value)
  }
  return BigInt(value)
}

export function encodeQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

export function encodeBytes(bytes: Uint8Array): Hex {
  return bytes.length === 0 ? '0x' : toHex(bytes)
}

/** Minimum length of code, in bytes, for caching its hex. Shorter code is converted as fast as it is looked up. */
const LONG_CODE = 128
const encodeLongCode = oncePer(encodeBytes)

/** Encodes code. The hex of long code is cached, because clients request it repeatedly. */
export function encodeCode(code: Uint8Array): Hex {
  return code.length < LONG_CODE ? encodeBytes(code) : encodeLongCode(code)
}

export function encodeWord(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** The strings that methods such as `anvil_setBalance` accept as numbers: decimal, hex with leading zeros, or "0x". */
const TEXT = /^(0x[0-9a-fA-F]{0,64}|[0-9]{1,78})$/

export function amountUpTo(max: bigint): Parser<bigint> {
  const expected = `a whole number from 0 to ${max} (a quantity such as "0x1a", or a JSON number)`
  return (value, path) => {
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    if (!isNumber && !(typeof value === 'string' && TEXT.test(value))) {
      throw new InvalidValue(path, expected, value)
    }
    const amount = value === '0x' ? 0n : BigInt(value as string | number)
    if (amount > max) throw new InvalidValue(path, expected, value)
    return amount
  }
}

export const parseAmount: Parser<bigint> = amountUpTo(2n ** 256n - 1n)
export const parseAmount64: Parser<bigint> = amountUpTo(2n ** 64n - 1n)
/** Parses seconds. As milliseconds they must be a safe integer, which allows dates up to the year 287,396. */
export const parseSeconds: Parser<number> = smallAmount(9_007_199_254_740)

export function smallAmount(max: number): Parser<number> {
  const parse = amountUpTo(BigInt(max))
  return (value, path) => Number(parse(value, path))
}

/** Parses a word of up to 32 bytes. Leading zeros may be missing. */
export const parsePaddedWord: Parser<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,64}$/.test(value)) {
    throw new InvalidValue(path, 'at most 32 bytes (0x and up to 64 hex digits)', value)
  }
  return BigInt(value === '0x' ? '0x0' : value)
}

export const parsePaddedHash: Parser<Hash> = (value, path) => toHex(toWord(parsePaddedWord(value, path)))

export const parseAddresses: Parser<Address[]> = (value, path) =>
  Array.isArray(value) ? arrayOf(parseAddress)(value, path) : [parseAddress(value, path)]

export const parsePageSize = smallAmount(1_000_000)
