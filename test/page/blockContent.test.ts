/** What the view of a block asks for: as much as is seen, however much is in the block. */
import { expect, test } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { ListedRows, pagesOf } from '../../src/page/live/load.ts'
import { contentOf } from '../../src/page/source/source.ts'
import { atSlice, shownBlock } from '../../src/page/views/block/block.ts'

/** Asks a devnet, and notes what was asked and how many characters were answered. */
function noted(devnet: Devnet) {
  const asked: { method: string; length: number }[] = []
  const request = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const answer = await devnet.request({ method, params } as never)
    asked.push({ method, length: JSON.stringify(answer).length })
    return answer as T
  }
  return { asked, request }
}

async function sends(devnet: Devnet, count: number): Promise<void> {
  const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
  for (let i = 0; i < count; i++) await devnet.send({ from, to, value: 1n, until: 'accepted' })
  await devnet.tick()
}

const made = () =>
  createDevnet({ rhythm: 'manual', ticksPerBlock: 100, gasLimit: 100_000_000n, consoleLogs: false })

test('an open block costs the same with each slice, however many transactions it has', async () => {
  await using devnet = await made()
  await sends(devnet, 5)
  const { asked, request } = noted(devnet)
  let shown = (await shownBlock('pending', request))!
  expect(shown).toMatchObject({ transactionCount: 5, logCount: 0, at: 'pending', latest: 0 })
  const costs: number[] = []
  for (let i = 0; i < 3; i++) {
    await sends(devnet, 100)
    asked.length = 0
    shown = (await shownBlock('pending', request, shown))!
    costs.push(asked.reduce((sum, { length }) => sum + length, 0))
  }
  expect(shown.transactionCount).toBe(305)
  expect(shown.slices.map(({ transactionCount }) => Number(transactionCount))).toEqual([5, 100, 100, 100])
  for (const cost of costs) expect(cost).toBeLessThan(3_000)
  asked.length = 0
  const rows = await shown.content.transactions(250, 300)
  expect(rows.map(({ index }) => Number(index))).toEqual(Array.from({ length: 50 }, (_, i) => 250 + i))
  expect(asked.map(({ method }) => method)).toEqual(['preseal_listTransactions'])
})

test('slices of another block with the same number are asked for anew', async () => {
  await using devnet = await made()
  const { request } = noted(devnet)
  await devnet.tick()
  const snapshot = await devnet.request({ method: 'evm_snapshot' })
  await sends(devnet, 4)
  const before = (await shownBlock('pending', request))!
  await devnet.request({ method: 'evm_revert', params: [snapshot] } as never)
  await sends(devnet, 1)
  await sends(devnet, 7)
  const after = (await shownBlock('pending', request, before))!
  const counts = after.slices.map(({ transactionCount }) => Number(transactionCount))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(after.transactionCount)
})

test('a block after one of its slices has what was in it then', async () => {
  await using devnet = await made()
  await sends(devnet, 2)
  await sends(devnet, 3)
  await devnet.seal()
  const { request } = noted(devnet)
  const shown = (await shownBlock('1', request))!
  expect(shown).toMatchObject({ transactionCount: 5, at: shown.block.hash })
  expect(shown.fees!.burnt).toBe(BigInt(shown.block.gasUsed) * BigInt(shown.block.baseFeePerGas!))
  const then = atSlice(shown, 1)!
  expect(then).toMatchObject({ transactionCount: 2, fees: undefined })
  expect(Number(then.block.gasUsed)).toBe(42_000)
  expect(then.block.stateRoot).toBeNull()
  expect(atSlice(shown, 9)).toBeUndefined()
  expect(await shownBlock('7', request)).toBeNull()
})

test('a block of the network below a fork is asked for whole', async () => {
  await using network = await made()
  await sends(network, 3)
  await network.seal()
  await network.mine()
  await using fork = await createDevnet({ rhythm: 'manual', consoleLogs: false, fork: { provider: network } })
  const { asked, request } = noted(fork)
  for (const [id, count] of [
    ['1', 3],
    ['latest', 0],
  ] as const) {
    const shown = (await shownBlock(id, request))!
    expect(shown).toMatchObject({ transactionCount: count, slices: [] })
    expect(shown.fees).toBeDefined()
    expect(await shown.content.transactions(1, 9)).toHaveLength(Math.max(0, count - 1))
  }
  expect(asked.map(({ method }) => method)).toContain('eth_getBlockReceipts')
  await sends(fork, 2)
  await fork.seal()
  asked.length = 0
  expect(await shownBlock('latest', request)).toMatchObject({ transactionCount: 2 })
  expect(asked.map(({ method }) => method)).not.toContain('eth_getBlockReceipts')
})

test('more than one request answers is asked for in several, until there are no more', async () => {
  const asked: unknown[] = []
  const answer = (part: { limit: number; after?: number }) => {
    const first = (part.after ?? -1) + 1
    return Array.from({ length: Math.max(0, Math.min(part.limit, 1_500 - first)) }, (_, i) => first + i)
  }
  const request = async <T>(_: string, [, part]: readonly unknown[] = []): Promise<T> => {
    asked.push(part)
    return { transactions: answer(part as never) } as T
  }
  const content = contentOf({ request }, 'pending')
  expect(await content.transactions(0, 2_000)).toHaveLength(1_500)
  expect(asked).toEqual([{ limit: 1_000 }, { limit: 1_000, after: 999 }, { limit: 500, after: 1_499 }])
})

test('rows are asked for in whole pages, and the oldest are forgotten', () => {
  expect(pagesOf({ first: 0, end: 30 }, 1_000)).toEqual({ first: 0, end: 50 })
  expect(pagesOf({ first: 49, end: 51 }, 1_000)).toEqual({ first: 0, end: 100 })
  expect(pagesOf({ first: 950, end: 990 }, 980)).toEqual({ first: 950, end: 980 })
  expect(pagesOf({ first: 12, end: 35 }, 1_000, 10)).toEqual({ first: 10, end: 40 })
  expect(pagesOf({ first: 0, end: 0 }, 0)).toEqual({ first: 0, end: 0 })
  const rows = new ListedRows<string>()
  rows.take(0, ['a', 'b', 'c'])
  expect([rows.at(2), rows.missing(3), rows.missing(5)]).toEqual(['c', undefined, 3])
  for (let first = 100; first < 6_000; first += 100) rows.take(first, Array(100).fill('x'))
  expect([rows.at(0), rows.at(5_999)]).toEqual([undefined, 'x'])
  rows.keep({ first: 5_990, end: 6_000 })
  expect([rows.at(5_989), rows.at(5_990)]).toEqual([undefined, 'x'])
})
