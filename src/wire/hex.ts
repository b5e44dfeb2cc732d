/** Conversion of quantities, bytes, addresses and hashes between their JSON form (EIP-1474) and preseal's own. */
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
import { arrayOf, InvalidValue, type Parser } from './parser.ts'

const QUANTITY = /^0x(0|[1-9a-fA-F][0-9a-fA-F]*)$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH = /^0x[0-9a-fA-F]{64}$/

/** Returns a parser of a quantity of at most `bits` bits: `0x` and hex digits without leading zeros. */
function quantityOf(bits: number): Parser<bigint> {
  const expected = `a quantity of at most ${bits} bits (0x and hex digits without leading zeros, such as "0x1a")`
  return (value, path) => {
    // Longer text is not converted.
    if (typeof value !== 'string' || value.length > bits / 4 + 2 || !QUANTITY.test(value)) {
      throw new InvalidValue(path, expected, value)
    }
    return BigInt(value)
  }
}

/** Parses a quantity of up to 256 bits, such as wei or a slot. */
export const parseQuantity: Parser<bigint> = quantityOf(256)
/** Parses a quantity of up to 64 bits: gas, nonces, block numbers, times. */
export const parseUint64: Parser<bigint> = quantityOf(64)
/** Parses a quantity of up to 64 bits, or a JSON number. */
export const parseUint64OrNumber: Parser<bigint> = (value, path) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : parseUint64(value, path)
/** Parses the parity of an authorization's signature, one byte in EIP-7702. */
export const parseUint8: Parser<bigint> = quantityOf(8)

/** Parses bytes: `0x` and an even number of hex digits. */
export const parseBytes: Parser<Uint8Array> = (value, path) => {
  if (typeof value !== 'string' || !isHex(value)) throw new InvalidValue(path, BYTES, value)
  return fromHex(value)
}

/** Parses short-lived bytes, such as the data of a call (see `shortLivedBytes`). */
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

/** Recently parsed addresses by their texts: V8 looks addresses up faster if the string is the same object. */
const addresses = new Map<unknown, Address>()
const MAX_ADDRESSES = 4096

export const parseHash: Parser<Hash> = (value, path) => {
  if (typeof value !== 'string' || !HASH.test(value)) {
    throw new InvalidValue(path, '32 bytes (0x and 64 hex digits)', value)
  }
  return value.toLowerCase() as Hash
}

/** Parses 32 bytes as a quantity: a storage slot's key or value in overrides. */
export const parseWord: Parser<bigint> = (value, path) => BigInt(parseHash(value, path))

/** Parses a storage slot's key: 32 bytes, or a quantity as some clients send it. */
export const parseSlot: Parser<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw new InvalidValue(path, 'a storage slot (0x and 1 to 64 hex digits)', value)
  }
  return BigInt(value)
}

/** Returns a quantity in its shortest form; zero is `0x0`. */
export function encodeQuantity(value: bigint | number): Hex {
  return `0x${value.toString(16)}`
}

/** Returns bytes as hex; no bytes are `0x`. */
export function encodeBytes(bytes: Uint8Array): Hex {
  return bytes.length === 0 ? '0x' : toHex(bytes)
}

/** The least length of code whose hex text is cached. Shorter code is converted as fast. */
const LONG_CODE = 128
const codeTexts = new WeakMap<Uint8Array, Hex>()

/** Returns the code of an account as hex. The text of long code is cached with it, as clients request it repeatedly. */
export function encodeCode(code: Uint8Array): Hex {
  if (code.length < LONG_CODE) return encodeBytes(code)
  let text = codeTexts.get(code)
  if (text === undefined) {
    text = encodeBytes(code)
    codeTexts.set(code, text)
  }
  return text
}

export function encodeWord(value: bigint): Hash {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/**
 * Numbers in the parameters of cheats, which as in other nodes may be JSON numbers, decimal text, have leading zeros,
 * or be "0x".
 */
const TEXT = /^(0x[0-9a-fA-F]{0,64}|[0-9]{1,78})$/

/** Returns a parser of a whole number from 0 to `max`. */
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

/** Parses a number of up to 256 bits, such as wei or a slot. */
export const parseAmount: Parser<bigint> = amountUpTo(2n ** 256n - 1n)
/** Parses a number of up to 64 bits, such as a nonce or gas. */
export const parseAmount64: Parser<bigint> = amountUpTo(2n ** 64n - 1n)
/** Parses seconds that a clock can count in milliseconds: up to the year 287,396. */
export const parseSeconds: Parser<number> = smallAmount(9_007_199_254_740)

/** Returns a parser of a whole number from 0 to `max`, which must be a safe integer. */
export function smallAmount(max: number): Parser<number> {
  const parse = amountUpTo(BigInt(max))
  return (value, path) => Number(parse(value, path))
}

/** Parses a word that may lack leading zeros. */
export const parsePaddedWord: Parser<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,64}$/.test(value)) {
    throw new InvalidValue(path, 'at most 32 bytes (0x and up to 64 hex digits)', value)
  }
  return BigInt(value === '0x' ? '0x0' : value)
}

/** Parses 32 bytes that may lack leading zeros. */
export const parsePaddedHash: Parser<Hash> = (value, path) => toHex(toWord(parsePaddedWord(value, path)))

export const parseAddresses: Parser<Address[]> = (value, path) =>
  Array.isArray(value) ? arrayOf(parseAddress)(value, path) : [parseAddress(value, path)]

export const parsePageSize = smallAmount(1_000_000)
