/** When a value from a chain is the one that a test expects. */
import { describe, expect, it } from 'vitest'
import { isSame, shown } from '../../src/testing/matchers/sameValue.ts'

const SAME: readonly [what: string, expected: unknown, actual: unknown][] = [
  ['numbers of both kinds', 5, 5n],
  ['numbers of both kinds, the other way round', 5n, 5],
  ['hex in any case', '0xABcd', '0xabCD'],
  ['texts', 'Gold', 'Gold'],
  ['yes and no', true, true],
  ['lists', [1, '0xA', [2n]], [1n, '0xa', [2]]],
  ['tuples with names, by name', { amount: 5, note: 'x' }, { note: 'x', amount: 5n }],
  ['tuples with names, by place', [5, 'x'], { amount: 5n, note: 'x' }],
  ['what an asymmetric matcher accepts', expect.any(BigInt), 5n],
  ['what one accepts within', [expect.anything(), { a: expect.any(String) }], ['x', { a: 'y' }]],
]

const DIFFERENT: readonly [what: string, expected: unknown, actual: unknown][] = [
  ['other numbers', 5, 6n],
  ['a number and its text', 5n, '5'],
  ['a number and yes', 1, true],
  ['no whole number', 5.5, 5n],
  ['texts in another case', 'gold', 'Gold'],
  ['hex with zeros before it', '0x01', '0x1'],
  ['shorter lists', [1n], [1n, 2n]],
  ['a list and nothing', [], undefined],
  ['tuples with more in them', { amount: 5n }, { amount: 5n, note: 'x' }],
  ['tuples with other names', { a: 5n }, { b: 5n }],
  ['nothing', null, undefined],
  ['what an asymmetric matcher refuses', expect.any(Number), 5n],
]

describe('what is expected', () => {
  it.each(SAME)('is the same: %s', (_, expected, actual) => {
    expect(isSame(expected, actual)).toBe(true)
  })

  it.each(DIFFERENT)('is different: %s', (_, expected, actual) => {
    expect(isSame(expected, actual)).toBe(false)
  })

  it('is shown as people write it', () => {
    const value = [5n, 'text', '0xAb', { a: true, b: [undefined] }, expect.any(BigInt), null]
    expect(shown(value)).toBe('[5, "text", 0xAb, {a: true, b: [undefined]}, Any<BigInt>, null]')
  })
})
