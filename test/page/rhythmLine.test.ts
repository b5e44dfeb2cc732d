/** What the line in time draws, as numbers. */
import { expect, test } from 'vitest'
import { fullHeight, highestShown, lookOf } from '../../src/page/views/now/rhythmCanvas.ts'

test('few columns of many transactions leave the others as high as they are', () => {
  const counts = [...Array<number>(99).fill(20), 400]
  expect(highestShown(counts, 9)).toBe(20)
})

test('columns that fit are shown in full', () => {
  expect(highestShown([1, 1, 1, 1, 9], 9)).toBe(9)
  expect(highestShown([], 9)).toBe(9)
})

test('blocks are drawn against the least round share of the gas limit that the fullest fits in', () => {
  expect(
    fullHeight([
      { gasUsed: 70, gasLimit: 1_000 },
      { gasUsed: 10, gasLimit: 1_000 },
    ]),
  ).toBe(0.1)
  expect(fullHeight([])).toBe(0.01)
})

test.each([
  ['preconfirmed', true, 'failed'],
  ['sealed', true, 'failed'],
  ['sealed', false, 'sealed'],
  // It may succeed in another block.
  ['waiting', true, 'waiting'],
  ['reorged', true, 'reorged'],
] as const)('a transaction that is %s, and failed: %s, looks %s', (state, hasFailed, look) => {
  expect(lookOf({ state, hasFailed })).toBe(look)
})
