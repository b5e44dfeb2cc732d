/** The blocks that were sealed before the page was opened, on the line of what happens. */
import { expect, test } from 'vitest'
import { createDevnet } from '../../src/index.ts'
import { earlierBlocks, type ListedBlock, placedBlocks } from '../../src/page/live/blockList.ts'
import { openedMsOf, Rhythm } from '../../src/page/live/rhythm.ts'

const listed = (number: number, timestamp: number): ListedBlock => ({
  number,
  hash: `0x${number}`,
  timestamp,
  transactions: 0,
  slices: undefined,
  gasUsed: 0,
  gasLimit: 1,
  baseFeePerGas: undefined,
  removed: [],
})

/** The places of blocks of these seconds, the oldest first. */
const places = (seconds: readonly number[], endMs: number) =>
  placedBlocks(seconds.map((second, index) => listed(index + 1, second)).reverse(), endMs).map(
    ({ number, openedMs, sealedMs }) => [number, openedMs, sealedMs],
  )

test('a block is open from its second until that of the next', () => {
  expect(places([10, 12, 14], 16_500)).toEqual([
    [1, 10_000, 12_000],
    [2, 12_000, 14_000],
    [3, 14_000, 16_500],
  ])
})

test('blocks of one second share the time until the next', () => {
  expect(places([10, 10, 10, 10, 10, 11], 11_200)).toEqual([
    [1, 10_000, 10_200],
    [2, 10_200, 10_400],
    [3, 10_400, 10_600],
    [4, 10_600, 10_800],
    [5, 10_800, 11_000],
    [6, 11_000, 11_200],
  ])
})

test('blocks have some room where the time stands still, or was set back', () => {
  expect(places([10, 10, 99], 10_000)).toEqual([
    [1, 9_850, 9_900],
    [2, 9_900, 9_950],
    [3, 9_950, 10_000],
  ])
})

test('the first block that is told of was opened in its second, unless others may have been sealed in that', () => {
  expect(openedMsOf({ timestamp: 10 }, 11_300)).toBe(10_000)
  expect(openedMsOf({ timestamp: 10 }, 10_900)).toBe(10_900)
  expect(openedMsOf({ timestamp: 99 }, 10_900)).toBe(10_900)
})

test('a block that was asked for while the next had no slice ends where that one begins', () => {
  const rhythm = new Rhythm()
  rhythm.earlier = placedBlocks([listed(2, 12), listed(1, 10)], 15_500)
  rhythm.apply({
    kind: 'preconfirmed',
    time: 15_600,
    blockNumber: '0x3',
    slice: '0x1',
    sliceGasUsed: '0x0',
    transactions: [],
    failed: [],
    block: {
      number: '0x3',
      timestamp: '0xe',
      transactionCount: '0x0',
      gasUsed: '0x0',
      gasLimit: '0x1',
      baseFeePerGas: null,
    },
  } as never)
  expect(rhythm.open?.openedMs).toBe(14_000)
  expect(rhythm.earlier.map(({ openedMs, sealedMs }) => [openedMs, sealedMs])).toEqual([
    [10_000, 12_000],
    [12_000, 14_000],
  ])
})

test('a devnet is asked for pages of blocks until they are older than what is seen', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', consoleLogs: false })
  const from = devnet.accounts[0]!.address
  for (let i = 0; i < 250; i++) {
    await devnet.request({ method: 'evm_increaseTime', params: [1] } as never)
    await devnet.send({ from, to: from, value: 1n, until: 'accepted' })
    await devnet.mine()
  }
  let asked = 0
  const source = {
    async request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
      asked++
      return (await devnet.request({ method, params } as never)) as T
    },
  }
  const { time } = await source.request<{ time: number }>('preseal_getRhythm')
  asked = 0
  const seen = await earlierBlocks(source, { before: undefined, windowMs: 12_000, endMs: time })
  expect(asked).toBe(1)
  expect(seen.at(-1)).toMatchObject({ number: 250, sealedMs: time, slices: [] })
  asked = 0
  const before = await earlierBlocks(source, {
    before: 151,
    windowMs: 300_000,
    endMs: seen[0]!.openedMs,
  })
  expect(asked).toBe(1)
  expect([before[0]!.number, before.at(-1)!.number]).toEqual([1, 150])
})

test('a block that is told of while earlier ones are asked for is not there twice, nor one that is reorganised away', () => {
  const rhythm = new Rhythm()
  const [one, two, three] = placedBlocks([listed(3, 3), listed(2, 2), listed(1, 1)], 4_000)
  rhythm.earlier = [one!, two!, three!]
  const block = {
    timestamp: '0x3',
    transactionCount: '0x0',
    depositCount: '0x0',
    gasUsed: '0x0',
    gasLimit: '0x1',
    baseFeePerGas: null,
  } as const
  rhythm.apply({
    kind: 'sealed',
    time: 4_000,
    blockNumber: '0x3',
    blockHash: '0x3',
    transactions: [],
    failed: [],
    block,
  })
  expect(rhythm.earlier.map(({ number }) => number)).toEqual([1, 2])
  const blocks = [{ blockNumber: '0x2', blockHash: '0x2', transactions: [] }] as const
  rhythm.apply({ kind: 'reorged', time: 4_100, blocks })
  // It keeps its place, where it is struck through.
  expect(rhythm.earlier).toMatchObject([
    { number: 1, removedMs: undefined },
    { number: 2, removedMs: 4_100 },
  ])
})
