import { describe, expect, test } from 'vitest'
import { absenceOf, momentOf, wordsOf } from '../../src/page/moment.ts'

describe('the moment in the address of a view', () => {
  test.each([
    ['pending', 'pending', 'pending'],
    ['latest', 'latest', 'latest'],
    ['12', '0xc', 'block 12'],
    ['0', '0x0', 'block 0'],
    ['12.3', { blockNumber: '0xc', slice: '0x3' }, 'block 12 after slice 3'],
  ])('%s is a block parameter of JSON-RPC and has words', (text, block, words) => {
    const moment = momentOf(text)
    expect(moment).toMatchObject({ text, block })
    expect(wordsOf(moment!)).toBe(words)
  })

  test.each(['', 'Pending', 'newest', '-1', '1.', '.1', '1.2.3', '0xc', '1e3', '9'.repeat(16)])(
    '%j is no moment',
    (text) => {
      expect(momentOf(text)).toBeUndefined()
    },
  )

  test('zeros in front of a number are left out', () => {
    expect(momentOf('0012.03')).toMatchObject({ text: '12.3', block: { blockNumber: '0xc', slice: '0x3' } })
  })
})

describe('a moment that is not there', () => {
  test.each([
    ['99', [], 'There is no block 99 at present: the newest is 8.'],
    ['9', undefined, 'There is no block 9 at present: the newest is 8.'],
    ['10.1', undefined, 'There is no block 10 at present: the newest is 8.'],
    ['5.9', [1, 2, 3], 'Block 5 has no slice 9: it has slices 1 to 3.'],
    ['5.1', [], 'Block 5 has no slice 1: none are kept.'],
    ['9.2', [1, 2], undefined],
    ['5', undefined, undefined],
    ['latest', undefined, undefined],
  ])('%s, with slices %j of it', (text, slices, expected) => {
    expect(absenceOf(momentOf(text)!, 8, slices)).toBe(expected)
  })
})
