/** What the page keeps of what happens: transactions by state, blocks with their slices, the line of time. */
import { describe, expect, test, vi } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { DevnetClock } from '../../src/page/live/clock.ts'
import { SameChain } from '../../src/page/live/connection.ts'
import type { PresealEvent } from '../../src/page/live/events.ts'
import { isBusy, openBlockOf, Rhythm } from '../../src/page/live/rhythm.ts'
import { LiveTransactions } from '../../src/page/live/transactions.ts'
import type { RpcBlockFill } from '../../src/wire/encode.ts'
import { SOON } from '../support/clients/until.ts'

const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}` as const
const quantity = (n: number) => `0x${n.toString(16)}` as const
const fill = (transactionCount: number, deposits = 0): RpcBlockFill => ({
  timestamp: '0x1',
  transactionCount: quantity(transactionCount),
  depositCount: quantity(deposits),
  gasUsed: quantity(21_000 * transactionCount),
  gasLimit: '0x1c9c380',
  baseFeePerGas: '0x7',
})

const accepted = (n: number, time = 0): PresealEvent => ({
  kind: 'accepted',
  time,
  hash: hash(n),
  from: '0xaa',
  to: null,
  nonce: quantity(n),
})
const preconfirmed = (
  block: number,
  slice: number,
  of: number[],
  time = 0,
  failed: number[] = [],
  deposits = 0,
): PresealEvent => ({
  kind: 'preconfirmed',
  time,
  blockNumber: quantity(block),
  slice: quantity(slice),
  transactions: of.map(hash),
  failed: failed.map(hash),
  sliceGasUsed: quantity(21_000 * of.length),
  block: fill(of.length, deposits),
})
const sealed = (
  block: number,
  of: number[],
  time = 0,
  failed: number[] = [],
  deposits = 0,
): PresealEvent => ({
  kind: 'sealed',
  time,
  blockNumber: quantity(block),
  blockHash: hash(1_000_000 + block),
  transactions: of.map(hash),
  failed: failed.map(hash),
  block: fill(of.length, deposits),
})
const reorged = (block: number, of: number[], time = 0): PresealEvent => ({
  kind: 'reorged',
  time,
  blocks: [
    {
      blockNumber: quantity(block),
      blockHash: hash(1_000_000 + block),
      transactions: of.map(hash),
    },
  ],
})

function transactionsAfter(...events: PresealEvent[]): LiveTransactions {
  const transactions = new LiveTransactions()
  for (const event of events) transactions.apply(event)
  return transactions
}
const inState = ({ all }: LiveTransactions, state: string) =>
  [...all.values()].filter((one) => one.state === state).length
function rhythmAfter(...events: PresealEvent[]): Rhythm {
  const rhythm = new Rhythm()
  for (const event of events) rhythm.apply(event)
  return rhythm
}

test('a transaction goes from waiting over pre-confirmed to sealed, at the time when it was accepted', () => {
  const transactions = transactionsAfter(accepted(1, 10), preconfirmed(5, 2, [1], 200))
  expect(transactions.all.get(hash(1))).toMatchObject({ state: 'preconfirmed', firstMs: 10 })
  transactions.apply(sealed(5, [1], 400))
  expect(transactions.all.get(hash(1))).toMatchObject({ state: 'sealed', firstMs: 10 })
})

test('a transaction has failed if its block says so, whatever the slice before said', () => {
  const transactions = transactionsAfter(accepted(1), accepted(2), preconfirmed(5, 1, [1, 2], 200, [1]))
  const failed = () => [...transactions.all.values()].map(({ hasFailed }) => hasFailed)
  expect(failed()).toEqual([true, false])
  transactions.apply(sealed(5, [1, 2], 400, [2]))
  expect(failed()).toEqual([false, true])
})

test('after a reorganisation sealed transactions are away, pre-confirmed ones wait again, and what the chain put in is gone', () => {
  const transactions = transactionsAfter(
    accepted(1),
    accepted(2),
    preconfirmed(1, 1, [1]),
    sealed(1, [1]),
    preconfirmed(2, 1, [99, 2], 0, [], 1),
    reorged(1, [1]),
  )
  expect([...transactions.all.values()].map(({ hash, state }) => [hash, state])).toEqual([
    [hash(1), 'reorged'],
    [hash(2), 'waiting'],
  ])
})

test('a transaction that the page first saw in a block waits if the block is sealed without it', () => {
  const transactions = transactionsAfter(preconfirmed(1, 1, [99, 5], 0, [], 1), sealed(1, [99], 0, [], 1))
  expect(transactions.all.get(hash(5))).toMatchObject({ state: 'waiting' })
  expect(transactions.all.get(hash(99))).toMatchObject({ state: 'sealed' })
})

test('a restored chain has no transactions of the one before', () => {
  expect(transactionsAfter(accepted(1), { kind: 'restored', time: 1 }).all.size).toBe(0)
})

test('thirty thousand transactions leave some thousand, of which those that wait are forgotten last', () => {
  const transactions = new LiveTransactions()
  for (let n = 0; n < 1_000; n++) transactions.apply(accepted(n))
  for (let n = 1_000; n < 31_000; n++) {
    transactions.apply(accepted(n))
    transactions.apply(sealed(n, [n]))
  }
  expect(transactions.all.size).toBeLessThanOrEqual(6_000)
  expect(inState(transactions, 'waiting')).toBe(1_000)
  expect([...transactions.all.keys()].at(-1)).toBe(hash(30_999))
})

test('a block of eighteen thousand transactions leaves those that are known, and adds no others', () => {
  const transactions = new LiveTransactions()
  const all = Array.from({ length: 18_000 }, (_, n) => n)
  for (const n of all) transactions.apply(accepted(n))
  transactions.apply(preconfirmed(1, 1, all))
  transactions.apply(sealed(1, all))
  expect(transactions.all.size).toBeLessThanOrEqual(6_000)
  const left = [...transactions.all.values()]
  expect(left.filter(({ state, isDeposit }) => state !== 'sealed' || isDeposit)).toEqual([])
})

test('the open block has its slices, and is sealed with them', () => {
  const rhythm = rhythmAfter(preconfirmed(1, 1, [1, 2], 200), preconfirmed(1, 2, [], 400))
  expect(rhythm.open).toMatchObject({
    number: 1,
    slices: [
      { index: 1, atMs: 200, transactions: 2, gasUsed: 42_000 },
      { index: 2, atMs: 400, transactions: 0 },
    ],
  })
  rhythm.apply(sealed(1, [1, 2], 600))
  expect(rhythm.open).toBeUndefined()
  expect(rhythm.blocks).toMatchObject([{ number: 1, sealedMs: 600, slices: [{}, {}], transactions: 2 }])
})

test('a slice that is told twice is one', () => {
  const slice = preconfirmed(1, 1, [1])
  expect(rhythmAfter(slice, slice).open?.slices).toHaveLength(1)
})

test('a block that was reorganised away stays, marked, before the one in its place', () => {
  const rhythm = rhythmAfter(sealed(1, [1], 100), reorged(1, [1], 150), sealed(1, [], 200))
  expect(rhythm.blocks).toMatchObject([
    { number: 1, removedMs: 150 },
    { number: 1, removedMs: undefined },
  ])
  expect(rhythm.marks).toMatchObject([{ kind: 'reorged', text: '1 block reorganised away' }])
})

test('a block that a reorganisation removed has a width, also if it was sealed before the page was opened', () => {
  const rhythm = rhythmAfter(sealed(1, [1], 100), reorged(1, [1], 150), reorged(7, [3], 900))
  const [known, unknown] = [rhythm.blocks[0]!, rhythm.earlier[0]!]
  expect(known.sealedMs! - known.openedMs).toBeGreaterThanOrEqual(50)
  expect(unknown).toMatchObject({ number: 7, removedMs: 900, transactions: 1 })
  expect(unknown.sealedMs! - unknown.openedMs).toBeGreaterThanOrEqual(50)
})

test('of ten thousand empty blocks the newest stay, and of those before them the ones with transactions', () => {
  const rhythm = new Rhythm()
  for (let n = 1; n <= 10_000; n++) rhythm.apply(sealed(n, n % 1_000 === 7 ? [n] : [], n * 100))
  expect(rhythm.blocks.filter(({ transactions }) => transactions > 0).map(({ number }) => number)).toEqual(
    Array.from({ length: 10 }, (_, i) => i * 1_000 + 7),
  )
  expect(rhythm.blocks.length).toBeLessThanOrEqual(4_000)
})

test('a block with nothing but a deposit of the chain itself counts as empty', () => {
  const rhythm = rhythmAfter(sealed(1, [99], 100, [], 1), accepted(1), sealed(2, [98, 1], 200, [], 1))
  expect(rhythm.blocks.map(isBusy)).toEqual([false, true])
})

test('ten thousand blocks leave the newest of them', () => {
  const rhythm = new Rhythm()
  for (let n = 1; n <= 10_000; n++) rhythm.apply(sealed(n, [], n))
  expect(rhythm.blocks.length).toBeLessThanOrEqual(4_000)
  expect(rhythm.blocks.at(-1)?.number).toBe(10_000)
})

test('blocks of one moment, as of a manual clock, have room on the line, and what follows comes after them', () => {
  const clock = new DevnetClock()
  const times = [sealed(1, []), sealed(2, []), sealed(3, []), accepted(1)].map(
    (event) => clock.placed(event).time,
  )
  expect(times).toEqual([0, 50, 100, 100])
  clock.note(0, 1_000)
  expect(clock.nowMs(1_000)).toBe(100)
  expect(clock.timeMs(1_000)).toBe(0)
})

test('a clock that runs goes on between events, and one that stands still does not', () => {
  const clock = new DevnetClock()
  clock.set({ nowMs: 10_000, isRunning: true }, 0)
  clock.note(10_200, 200)
  expect(clock.nowMs(700)).toBe(10_700)
  clock.set({ nowMs: 10_700, isRunning: false }, 700)
  clock.note(10_900, 5_000)
  expect(clock.nowMs(9_000)).toBe(10_900)
})

test("what is kept of a devnet's own events agrees with the devnet", async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    profile: 'base-flashblocks',
    consoleLogs: false,
  })
  const transactions = new LiveTransactions()
  const rhythm = new Rhythm()
  devnet.on('message', ({ data }) => {
    for (const event of data.result as unknown as PresealEvent[]) {
      transactions.apply(event)
      rhythm.apply(event)
    }
  })
  await devnet.request({ method: 'eth_subscribe', params: ['presealEvents'] })
  const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
  const send = () => devnet.send({ from, to, value: 1n, until: 'accepted' })
  await send()
  await devnet.tick()
  await send()
  await devnet.tick()
  await send()
  await vi.waitUntil(() => transactions.all.size === 4, SOON)
  expect(inState(transactions, 'waiting')).toBe(1)
  expect(rhythm.open?.slices.map((slice) => slice.transactions)).toEqual([1, 1, 1])
  await devnet.mine()
  await vi.waitUntil(() => rhythm.blocks.length > 0, SOON)
  const block = await devnet.request({ method: 'eth_getBlockByNumber', params: ['0x1', false] })
  expect(rhythm.blocks.at(-1)).toMatchObject({
    number: 1,
    hash: block!.hash,
    transactions: block!.transactions.length,
    gasUsed: Number(block!.gasUsed),
  })
  expect(inState(transactions, 'waiting')).toBe(0)
})

test('the open block is asked for in numbers, of which there are as many for each slice', async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    ticksPerBlock: 40,
    consoleLogs: false,
  })
  const [from, to] = devnet.accounts.map(({ address }) => address) as [`0x${string}`, `0x${string}`]
  const answers: string[] = []
  const source = {
    async request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
      const answer = await devnet.request({ method, params } as never)
      answers.push(JSON.stringify(answer))
      return answer as T
    },
  }
  expect(await openBlockOf(source, 0)).toBeUndefined()
  const grow = async (slices: number) => {
    for (let i = 0; i < slices; i++) {
      for (let j = 0; j < 3; j++) await devnet.send({ from, to, value: 1n, until: 'accepted' })
      await devnet.tick()
    }
    const open = await openBlockOf(source, 0)
    return { open, bytes: Math.max(...answers.slice(-2).map(({ length }) => length)) }
  }
  const { bytes } = await grow(10)
  const later = await grow(10)
  expect(later.open).toMatchObject({ number: 1, transactions: 60, gasUsed: 60 * 21_000 })
  expect(later.open!.slices.map(({ transactions }) => transactions)).toEqual(Array(20).fill(3))
  expect(later.bytes / bytes).toBeLessThan(2.1)
})

test('a sealed block is not open, also where nothing came behind it', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const source = {
    request: <T>(method: string, params: readonly unknown[] = []) =>
      devnet.request({ method, params } as never) as Promise<T>,
  }
  await devnet.mine(2)
  expect(await openBlockOf(source, 0)).toBeUndefined()
  await devnet.tick()
  expect(await openBlockOf(source, 0)).toMatchObject({ number: 3 })
})

describe('when a connection is there again', () => {
  const asking = (devnet: Devnet) => ({
    request: <T>(method: string, params: readonly unknown[] = []) =>
      devnet.request({ method, params } as never) as Promise<T>,
  })
  const head = (devnet: Devnet) =>
    devnet.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }) as Promise<never>

  test('the chain that goes on is the same', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    const same = new SameChain()
    expect(await same.difference(asking(devnet), undefined)).toBeUndefined()
    await devnet.mine(2)
    const before = await head(devnet)
    await devnet.mine(2)
    expect(await same.difference(asking(devnet), before)).toBeUndefined()
  })

  test('one that was started anew is told, and one with another id', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual' })
    await using anew = await createDevnet({ rhythm: 'manual' })
    await using other = await createDevnet({ rhythm: 'manual', chainId: 10 })
    const same = new SameChain()
    await same.difference(asking(devnet), undefined)
    await devnet.mine(2)
    const before = await head(devnet)
    expect(await same.difference(asking(anew), before)).toMatch(/block 2 is no longer part of it/)
    expect(await same.difference(asking(other), await head(anew))).toBe('The devnet has another chain now.')
  })
})
