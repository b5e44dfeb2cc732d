/** Faults of requests, in process: late, refused and never answered, by method, by number and by chance, and taken back. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DevnetOptions } from '../../src/index.ts'
import { heard, pay, received } from '../support/chains/watched.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const manual = (options: DevnetOptions = {}) => started({ rhythm: 'manual', ...options })

const OVER_RATE_LIMIT = { code: -32016, message: 'over rate limit' }

describe('a request that is refused', () => {
  it('gets the error of your choice, and nothing is done', async () => {
    const devnet = await manual()
    const lines = heard(devnet)
    const error = { code: -32000, message: 'txpool is full', data: { size: 4096 } }
    await devnet.faults.rpcError({ method: 'eth_sendTransaction', ...error })
    await expect(pay(devnet)).rejects.toMatchObject(error)
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    await pay(devnet)
    expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
    expect(lines).toEqual(['requestFault rpcError eth_sendTransaction'])
  })

  it.each([
    ['eth_chainId', ['eth_chainId']],
    ['eth_*', ['eth_chainId', 'eth_gasPrice']],
    ['*', ['eth_chainId', 'eth_gasPrice', 'net_version']],
    [undefined, ['eth_chainId', 'eth_gasPrice', 'net_version']],
    ['web3_*', []],
  ])('is one that %s means', async (method, refused) => {
    const devnet = await manual()
    await devnet.faults.add({ kind: 'rpcError', method, code: -1, message: 'no', when: 'always' })
    const methods = ['eth_chainId', 'eth_gasPrice', 'net_version']
    const answers = await Promise.allSettled(methods.map((name) => ask(devnet, name)))
    expect(methods.filter((_, i) => answers[i]!.status === 'rejected')).toEqual(refused)
  })

  it('is never one that controls preseal', async () => {
    const devnet = await manual()
    await ask(devnet, 'preseal_addFault', { kind: 'rpcError', code: -1, message: 'no', when: 'always' })
    await expect(ask(devnet, 'eth_chainId')).rejects.toMatchObject({ code: -1 })
    expect(await ask(devnet, 'preseal_listFaults')).toHaveLength(1)
    expect(await ask(devnet, 'preseal_removeFault', '0x1')).toBe(true)
    expect(await ask(devnet, 'eth_chainId')).toBe('0x7a69')
  })

  it('is one of so many, or as chance will have it, the same with the same seed', async () => {
    const refused = async (when: { times: number } | { probability: number; seed: number }) => {
      const devnet = await manual()
      await devnet.faults.rpcError({ code: -1, message: 'no' }, when)
      const answers = await Promise.allSettled(Array.from({ length: 40 }, () => ask(devnet, 'eth_chainId')))
      return answers.map(({ status }) => (status === 'rejected' ? 'x' : '.')).join('')
    }
    expect(await refused({ times: 3 })).toBe(`xxx${'.'.repeat(37)}`)
    const first = await refused({ probability: 0.3, seed: 1 })
    expect(first).toMatch(/x.*\..*x/)
    expect(await refused({ probability: 0.3, seed: 1 })).toBe(first)
    expect(await refused({ probability: 0.3, seed: 2 })).not.toBe(first)
  })

  it('has no status in process, but its error: that of Base, or of your choice', async () => {
    const devnet = await manual()
    await devnet.faults.httpStatus({ status: 429 })
    await devnet.faults.httpStatus({ status: 503 })
    await devnet.faults.httpStatus({ status: 418, code: 7, message: 'a teapot' })
    await expect(ask(devnet, 'eth_chainId')).rejects.toMatchObject(OVER_RATE_LIMIT)
    await expect(ask(devnet, 'eth_chainId')).rejects.toMatchObject({
      code: -32011,
      message: 'no backend is currently healthy to serve traffic',
    })
    await expect(ask(devnet, 'eth_chainId')).rejects.toMatchObject({ code: 7, message: 'a teapot' })
    expect(await ask(devnet, 'eth_chainId')).toBe('0x7a69')
  })
})

describe('an answer that is late', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Whether `promise` is settled once all is done that can be done now. */
  async function isSettled(promise: Promise<unknown>): Promise<boolean> {
    let isDone = false
    void promise.finally(() => {
      isDone = true
    })
    await vi.advanceTimersByTimeAsync(0)
    return isDone
  }

  it('comes after so many milliseconds, until that is taken back', async () => {
    const devnet = await manual()
    const id = await devnet.faults.latency({ method: 'eth_chainId', ms: 300 })
    const answer = ask(devnet, 'eth_chainId')
    expect(await isSettled(ask(devnet, 'net_version'))).toBe(true)
    await vi.advanceTimersByTimeAsync(299)
    expect(await isSettled(answer)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await answer).toBe('0x7a69')
    await devnet.faults.remove(id)
    expect(await isSettled(ask(devnet, 'eth_chainId'))).toBe(true)
  })

  it('is one about the chain as it was when the question came', async () => {
    const devnet = await manual()
    await devnet.faults.latency({ method: 'eth_blockNumber', ms: 300 })
    const answer = ask(devnet, 'eth_blockNumber')
    await devnet.mine()
    await vi.advanceTimersByTimeAsync(300)
    expect(await answer).toBe('0x0')
  })

  it('is late by some number between two that the seed decides', async () => {
    const lateness = async (seed?: number) => {
      const devnet = await manual()
      await devnet.faults.latency(seed === undefined ? { ms: [100, 200] } : { ms: [100, 200], seed })
      const times: number[] = []
      for (let i = 0; i < 10; i++) {
        const asked = Date.now()
        const answered = ask(devnet, 'eth_chainId').then(() => times.push(Date.now() - asked))
        await vi.advanceTimersByTimeAsync(250)
        await answered
      }
      return times
    }
    const times = await lateness(3)
    expect(Math.min(...times)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...times)).toBeLessThanOrEqual(200)
    expect(new Set(times).size).toBeGreaterThan(4)
    expect(await lateness(3)).toEqual(times)
    expect(await lateness()).not.toEqual(times)
  })

  it('is late by all that is planned, and may be a refusal', async () => {
    const devnet = await manual()
    await devnet.faults.latency({ ms: 100 })
    await devnet.faults.latency({ method: 'eth_*', ms: 50 })
    await devnet.faults.httpStatus({ status: 429 })
    const refused = expect(ask(devnet, 'eth_chainId')).rejects.toMatchObject(OVER_RATE_LIMIT)
    const asked = Date.now()
    await vi.advanceTimersToNextTimerAsync()
    await refused
    expect(Date.now() - asked).toBe(150)
  })

  it('comes before any notification of the subscription that it tells of', async () => {
    const devnet = await manual()
    await devnet.faults.latency({ method: 'eth_subscribe', ms: 300 })
    const told: string[] = []
    devnet.on('message', ({ data }) => told.push(data.subscription))
    const subscribing = ask(devnet, 'eth_subscribe', 'newHeads')
    await devnet.mine()
    await vi.advanceTimersByTimeAsync(299)
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    const id = await subscribing
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([id])
  })

  it('comes at once when the devnet is closed, and leaves nothing at work', async () => {
    const devnet = await manual()
    await devnet.faults.latency({ ms: 3_000_000 })
    const answer = ask(devnet, 'eth_chainId')
    await devnet.close()
    expect(await answer).toBe('0x7a69')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a request that is never answered', () => {
  it('was carried out, and its answer lost', async () => {
    const devnet = await manual()
    await devnet.faults.timeout({ method: 'eth_sendTransaction' })
    void pay(devnet).catch(() => {})
    await devnet.mine()
    expect(await received(devnet, 'latest')).toBe(1)
  })

  it('never arrived, where that is asked for', async () => {
    const devnet = await manual()
    await devnet.faults.timeout({ method: 'eth_sendTransaction', lost: 'request' })
    void pay(devnet).catch(() => {})
    await devnet.mine()
    expect(await received(devnet, 'latest')).toBe(0)
  })

  it('ends when the devnet is closed', async () => {
    const devnet = await manual()
    await devnet.faults.timeout()
    const waiting = expect(ask(devnet, 'eth_chainId')).rejects.toMatchObject({
      code: 4900,
      message: 'the devnet is closed',
    })
    await devnet.close()
    await waiting
  })

  it('subscribes to nothing', async () => {
    const devnet = await manual()
    await devnet.faults.timeout({ method: 'eth_subscribe' })
    const told: unknown[] = []
    devnet.on('message', (message) => told.push(message))
    void ask(devnet, 'eth_subscribe', 'newHeads').catch(() => {})
    await devnet.mine()
    await ask(devnet, 'eth_chainId')
    expect(told).toEqual([])
  })
})

describe('logs that are refused', () => {
  async function ofBlocks(count: number, options: DevnetOptions = {}) {
    const devnet = await manual(options)
    for (let i = 0; i < count; i++) await devnet.seal()
    const logs = (fromBlock: string, toBlock: string) => ask(devnet, 'eth_getLogs', { fromBlock, toBlock })
    return { devnet, logs }
  }

  it('are those of more blocks than the provider allows, until that is taken back', async () => {
    const { devnet, logs } = await ofBlocks(20)
    const lines = heard(devnet)
    const id = await devnet.faults.logRange({ provider: 'alchemy', blocks: 10 })
    expect(await logs('0x1', '0xa')).toEqual([])
    await expect(logs('0x1', '0xb')).rejects.toMatchObject({
      code: -32600,
      message: expect.stringContaining('this block range should work: [0x1, 0xa]'),
    })
    await expect(logs('0x5', 'latest')).rejects.toMatchObject({
      message: expect.stringContaining('this block range should work: [0x5, 0xe]'),
    })
    expect(lines).toEqual(['requestFault logRange eth_getLogs', 'requestFault logRange eth_getLogs'])
    await devnet.faults.remove(id)
    expect(await logs('0x1', '0xb')).toEqual([])
  })

  it('are refused so many times, of which those that are small enough do not count', async () => {
    const { devnet, logs } = await ofBlocks(20)
    await devnet.faults.logRange({ provider: 'reth', blocks: 5 }, { times: 1 })
    await logs('0x1', '0x5')
    await expect(logs('0x1', '0x6')).rejects.toMatchObject({
      code: -32602,
      message: 'query exceeds max block range 5',
    })
    await logs('0x1', '0x6')
  })

  it('are refused for what is wrong with the question, if something is', async () => {
    const { devnet, logs } = await ofBlocks(20)
    await devnet.faults.logRange({ provider: 'infura', blocks: 5 })
    await expect(logs('0x01', '0x14')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('params[0].fromBlock'),
    })
  })

  it('are as many as a provider allows in all, where no number is given', async () => {
    const { devnet, logs } = await ofBlocks(1_001, { logRangeLimit: 0 })
    await devnet.faults.logRange({ provider: 'coinbase' })
    await logs('0x1', '0x3e8')
    await expect(logs('0x1', '0x3e9')).rejects.toMatchObject({
      code: -32005,
      message: 'please limit the query to at most 1000 blocks',
    })
  })

  it('are too many results', async () => {
    const devnet = await manual()
    const logger = '0x0000000000000000000000000000000000106106'
    await ask(devnet, 'hardhat_setCode', logger, '0x5f5fa05f5fa0') // LOG0, twice
    for (let i = 0; i < 3; i++) {
      await pay(devnet, 0, { to: logger, gas: '0x186a0' })
      await devnet.mine()
    }
    await devnet.faults.logRange({ provider: 'infura', results: 4 })
    const logs = (toBlock: string) => ask<unknown[]>(devnet, 'eth_getLogs', { fromBlock: '0x1', toBlock })
    expect(await logs('0x2')).toHaveLength(4)
    await expect(logs('0x3')).rejects.toMatchObject({
      code: -32005,
      message: 'query returned more than 4 results. Try with this block range [0x1, 0x2].',
      data: { from: '0x1', limit: 4, to: '0x2' },
    })
  })
})

describe('the context of a call on pending', () => {
  /** What NUMBER is in a call at `at`. */
  async function numberAt(devnet: Awaited<ReturnType<typeof manual>>, at: string): Promise<number> {
    const overrides = { [STRANGER]: { code: '0x435f5260205ff3' } }
    return Number(await ask(devnet, 'eth_call', { to: STRANGER }, at, overrides))
  }

  async function atBlock(count: number, options: DevnetOptions = {}) {
    const devnet = await manual(options)
    for (let i = 0; i < count; i++) await devnet.tick()
    return devnet
  }

  it('lags behind by so many blocks, until that is taken back', async () => {
    const devnet = await atBlock(10)
    expect(await numberAt(devnet, 'pending')).toBe(10)
    const id = await devnet.faults.contextLag(3)
    expect([await numberAt(devnet, 'pending'), await numberAt(devnet, 'latest')]).toEqual([7, 9])
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', false)).toMatchObject({ number: '0xa' })
    await devnet.faults.remove(id)
    expect(await numberAt(devnet, 'pending')).toBe(10)
  })

  it('lags by some number between two, the same with the same seed', async () => {
    const lags = async (seed: number) => {
      const devnet = await atBlock(10)
      await devnet.faults.add({ kind: 'contextLag', blocks: [0, 5], seed })
      const numbers = []
      for (let i = 0; i < 30; i++) numbers.push(10 - (await numberAt(devnet, 'pending')))
      return numbers
    }
    const first = await lags(1)
    expect([...new Set(first)].sort()).toEqual([0, 1, 2, 3, 4, 5])
    expect(await lags(1)).toEqual(first)
    expect(await lags(2)).not.toEqual(first)
  })

  it('goes by the option where it does not happen, and back no further than there are blocks', async () => {
    const devnet = await atBlock(3, { pendingContextLag: 1 })
    await devnet.faults.contextLag(200, { times: 1 })
    expect(await numberAt(devnet, 'pending')).toBe(0)
    expect(await numberAt(devnet, 'pending')).toBe(2)
    const pruned = await atBlock(9, { history: { blocks: 2 } })
    await pruned.faults.contextLag(5)
    expect(await numberAt(pruned, 'pending')).toBe(7)
  })
})

describe('strict mode', () => {
  it('gives a refusal on purpose the section of the method, as any error', async () => {
    const devnet = await manual({ strict: true })
    await devnet.faults.rpcError({ code: -32000, message: 'busy' })
    const text = '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x%s","latest"]}'
    const answer = await devnet.respond(text.replace('%s', '11'.repeat(20)))
    expect(JSON.parse(answer!).error).toEqual({ code: -32000, message: 'busy', data: 'seed section 4.7' })
  })
})
