/**
 * Numbers as people give them to cheats. The peers take more there than quantities: JSON numbers, leading zeros, decimal
 * text, and "0x" for zero, which Hardhat's helpers make of "0x00". The standard methods stay strict (`hex.ts`).
 */
import { type Address, type Hash, toHex, toWord } from '../model/bytes/hex.ts'
import { parseAddress } from './hex.ts'
import { arrayOf, InvalidValue, type Parser } from './parser.ts'

const TEXT = /^(0x[0-9a-fA-F]{0,64}|[0-9]{1,78})$/

/** A whole number from 0 to `max`. */
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

/** Wei, a slot. */
export const parseAmount: Parser<bigint> = amountUpTo(2n ** 256n - 1n)
/** Nonces, gas. */
export const parseAmount64: Parser<bigint> = amountUpTo(2n ** 64n - 1n)
/** Seconds that a clock can count in milliseconds: up to the year 287,396. */
export const parseSeconds: Parser<number> = smallAmount(9_007_199_254_740)

/** A whole number from 0 to `max`, which is small enough for JavaScript's. */
export function smallAmount(max: number): Parser<number> {
  const parse = amountUpTo(BigInt(max))
  return (value, path) => Number(parse(value, path))
}

/** A word of which leading zeros may be missing. */
export const parsePaddedWord: Parser<bigint> = (value, path) => {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,64}$/.test(value)) {
    throw new InvalidValue(path, 'at most 32 bytes (0x and up to 64 hex digits)', value)
  }
  return BigInt(value === '0x' ? '0x0' : value)
}

/** 32 bytes of which leading zeros may be missing. */
export const parsePaddedHash: Parser<Hash> = (value, path) => toHex(toWord(parsePaddedWord(value, path)))

/** An address, or a list of them, as Tenderly's methods take it. */
export const parseAddresses: Parser<Address[]> = (value, path) =>
  Array.isArray(value) ? arrayOf(parseAddress)(value, path) : [parseAddress(value, path)]
