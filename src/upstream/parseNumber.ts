/** Numbers in answers of other nodes. */
import { InvalidValue, type Parser } from '../wire/parser.ts'

/** Returns a parser of a number of at most `bits` bits. Some nodes write zeros in front, or leave them out. */
export function parseNumber(bits: number): Parser<bigint> {
  return (value, path) => {
    const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]{0,64}$/.test(value)
    const number = isHex ? BigInt(value === '0x' ? '0x0' : value) : undefined
    if (number === undefined || number >= 1n << BigInt(bits)) {
      throw new InvalidValue(path, `a number of at most ${bits} bits (0x and hex digits)`, value)
    }
    return number
  }
}
