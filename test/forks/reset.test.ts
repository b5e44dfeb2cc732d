/** `anvil_reset` and `hardhat_reset` begin a chain anew on its network, as viem's `reset` asks for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf, failure } from '../support/nodes/networkOf.ts'

let network: Devnet
let url: string

const transfer = (devnet: Devnet) => devnet.send({ to: devnet.accounts[1]!.address, value: 1n })

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual' })
  for (let i = 0; i < 5; i++) await transfer(network)
  url = (await network.listen({ port: 0 })).url
})

afterAll(() => network.close())

it('without a network goes back to the fork block', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: 3 } })
  await transfer(devnet)
  await ask(devnet, 'anvil_reset')
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x3')
  expect(await ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, 'latest')).toBe('0x3')
})

it('with a block goes on from there', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: 3 } })
  await transfer(devnet)
  for (const [method, blockNumber, number] of [
    ['hardhat_reset', 5, '0x5'],
    ['anvil_reset', '0x2', '0x2'],
  ] as const) {
    await ask(devnet, method, { forking: { blockNumber } })
    expect(await ask(devnet, 'eth_blockNumber')).toBe(number)
    expect(await ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, 'latest')).toBe(number)
    expect(await ask(devnet, 'eth_getBlockByNumber', number, true)).toEqual(
      await ask(network, 'eth_getBlockByNumber', number, true),
    )
  }
  expect(await ask(devnet, 'eth_getBlockByNumber', '0x5', false)).toBeNull()
  await transfer(devnet)
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x3')
})

it('asks for the block and the accounts, and not for hardforks, which stay', async () => {
  const { provider, asked } = askedOf(network)
  await using devnet = await createDevnet({ rhythm: 'manual', accounts: 0, fork: { provider, block: 3 } })
  expect(asked.map(({ method }) => method)).toContain('eth_config')
  asked.length = 0
  await ask(devnet, 'anvil_reset', { forking: { blockNumber: 2 } })
  expect(asked.map(({ method }) => method).sort()).toEqual([
    'eth_chainId',
    'eth_getBlockByNumber',
    'eth_getBlockByNumber',
  ])
})

it('with a URL begins on that network, also where there was none', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  await transfer(devnet)
  await ask(devnet, 'anvil_reset', { forking: { jsonRpcUrl: url, blockNumber: 4 } })
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x4')
  expect(await ask(devnet, 'eth_getBlockByNumber', '0x4', false)).toEqual(
    await ask(network, 'eth_getBlockByNumber', '0x4', false),
  )
  expect(await ask(devnet, 'hardhat_metadata')).toMatchObject({ forkedNetwork: { forkBlockNumber: 4 } })
  // A fork of it is on the network, too.
  await using local = devnet.fork()
  expect(await ask(local, 'eth_getBlockByNumber', '0x1', false)).toEqual(
    await ask(network, 'eth_getBlockByNumber', '0x1', false),
  )
})

it('is refused for another chain id, and for a block without a network; the chain stays', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', chainId: 7 })
  await transfer(devnet)
  expect(await failure(ask(devnet, 'anvil_reset', { forking: { jsonRpcUrl: url } }))).toContain(
    'has the chain id 31337, this devnet 7',
  )
  expect(await failure(ask(devnet, 'anvil_reset', { forking: { blockNumber: 1 } }))).toContain(
    'on no network',
  )
  expect(await failure(ask(devnet, 'anvil_reset', { forking: { jsonRpcUrl: 'node.example' } }))).toContain(
    'expected a URL of http, https, ws or wss',
  )
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
})

it('compares the chain id of the network, also where the option `chainId` gave the chain another', async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    chainId: 7,
    fork: { provider: network, block: 3 },
  })
  await ask(devnet, 'anvil_reset', { forking: { blockNumber: 2 } })
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x2')
  expect(await ask(devnet, 'eth_chainId')).toBe('0x7')
})

it('on another block than that of the file of the cache is refused, and on another network without a look at it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'preseal-reset-'))
  await using other = await createDevnet({ rhythm: 'manual', chainId: 5 })
  const { url: otherUrl } = await other.listen({ port: 0 })
  const fork = { url, block: 3, cache: join(folder, 'network.jsonl') }
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  const reset = ask(devnet, 'anvil_reset', { forking: { blockNumber: 2 } })
  await expect(reset).rejects.toMatchObject({
    code: -32000,
    message: expect.stringMatching(
      /network\.jsonl is a cache of block 3 .*, and the fork is of block 2 .*name another file/,
    ),
  })
  expect(await failure(ask(devnet, 'hardhat_reset', { forking: { jsonRpcUrl: otherUrl } }))).toContain(
    'has the chain id 5, the network of this devnet 31337',
  )
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x3')
  rmSync(folder, { recursive: true })
})
