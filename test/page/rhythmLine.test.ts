/** What the line in time draws, as numbers. */
import { expect, test } from 'vitest'
import { type LiveBlock, Rhythm } from '../../src/page/live/rhythm.ts'
import {
  blockAt,
  blocksShown,
  fullHeight,
  gapsIn,
  highestShown,
  lookOf,
  timeAt,
  xOf,
} from '../../src/page/views/now/rhythmCanvas.ts'

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

/** A block that was sealed at `sealedMs`, 100 ms after it was opened. */
const block = (number: number, sealedMs: number, transactions: number): LiveBlock => ({
  number,
  hash: `0x${number}`,
  openedMs: sealedMs - 100,
  sealedMs,
  slices: [],
  timestamp: 0,
  transactions,
  gasUsed: 0,
  gasLimit: 1,
  baseFeePerGas: undefined,
  removedMs: undefined,
})

/** Two busy blocks, half an hour apart, and then 1,204 empty ones. The last ten are known. */
function quietChain() {
  const rhythm = new Rhythm()
  rhythm.earlier = [block(1, 1_000, 1)]
  rhythm.blocks = [block(900, 1_801_000, 2)]
  for (let number = 2_095; number <= 2_104; number++)
    rhythm.blocks.push(block(number, 1_801_000 + (number - 900) * 100, 0))
  const [nowMs, windowMs, widthPx] = [2_000_000, 6_000, 600]
  const scale = { widthPx, nowMs, endMs: nowMs, windowMs, gaps: gapsIn(rhythm, nowMs, windowMs) }
  return { rhythm, scale }
}

test('a time without transactions has a sixth of the width, and its blocks are counted', () => {
  const { rhythm, scale } = quietChain()
  expect(scale.gaps).toEqual([
    { fromMs: 1_801_000, toMs: 2_000_000, shownMs: 1_000, blocks: 1_204 },
    { fromMs: 1_000, toMs: 1_800_900, shownMs: 1_000, blocks: 898 },
  ])
  expect(blocksShown(rhythm, scale).map(({ number }) => number)).toEqual([900, 1])
  expect([2_000_000, 1_801_000, 1_800_900, 1_000, 900].map((ms) => Math.round(xOf(ms, scale)))).toEqual([
    600, 500, 490, 390, 380,
  ])
  expect(blockAt(495, scale, rhythm)?.number).toBe(900)
  expect(blockAt(550, scale, rhythm)).toBeUndefined()
})

test('each place on the line has one time', () => {
  const { scale } = quietChain()
  for (let x = 0; x <= 600; x += 7) expect(xOf(timeAt(x, scale), scale)).toBeCloseTo(x, 6)
})

test('blocks follow each other without a gap while there are transactions', () => {
  const rhythm = new Rhythm()
  for (let number = 1; number <= 50; number++) rhythm.blocks.push(block(number, number * 100, number % 3))
  expect(gapsIn(rhythm, 5_050, 6_000)).toEqual([])
})
