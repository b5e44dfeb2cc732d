import { describe, expect, test } from 'vitest'
import { momentOf, wordsOf } from '../../src/page/moment.ts'

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
