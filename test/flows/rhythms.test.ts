/** What makes blocks: time, commands alone, or each transaction at once. */
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

const START = 1_735_689_600 // 2025-01-01T00:00:00Z
/** Too long to come by itself in a test. */
const LONG = 3_600_000

function pay(devnet: Devnet, fields: object = {}): Promise<Hex> {
  const payment = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1', ...fields }
  return ask(devnet, 'eth_sendTransaction', payment)
}

async function latest(devnet: Devnet): Promise<{ number: number; timestamp: number; transactions: Hex[] }> {
  const block = await ask<{ number: Hex; timestamp: Hex; transactions: Hex[] }>(
    devnet,
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  return {
    number: Number(block.number),
    timestamp: Number(block.timestamp),
    transactions: block.transactions,
  }
}

async function blockNumber(devnet: Devnet): Promise<number> {
  return Number(await ask(devnet, 'eth_blockNumber'))
}

async function received(devnet: Devnet): Promise<{ latest: number; pending: number }> {
  return {
    latest: Number(await ask(devnet, 'eth_getBalance', STRANGER, 'latest')),
    pending: Number(await ask(devnet, 'eth_getBalance', STRANGER, 'pending')),
  }
}

describe('the manual rhythm', () => {
  it('begins in 2025, and its time stands still', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await latest(devnet)).toEqual({ number: 0, timestamp: START, transactions: [] })
    await devnet.mine()
    await devnet.mine()
    expect(await latest(devnet)).toMatchObject({ number: 2, timestamp: START })
  })

  it('begins when it is told to', async () => {
    const devnet = await started({ rhythm: 'manual', timestamp: 1_000 })
    expect(await latest(devnet)).toMatchObject({ number: 0, timestamp: 1_000 })
  })

  it('moves its time by a tick with each tick', async () => {
    const devnet = await started({ rhythm: 'manual', tickMs: 1_500 })
    for (let tick = 0; tick < 5; tick++) await devnet.tick()
    // Block 4 was opened by the fourth tick, after six seconds, and sealed by the fifth.
    expect(await latest(devnet)).toMatchObject({ number: 4, timestamp: START + 6 })
  })

  it('makes each tick that falls due while time is moved', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.advance({ ms: 400 })
    expect(await blockNumber(devnet)).toBe(1)
    await devnet.advance({ ms: 100 })
    expect(await blockNumber(devnet)).toBe(1)
    await devnet.advance({ ms: 100 })
    expect(await blockNumber(devnet)).toBe(2)
    await devnet.advance({ ms: 12_000 })
    expect(await blockNumber(devnet)).toBe(62)
    expect((await latest(devnet)).timestamp).toBe(START + 12)
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('does not move its time by %s ms', async (ms) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(devnet.advance({ ms })).rejects.toThrow(`expected milliseconds of at least 0, got ${ms}`)
  })

  it('answers questions while it makes many ticks', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const advancing = devnet.advance({ ms: 5_000 * 200 })
    const seen = new Set<number>()
    for (let done = false; !done; ) {
      void advancing.then(() => {
        done = true
      })
      await new Promise((resolve) => setImmediate(resolve))
      seen.add(await blockNumber(devnet))
    }
    expect(seen.size).toBeGreaterThan(2)
    expect(await blockNumber(devnet)).toBe(4_999)
  })

  it('pre-confirms at a tick and seals at the next', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    expect(await received(devnet)).toEqual({ latest: 0, pending: 0 })
    await devnet.tick()
    expect(await received(devnet)).toEqual({ latest: 0, pending: 1 })
    await devnet.tick()
    expect(await received(devnet)).toEqual({ latest: 1, pending: 1 })
  })

  it('seals what is pre-confirmed and leaves what waits, when asked to seal', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    await devnet.tick()
    await pay(devnet)
    await devnet.seal()
    expect(await received(devnet)).toEqual({ latest: 1, pending: 1 })
    expect(await ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, 'pending')).toBe('0x2')
  })

  it('seals an empty block when there is nothing to seal', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await pay(devnet)
    await devnet.seal()
    expect(await latest(devnet)).toMatchObject({ number: 1, transactions: [] })
  })

  it('takes in what waits and seals it, when asked to mine', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const first = await pay(devnet)
    await devnet.tick()
    const second = await pay(devnet)
    await devnet.mine()
    expect(await latest(devnet)).toMatchObject({ number: 1, transactions: [first, second] })
  })

  it('leaves pending at latest once a block was sealed alone', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.mine()
    const block = await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', true)).toEqual(block)
  })

  it('obeys commands in their order, though nobody waits for them', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const commands = [devnet.tick(), pay(devnet, { gas: '0x5208' }), devnet.mine(), devnet.tick()]
    await Promise.all(commands)
    await devnet.seal()
    expect(await blockNumber(devnet)).toBe(2)
    expect(await received(devnet)).toMatchObject({ latest: 1 })
  })

  it('makes no empty blocks where it is told not to', async () => {
    const devnet = await started({ rhythm: 'manual', sealEmptyBlocks: false })
    for (let tick = 0; tick < 10; tick++) await devnet.tick()
    expect(await blockNumber(devnet)).toBe(0)
    await pay(devnet)
    await devnet.tick()
    await devnet.tick()
    expect(await latest(devnet)).toMatchObject({ number: 1, timestamp: START + 2 })
    await devnet.tick()
    expect(await blockNumber(devnet)).toBe(1)
  })

  it('tells who listens what happens, until they have heard enough', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const heard: string[] = []
    const off = [
      devnet.on('accepted', ({ hash }) => heard.push(`accepted ${hash}`)),
      devnet.on('preconfirmed', (_, added) => heard.push(`preconfirmed ${added.map(({ hash }) => hash)}`)),
      devnet.on('sealed', ({ block }) => heard.push(`sealed ${block.header.number}`)),
      devnet.on('dropped', ({ hash }, { kind }) => heard.push(`dropped ${hash} ${kind}`)),
    ]
    const cheap = await pay(devnet, { nonce: '0x0', gasPrice: numberToHex(2n * 10n ** 9n) })
    const dear = await pay(devnet, { nonce: '0x0', gasPrice: numberToHex(3n * 10n ** 9n) })
    await devnet.tick()
    await devnet.seal()
    for (const stop of off) stop()
    await devnet.mine()
    expect(heard).toEqual([
      `accepted ${cheap}`,
      `dropped ${cheap} replaced`,
      `accepted ${dear}`,
      `preconfirmed ${dear}`,
      'sealed 1',
    ])
  })
})

describe('the interval rhythm', () => {
  it('makes blocks as time passes', async () => {
    const devnet = await started({ tickMs: 20 })
    await vi.waitUntil(async () => (await blockNumber(devnet)) >= 3, SOON)
    const { timestamp } = await latest(devnet)
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(30)
  })

  it('pre-confirms and seals what it is sent', async () => {
    const devnet = await started({ tickMs: 50 })
    const heard: string[] = []
    devnet.on('preconfirmed', (_, added) => heard.push(...added.map(({ hash }) => `preconfirmed ${hash}`)))
    devnet.on('sealed', ({ block }) => heard.push(...block.transactions.map(({ hash }) => `sealed ${hash}`)))
    const hash = await pay(devnet)
    await vi.waitUntil(async () => (await received(devnet)).latest === 1, SOON)
    expect(heard).toEqual([`preconfirmed ${hash}`, `sealed ${hash}`])
  })

  it('can be steered besides', async () => {
    const devnet = await started({ tickMs: LONG })
    await pay(devnet)
    await devnet.tick()
    expect(await received(devnet)).toEqual({ latest: 0, pending: 1 })
    await devnet.tick()
    expect(await received(devnet)).toEqual({ latest: 1, pending: 1 })
    await devnet.mine()
    expect(await blockNumber(devnet)).toBe(2)
  })

  it('moves its time when it is steered, and goes on from there', async () => {
    const devnet = await started({ tickMs: LONG })
    const { timestamp } = await latest(devnet)
    await devnet.advance({ ms: 3 * LONG })
    expect(await blockNumber(devnet)).toBe(2)
    await devnet.mine()
    const moved = (await latest(devnet)).timestamp - timestamp
    expect(moved).toBeGreaterThanOrEqual(3 * 3_600)
    expect(moved).toBeLessThan(3 * 3_600 + 60)
  })

  it('ends with its devnet', async () => {
    const devnet = await started({ tickMs: 1 })
    const sealed = vi.fn()
    devnet.on('sealed', sealed)
    await vi.waitUntil(() => sealed.mock.calls.length > 2, SOON)
    await devnet.close()
    const count = sealed.mock.calls.length
    // Many ticks fall due while another devnet makes twenty blocks.
    const other = await started({ tickMs: 1 })
    await vi.waitUntil(async () => (await blockNumber(other)) > 20, SOON)
    expect(sealed.mock.calls.length).toBe(count)
  })
})

describe('the instant rhythm', () => {
  it('seals each transaction at once, in a block of its own', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const hashes = [await pay(devnet), await pay(devnet), await pay(devnet)]
    for (const [i, hash] of hashes.entries()) {
      const receipt = await ask(devnet, 'eth_getTransactionReceipt', hash)
      expect(receipt).toMatchObject({ blockNumber: numberToHex(i + 1), transactionIndex: '0x0' })
    }
    expect(await received(devnet)).toEqual({ latest: 3, pending: 3 })
  })

  it('has nothing pre-confirmed afterwards', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await pay(devnet)
    const block = await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', true)).toEqual(block)
  })

  it('pre-confirms before it seals, for those who listen', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const heard: string[] = []
    devnet.on('preconfirmed', () => heard.push('preconfirmed'))
    devnet.on('sealed', () => heard.push('sealed'))
    await pay(devnet)
    expect(heard).toEqual(['preconfirmed', 'sealed'])
  })

  it('keeps a transaction that comes too early until its predecessor is there', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const late = await pay(devnet, { nonce: '0x1' })
    expect(await blockNumber(devnet)).toBe(0)
    const early = await pay(devnet, { nonce: '0x0' })
    expect(await latest(devnet)).toMatchObject({ number: 1, transactions: [early, late] })
  })

  it('seals a transaction that fails', async () => {
    const devnet = await started({ rhythm: 'instant' })
    const deployment = await pay(devnet, { to: null, value: '0x0', data: Reverter.bytecode })
    const { contractAddress } = await ask<{ contractAddress: Hex }>(
      devnet,
      'eth_getTransactionReceipt',
      deployment,
    )
    // No such function.
    const hash = await pay(devnet, { to: contractAddress, value: '0x0', data: '0x12345678', gas: '0xffff' })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0', logs: [] })
  })

  it('can be steered besides', async () => {
    const devnet = await started({ rhythm: 'instant' })
    await devnet.mine()
    await devnet.mine()
    expect(await blockNumber(devnet)).toBe(2)
    const { timestamp } = await latest(devnet)
    await devnet.advance({ ms: 100_000 })
    expect(await blockNumber(devnet)).toBe(2)
    await pay(devnet)
    expect((await latest(devnet)).timestamp).toBeGreaterThanOrEqual(timestamp + 100)
  })
})
