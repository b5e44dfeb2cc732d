import { describe, expect, it } from 'vitest'
import { TAGS } from '../../src/model/block/selector.ts'
import { parseNumberOrTag, parseSelector, parseSelectorOrLatest } from '../../src/wire/selector.ts'
import { NO_TEXT, type Refused, refusal, refusals } from '../support/random/refusals.ts'

const HASH = `0x${'aB'.repeat(32)}`
const BLOCK = `a block: a number in hex without leading zeros, a 32-byte hash, or one of ${TAGS.join(', ')}`
const NUMBER = `a block number in hex without leading zeros, or one of ${TAGS.join(', ')}`

const NO_NUMBER: readonly Refused[] = [
  ['newest', '"newest"'],
  ['Latest', '"Latest"'],
  [' latest', '" latest"'],
  ['5', '"5"'],
  ['', '""'],
  ['0x', '"0x"'],
  ['0x00', '"0x00"'],
  ['0x01', '"0x01"'],
  ['0x10000000000000000', '"0x10000000000000000"'],
  [`0x${'1'.repeat(63)}`, `"0x${'1'.repeat(63)}"`],
]

describe('parseSelector', () => {
  it.each(TAGS)('reads the tag %s', (tag) => {
    expect(parseSelector(tag, 'x')).toEqual({ kind: 'tag', tag })
    expect(parseSelector({ blockNumber: tag }, 'x')).toEqual({ kind: 'tag', tag })
  })

  it.each([
    ['0x0', 0n],
    ['0x1A', 26n],
    ['0xffffffffffffffff', 2n ** 64n - 1n],
  ])('reads the number %s', (text, number) => {
    expect(parseSelector(text, 'x')).toEqual({ kind: 'number', number })
    expect(parseSelector({ blockNumber: text }, 'x')).toEqual({ kind: 'number', number })
  })

  it('reads a hash, which may have to be canonical', () => {
    const hash = HASH.toLowerCase()
    expect(parseSelector(HASH, 'x')).toEqual({ kind: 'hash', hash, requireCanonical: false })
    expect(parseSelector({ blockHash: HASH }, 'x')).toEqual({ kind: 'hash', hash, requireCanonical: false })
    for (const requireCanonical of [true, false]) {
      expect(parseSelector({ blockHash: HASH, requireCanonical }, 'x')).toEqual({
        kind: 'hash',
        hash,
        requireCanonical,
      })
    }
    expect(parseSelector({ blockHash: HASH, requireCanonical: null, blockNumber: null }, 'x')).toMatchObject({
      hash,
    })
  })

  it('reads a slice of a block by the number of both', () => {
    expect(parseSelector({ blockNumber: '0x5', slice: '0x2' }, 'x')).toEqual({
      kind: 'slice',
      number: 5n,
      slice: 2,
    })
    expect(parseSelector({ blockNumber: '0x5', slice: null }, 'x')).toEqual({ kind: 'number', number: 5n })
  })

  refusals(parseSelector, BLOCK, [
    ...NO_NUMBER,
    ...NO_TEXT.filter(([value]) => Array.isArray(value) || typeof value !== 'object'),
    [null, 'null'],
    [`${HASH.slice(0, -1)}x`, `"${HASH.slice(0, -1)}x"`],
  ])
  refusals(parseSelector, 'either blockHash or blockNumber (EIP-1898)', [
    [{}, 'an object'],
    [{ blockHash: null }, 'an object'],
    [{ blockHash: HASH, blockNumber: '0x0' }, 'an object'],
  ])

  it('says which member of an object is wrong', () => {
    const complain = (value: unknown) => refusal(() => parseSelector(value, 'params[1]')).message
    expect(complain({ blockHash: '0x12' })).toBe(
      'params[1].blockHash: expected 32 bytes (0x and 64 hex digits), got "0x12"',
    )
    expect(complain({ blockNumber: 7 })).toBe(`params[1].blockNumber: expected ${NUMBER}, got 7`)
    expect(complain({ blockNumber: 'latest', slice: '0x1' })).toMatch(
      /^params\[1\]\.blockNumber: expected a number in hex where a slice is given/,
    )
    expect(complain({ blockNumber: '0x5', slice: '1' })).toMatch(/^params\[1\]\.slice: expected a quantity/)
    expect(complain({ blockHash: HASH, requireCanonical: 'yes' })).toBe(
      'params[1].requireCanonical: expected true or false, got "yes"',
    )
  })
})

describe('parseSelectorOrLatest', () => {
  it('is latest where nothing is said', () => {
    for (const nothing of [undefined, null]) {
      expect(parseSelectorOrLatest(nothing, 'x')).toEqual({ kind: 'tag', tag: 'latest' })
    }
    expect(parseSelectorOrLatest('0x5', 'x')).toEqual({ kind: 'number', number: 5n })
    expect(() => parseSelectorOrLatest('', 'x')).toThrow(BLOCK)
  })
})

describe('parseNumberOrTag', () => {
  it('reads numbers and tags', () => {
    expect(parseNumberOrTag('0x5', 'x')).toEqual({ kind: 'number', number: 5n })
    expect(parseNumberOrTag('pending', 'x')).toEqual({ kind: 'tag', tag: 'pending' })
  })

  refusals(parseNumberOrTag, NUMBER, [
    ...NO_NUMBER,
    ...NO_TEXT,
    [null, 'null'],
    [undefined, 'nothing'],
    [HASH, `"${HASH}"`],
    [{ blockNumber: '0x5' }, 'an object'],
  ])
})
