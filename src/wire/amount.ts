/**
 * Numbers in the parameters of cheat methods. As in other nodes, these accept more than quantities: JSON numbers,
 * leading zeros, decimal text, and "0x" for zero, which Hardhat's helpers send in place of "0x00". Standard methods are
 * strict (`hex.ts`).
 */
import { type Address, type Hash, toHex, toWord } from '../bytes/hex.ts'
import { parseAddress } from './hex.ts'
import { arrayOf, InvalidValue, type Parser } from './parser.ts'

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

/** Parses a word without some or all of its leading zeros. */
export const parsePaddedWord: Parser<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,64}$/.test(value)) {
    throw new InvalidValue(path, 'at most 32 bytes (0x and up to 64 hex digits)', value)
  }
  return BigInt(value === '0x' ? '0x0' : value)
}

/** Parses 32 bytes without some or all of their leading zeros. */
export const parsePaddedHash: Parser<Hash> = (value, path) => toHex(toWord(parsePaddedWord(value, path)))

/** Parses an address, or a list of them, as Tenderly's methods take. */
export const parseAddresses: Parser<Address[]> = (value, path) =>
  Array.isArray(value) ? arrayOf(parseAddress)(value, path) : [parseAddress(value, path)]

/** Parses the number or the size of a page of Otterscan. */
export const parsePageSize = smallAmount(1_000_000)
