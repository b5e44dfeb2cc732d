import { describe, expect, it } from 'vitest'
import {
  amountUpTo,
  parseAddresses,
  parseAmount,
  parsePaddedHash,
  parsePaddedWord,
  smallAmount,
} from '../../src/wire/hex.ts'
import { InvalidValue } from '../../src/wire/parser.ts'

const MAX = `0x${'f'.repeat(64)}`
const ONE = `0x${'11'.repeat(20)}` as const

describe('an amount', () => {
  it.each([
    [0, 0n],
    [7, 7n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    ['0x', 0n],
    ['0x0', 0n],
    ['0x1a', 26n],
    ['0x001A', 26n],
    ['26', 26n],
    ['000', 0n],
    [MAX, 2n ** 256n - 1n],
  ])('is %j', (value, amount) => {
    expect(parseAmount(value, 'x')).toBe(amount)
  })

  it.each([
    undefined,
    null,
    '',
    'x',
    '-1',
    '0x-1',
    ' 1',
    '1.0',
    '1e3',
    -1,
    1.5,
    2 ** 53,
    Number.NaN,
    true,
    {},
    [],
  ])('is not %j', (value) => {
    expect(() => parseAmount(value, 'x')).toThrow(InvalidValue)
  })

  it('is not more than it may be', () => {
    expect(amountUpTo(5n)('5', 'x')).toBe(5n)
    expect(() => amountUpTo(5n)(6, 'params[0]')).toThrow('params[0]: expected a whole number from 0 to 5')
    expect(() => parseAmount(`1${'0'.repeat(77)}9`, 'x')).toThrow(InvalidValue)
    expect(() => parseAmount(String(2n ** 256n), 'x')).toThrow(InvalidValue)
    expect(smallAmount(10)('0xa', 'x')).toBe(10)
  })
})

describe('a padded word', () => {
  it.each([
    ['0x', 0n],
    ['0x7', 7n],
    ['0x07', 7n],
    [MAX, 2n ** 256n - 1n],
  ])('is %j', (value, word) => {
    expect(parsePaddedWord(value, 'x')).toBe(word)
    expect(BigInt(parsePaddedHash(value, 'x'))).toBe(word)
    expect(parsePaddedHash(value, 'x')).toHaveLength(66)
  })

  it.each([undefined, null, 7, '', '7', '0xg', `${MAX}0`])('is not %j', (value) => {
    expect(() => parsePaddedWord(value, 'x')).toThrow(InvalidValue)
  })
})

describe('addresses', () => {
  it('are one or many', () => {
    expect(parseAddresses(ONE, 'x')).toEqual([ONE])
    expect(parseAddresses([ONE, ONE], 'x')).toEqual([ONE, ONE])
    expect(() => parseAddresses([ONE, 'x'], 'params[0]')).toThrow('params[0][1]')
  })
})
