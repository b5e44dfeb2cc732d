/**
 * A state file that anvil 1.7.1 wrote of a chain that it had forked from a network with the market, after block 4:
 * `fixtures/stateFiles/anvilOfFork.json`. In block 5 the market's owner sent 7 of the gold to the trader.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet, type DevnetOptions, optionsOfState } from '../../src/index.ts'
import { hashHeader } from '../../src/model/block/header.ts'
import { parseHeader } from '../../src/wire/header.ts'
import { ask } from '../support/clients/clients.ts'
import { failure } from '../support/nodes/networkOf.ts'

interface AnvilFile {
  readonly blocks: { header: { parentHash: string } }[]
  readonly transactions: { block_hash: string; receipt: object }[]
}

let network: Devnet
let where: Market
let file: Buffer
let fileHash: string
/** The balance of the trader on the network. */
let before: bigint

const goldOf = async (devnet: Devnet, account: string, tag = 'latest') => {
  const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`
  return BigInt(await ask<string>(devnet, 'eth_call', { to: where.gold, data }, tag))
}
const fork = (options: DevnetOptions = {}) =>
  createDevnet({ rhythm: 'manual', fork: { provider: network, block: 4 }, ...options })

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual' })
  where = await market(network)
  before = await goldOf(network, where.trader)
  await network.mine(3)
  // The market of the file may have had another hash of its block: all else of it is the same.
  const url = new URL('../../fixtures/stateFiles/anvilOfFork.json', import.meta.url)
  const state = JSON.parse(readFileSync(url, 'utf8')) as AnvilFile
  const [block] = state.blocks
  const own = await ask<{ hash: string }>(network, 'eth_getBlockByNumber', '0x4', false)
  block!.header.parentHash = own.hash
  fileHash = hashHeader(parseHeader(block!.header, 'header'))
  for (const transaction of state.transactions) transaction.block_hash = fileHash
  file = Buffer.from(JSON.stringify(state))
})

afterAll(() => network.close())

it('is loaded by a fork of the same network, whatever its block was, and goes on there', async () => {
  for (const block of [4, 6]) {
    await using devnet = await fork({ fork: { provider: network, block } })
    await devnet.load(file)
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
      number: '0x5',
      hash: fileHash,
    })
    const { transactions } = await ask<{ transactions: string[] }>(
      devnet,
      'eth_getBlockByNumber',
      '0x5',
      false,
    )
    expect(await ask(devnet, 'eth_getTransactionReceipt', transactions[0])).toMatchObject({
      status: '0x1',
      from: where.owner.toLowerCase(),
      logs: [{ address: where.gold.toLowerCase() }],
    })
    // What anvil changed, what it did not read, and what the network had before.
    expect(await goldOf(devnet, where.trader)).toBe(before + 7n)
    expect(await goldOf(devnet, where.pool)).toBe(await goldOf(network, where.pool))
    expect(await goldOf(devnet, where.trader, '0x4')).toBe(before)
    const [owner] = devnet.accounts
    expect(await ask(devnet, 'eth_getTransactionCount', owner!.address, 'latest')).toBe('0xe')
    await devnet.send({ to: where.trader, value: 1n })
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x6')
  }
})

it('goes on in a state file of the devnet, without a network', async () => {
  await using devnet = await fork()
  await devnet.load(file)
  await goldOf(devnet, where.trader)
  const dumped = Buffer.concat([...devnet.dump()])
  await using other = await createDevnet({ rhythm: 'manual', ...(await optionsOfState(dumped)) })
  await other.load(dumped)
  expect(await goldOf(other, where.trader)).toBe(before + 7n)
  expect(await ask(other, 'eth_getBlockByNumber', '0x5', false)).toMatchObject({ hash: fileHash })
})

it('says where it can be loaded to a devnet without a network, and to one of another', async () => {
  await using plain = await createDevnet({ rhythm: 'manual' })
  expect(await failure(plain.load(file))).toMatch(
    /was forked by anvil at block 4 \(0x\w{64}\).*load it in a devnet with fork: \{ url, block: 4 \} \(--fork-url URL@4\)/,
  )
  expect(await ask(plain, 'eth_blockNumber')).toBe('0x0')

  await using elsewhere = await createDevnet({ rhythm: 'manual', timestamp: 1_800_000_000 })
  await elsewhere.mine(5)
  await using other = await createDevnet({ rhythm: 'manual', fork: { provider: elsewhere, block: 4 } })
  expect(await failure(other.load(file))).toMatch(/no block to fork from: .*the node does not have it/)
  expect(await ask(other, 'eth_blockNumber')).toBe('0x4')
})

it('is loaded over JSON-RPC, too', async () => {
  await using devnet = await fork()
  await ask(devnet, 'anvil_loadState', `0x${file.toString('hex')}`)
  expect(await goldOf(devnet, where.trader)).toBe(before + 7n)
})
