/** What was fetched for a block is shared by all devnets of the process: the second one asks for the block alone. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf } from '../support/nodes/networkOf.ts'

type Fork = NonNullable<DevnetOptions['fork']>

let network: Devnet
let where: Market
let url: string
/** The methods that the network was asked over HTTP. */
const overHttp: string[] = []

/** Begins on the network, calls a contract, sends to it and mines. */
async function test(fork: Fork): Promise<void> {
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  const data = `0xa9059cbb${where.trader.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`
  await ask(devnet, 'eth_call', { from: where.owner, to: where.gold, data }, 'latest')
  await ask(devnet, 'eth_sendTransaction', { from: where.owner, to: where.gold, data })
  await devnet.mine()
  await ask(devnet, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x5')
}

/** The requests by which a fork finds its block. */
const OF_BLOCKS = new Set(['eth_chainId', 'eth_getBlockByNumber', 'eth_getBlockByHash'])

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual' })
  where = await market(network)
  url = (await network.listen({ port: 0 })).url
  network.on('request', ({ method }) => overHttp.push(method))
})

afterAll(() => network.close())

describe('a second devnet on the same block', () => {
  it('asks a provider for the block alone, and nothing about state', async () => {
    const { provider, asked } = askedOf(network)
    await test({ provider })
    expect(asked.some(({ method }) => method === 'eth_getStorageAt')).toBe(true)
    asked.length = 0
    await test({ provider })
    expect(asked.filter(({ method }) => !OF_BLOCKS.has(method))).toEqual([])
    expect(asked).toHaveLength(3)
  })

  it('asks a node of this machine for the block alone', async () => {
    await test({ url })
    expect(overHttp).toContain('eth_getStorageAt')
    overHttp.length = 0
    await test({ url })
    expect(overHttp.filter((method) => !OF_BLOCKS.has(method))).toEqual([])
  })

  it('asks for all of it with another provider, other headers or cache: false', async () => {
    const { provider, asked } = askedOf(network)
    await test({ provider })
    const first = asked.length
    asked.length = 0
    await test({ provider, cache: false })
    expect(asked.length).toBe(first)
    await test({ url })
    overHttp.length = 0
    await test({ url, headers: { 'x-key': 'another' } })
    expect(overHttp).toContain('eth_getStorageAt')
  })

  it('finds the fork block by itself with other headers, which may reach another node', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'preseal-cache-'))
    onTestFinished(() => rm(cache, { recursive: true }))
    const begin = async (headers: Record<string, string>) => {
      overHttp.length = 0
      await using _ = await createDevnet({ rhythm: 'manual', fork: { url, cache, block: 4, headers } })
      return [...overHttp]
    }
    expect(await begin({ 'x-key': 'one' })).toContain('eth_getBlockByNumber')
    expect(await begin({ 'x-key': 'one' })).toEqual([])
    expect(await begin({ 'x-key': 'two' })).toContain('eth_getBlockByNumber')
  })

  it('at the same time as the first fetches nothing twice', async () => {
    const { provider, asked } = askedOf(network)
    await Promise.all([test({ provider }), test({ provider })])
    const state = asked.filter(({ method }) => method === 'eth_getStorageAt' || method === 'eth_getCode')
    const texts = state.map((one) => JSON.stringify(one))
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('on another block shares nothing', async () => {
    const { provider, asked } = askedOf(network)
    const balance = async (block: number) => {
      await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider, block } })
      return ask(devnet, 'eth_getTransactionCount', where.owner, 'latest')
    }
    const [newer, older] = [await balance(4), await balance(2)]
    expect(BigInt(newer as string)).toBeGreaterThan(BigInt(older as string))
    expect(asked.filter(({ method }) => method === 'eth_getTransactionCount').length).toBeGreaterThan(2)
  })
})

it('what a sibling has fetched is in the state file of the one that read it', async () => {
  const { provider } = askedOf(network)
  await test({ provider })
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider } })
  const supply = { to: where.gold, data: '0x18160ddd' }
  const answer = await ask(devnet, 'eth_call', supply, 'latest')
  await using offline = await createDevnet({ rhythm: 'manual' })
  await offline.load(Buffer.concat([...devnet.dump()]))
  expect(await ask(offline, 'eth_call', supply, 'latest')).toBe(answer)
  // What it did not read is not there.
  expect(Buffer.concat([...devnet.dump()]).toString()).not.toContain('eth_getLogs')
})
