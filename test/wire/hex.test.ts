import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import {
  encodeBytes,
  encodeCode,
  encodeQuantity,
  encodeWord,
  parseAddress,
  parseBytes,
  parseHash,
  parseQuantity,
  parseSlot,
  parseUint8,
  parseUint64,
  parseWord,
} from '../../src/wire/hex.ts'
import { withRandom } from '../support/random/random.ts'
import { NO_TEXT, refusals } from '../support/random/refusals.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const HASH = `0x${'aB'.repeat(32)}`

describe('quantities', () => {
  it(
    'are the same after a round trip',
    withRandom((random) => {
      for (let i = 0; i < 1_000; i++) {
        const value = random.bigint(256)
        expect(parseQuantity(encodeQuantity(value), 'x')).toBe(value)
      }
    }),
  )

  it.each([
    [0n, '0x0'],
    [1n, '0x1'],
    [16n, '0x10'],
    [255, '0xff'],
    [31_337, '0x7a69'],
    [2n ** 256n - 1n, `0x${'f'.repeat(64)}`],
  ])('write %s as %s', (value, text) => {
    expect(encodeQuantity(value)).toBe(text)
    expect(parseQuantity(text, 'x')).toBe(BigInt(value))
  })

  it('may be written in capitals', () => {
    expect(parseQuantity('0xABCDEF', 'x')).toBe(0xabcdefn)
  })

  it.each([
    ['parseQuantity', parseQuantity, 256],
    ['parseUint64', parseUint64, 64],
    ['parseUint8', parseUint8, 8],
  ] as const)('fit into their bits: %s', (_, parse, bits) => {
    const largest = 2n ** BigInt(bits) - 1n
    expect(parse(encodeQuantity(largest), 'x')).toBe(largest)
    const larger = encodeQuantity(largest + 1n)
    const expected = `a quantity of at most ${bits} bits (0x and hex digits without leading zeros, such as "0x1a")`
    expect(() => parse(larger, 'params[0].gas')).toThrow(
      `params[0].gas: expected ${expected}, got "${larger}"`,
    )
  })

  refusals(parseQuantity, 'a quantity of at most 256 bits', [
    ...NO_TEXT,
    [null, 'null'],
    [undefined, 'nothing'],
    ['', '""'],
    ['0x', '"0x"'],
    ['0x00', '"0x00"'],
    ['0x01', '"0x01"'],
    ['0X1', '"0X1"'],
    ['1', '"1"'],
    ['-0x1', '"-0x1"'],
    ['0x-1', '"0x-1"'],
    ['0x1.5', '"0x1.5"'],
    ['0xg', '"0xg"'],
    [' 0x1', '" 0x1"'],
    ['0x1\n', '"0x1\\n"'],
    ['latest', '"latest"'],
  ])
})

describe('bytes', () => {
  it(
    'are the same after a round trip',
    withRandom((random) => {
      for (let i = 0; i < 300; i++) {
        const bytes = random.bytes(random.below(100))
        expect(parseBytes(encodeBytes(bytes), 'x')).toEqual(bytes)
      }
    }),
  )

  it('are 0x where there are none, and written in small letters', () => {
    expect(encodeBytes(new Uint8Array())).toBe('0x')
    expect(parseBytes('0x', 'x')).toEqual(new Uint8Array())
    expect(encodeBytes(parseBytes('0xABcd', 'x'))).toBe('0xabcd')
    expect(encodeBytes(Uint8Array.of(0, 1))).toBe('0x0001')
  })

  it('may be megabytes', () => {
    // More than a regular expression can count in pairs.
    const long = `0x${'ab'.repeat(10_000_000)}`
    expect(parseBytes(long, 'x').length).toBe(10_000_000)
    expect(() => parseBytes(`${long}c`, 'x')).toThrow('an even number of hex digits')
  })

  refusals(parseBytes, 'bytes (0x and an even number of hex digits)', [
    ...NO_TEXT,
    [null, 'null'],
    [undefined, 'nothing'],
    ['', '""'],
    ['00', '"00"'],
    ['0x0', '"0x0"'],
    ['0x000', '"0x000"'],
    ['0X00', '"0X00"'],
    ['0xgg', '"0xgg"'],
    ['0x00 ', '"0x00 "'],
    ['0x00\n', '"0x00\\n"'],
  ])
})

describe('addresses', () => {
  it('may be written in any case and become lower case', () => {
    const lower = ADDRESS.toLowerCase()
    for (const text of [ADDRESS, lower, `0x${ADDRESS.slice(2).toUpperCase()}`])
      expect(parseAddress(text, 'x')).toBe(lower)
  })

  refusals(parseAddress, 'a 20-byte address (0x and 40 hex digits)', [
    ...NO_TEXT,
    [null, 'null'],
    [undefined, 'nothing'],
    ['', '""'],
    ['0x', '"0x"'],
    ['0x12', '"0x12"'],
    [ADDRESS.slice(2), `"${ADDRESS.slice(2)}"`],
    [`${ADDRESS}0`, `"${ADDRESS}0"`],
    [ADDRESS.slice(0, -1), `"${ADDRESS.slice(0, -1)}"`],
    [`0X${ADDRESS.slice(2)}`, `"0X${ADDRESS.slice(2)}"`],
    [`${ADDRESS.slice(0, -1)}g`, `"${ADDRESS.slice(0, -1)}g"`],
    ['vitalik.eth', '"vitalik.eth"'],
  ])
})

describe('hashes and words', () => {
  it('may be written in any case and become lower case', () => {
    expect(parseHash(HASH, 'x')).toBe(HASH.toLowerCase())
  })

  it(
    'are the same after a round trip',
    withRandom((random) => {
      for (let i = 0; i < 300; i++) {
        const value = random.bigint(256)
        expect(encodeWord(value)).toHaveLength(66)
        expect(parseWord(encodeWord(value), 'x')).toBe(value)
        expect(parseSlot(encodeWord(value), 'x')).toBe(value)
        const bytes = random.bytes(32)
        expect(parseHash(toHex(bytes), 'x')).toBe(toHex(bytes))
      }
    }),
  )

  for (const parse of [parseHash, parseWord]) {
    refusals(parse, '32 bytes (0x and 64 hex digits)', [
      ...NO_TEXT,
      [null, 'null'],
      [undefined, 'nothing'],
      ['0x', '"0x"'],
      ['0x0', '"0x0"'],
      [HASH.slice(2), `"${HASH.slice(2)}"`],
      [HASH.slice(0, -1), `"${HASH.slice(0, -1)}"`],
      [`${HASH}0`, `"${HASH}0"`],
      [`${HASH.slice(0, -1)}x`, `"${HASH.slice(0, -1)}x"`],
    ])
  }
})

describe('slots', () => {
  it.each([
    ['0x0', 0n],
    ['0x00', 0n],
    ['0x1', 1n],
    ['0x0a', 10n],
    [`0x${'0'.repeat(63)}1`, 1n],
  ])('may be quantities and words: %s', (text, slot) => {
    expect(parseSlot(text, 'x')).toBe(slot)
  })

  refusals(parseSlot, 'a storage slot (0x and 1 to 64 hex digits)', [
    ...NO_TEXT,
    ['', '""'],
    ['0x', '"0x"'],
    ['1', '"1"'],
    ['0xg', '"0xg"'],
    [`0x${'0'.repeat(65)}`, `"0x${'0'.repeat(65)}"`],
  ])
})

describe('code', () => {
  it('of any length is written as its bytes are, however often', () => {
    for (const length of [0, 1, 127, 128, 24_576]) {
      const code = Uint8Array.from({ length }, (_, i) => i % 251)
      const expected = `0x${Buffer.from(code).toString('hex')}`
      expect([encodeCode(code), encodeCode(code), encodeCode(code.slice())]).toEqual([
        expected,
        expected,
        expected,
      ])
    }
  })
})
