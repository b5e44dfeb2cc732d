/** viem's test client on a fork: what it does to accounts and contracts that are on the network alone. */
import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
  toHex,
  walletActions,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { devnetChain, STRANGER } from '../support/clients/clients.ts'

/** With ether and a nonce on the network, and with no key anywhere. */
const RICH = '0x0000000000000000000000000000000000007777'
const BLOCK = 4n

let network: Devnet
let url: string
let store: Hex

const set = (value: bigint) => encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [0n, value] })

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'instant' })
  await network.request({ method: 'anvil_setBalance', params: [RICH, toHex(parseEther('70'))] })
  await network.request({ method: 'anvil_setNonce', params: [RICH, '0x7'] })
  const { address } = await network.deploy(Store)
  store = address
  await network.send({ to: store, data: set(5n) })
  await network.mine(2)
  expect(await network.request({ method: 'eth_blockNumber' })).toBe(toHex(BLOCK))
  url = (await network.listen({ port: 0 })).url
})

afterAll(() => network.close())

async function client(mode: 'anvil' | 'hardhat' | 'ganache') {
  const devnet = await createDevnet({ rhythm: 'instant', fork: { url } })
  const transport = http((await devnet.listen({ port: 0 })).url, { retryCount: 0 })
  const test = createTestClient({ mode, chain: devnetChain, transport, cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const get = (): Promise<bigint> =>
    test.readContract({ address: store, abi: Store.abi, functionName: 'get', args: [0n] })
  return { test, get, [Symbol.asyncDispose]: () => devnet.close() }
}

describe.each(['anvil', 'hardhat', 'ganache'] as const)('viem as a test client of %s', (mode) => {
  it('sets balance, nonce, code and storage of what is on the network, without that seeing it', async () => {
    await using fork = await client(mode)
    const { test, get } = fork
    const slot = toHex(0, { size: 32 })
    const before = await test.getStorageAt({ address: store, slot })
    await test.setBalance({ address: RICH, value: 3n })
    expect([
      await test.getBalance({ address: RICH }),
      await test.getTransactionCount({ address: RICH }),
    ]).toEqual([3n, 7])
    if (mode !== 'ganache') {
      await test.setNonce({ address: RICH, nonce: 9 })
      await test.setStorageAt({ address: store, index: 0, value: toHex(77, { size: 32 }) })
      expect(await test.getStorageAt({ address: store, slot })).toBe(toHex(77, { size: 32 }))
      expect(await test.getTransactionCount({ address: RICH })).toBe(9)
    }
    expect(await get()).toBe(mode === 'ganache' ? 5n : 77n)
    await test.setCode({ address: store, bytecode: '0x6001' })
    expect(await test.getCode({ address: store })).toBe('0x6001')
    // Older blocks are as they were.
    expect(await test.getBalance({ address: RICH, blockNumber: BLOCK - 1n })).toBe(parseEther('70'))
    expect(await network.request({ method: 'eth_getBalance', params: [RICH, 'latest'] })).toBe(
      toHex(parseEther('70')),
    )
    expect(await network.request({ method: 'eth_getStorageAt', params: [store, slot, 'latest'] })).toBe(
      before,
    )
  })

  it('takes a snapshot, changes contracts of the network, and goes back', async () => {
    await using fork = await client(mode)
    const { test, get } = fork
    const id = await test.snapshot()
    const [account] = await test.getAddresses()
    await test.sendTransaction({ account: account!, to: store, data: set(6n) })
    await test.mine({ blocks: 2 })
    expect(await get()).toBe(6n)
    await test.revert({ id })
    expect([await get(), await test.getBlockNumber()]).toEqual([5n, BLOCK])
  })

  it('mines at the time that it sets', async () => {
    await using fork = await client(mode)
    const { test } = fork
    const { timestamp } = await test.getBlock()
    await test.setNextBlockTimestamp({ timestamp: timestamp + 1_000n })
    await test.mine({ blocks: 1 })
    const block = await test.getBlock()
    expect([block.number, block.timestamp]).toEqual([BLOCK + 1n, timestamp + 1_000n])
    await test.increaseTime({ seconds: 500 })
    await test.mine({ blocks: 1 })
    expect((await test.getBlock()).timestamp).toBeGreaterThanOrEqual(timestamp + 1_500n)
  })
})

describe.each(['anvil', 'hardhat'] as const)('viem as a test client of %s', (mode) => {
  it('impersonates accounts and contracts of the network', async () => {
    await using fork = await client(mode)
    const { test, get } = fork
    for (const address of [RICH, store] as const) {
      await test.setBalance({ address, value: parseEther('1') })
      await test.impersonateAccount({ address })
      const nonce = await test.getTransactionCount({ address })
      const hash = await test.sendTransaction({ account: address, to: STRANGER, value: 1n })
      expect(await test.getTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
      expect(await test.getTransactionCount({ address })).toBe(nonce + 1)
      await test.stopImpersonatingAccount({ address })
    }
    expect(await get()).toBe(5n)
  })

  it('drops a transaction that waits', async () => {
    await using fork = await client(mode)
    const { test } = fork
    await test.setAutomine(false)
    const [account] = await test.getAddresses()
    const hash = await test.sendTransaction({ account: account!, to: store, data: set(6n), gas: 100_000n })
    await test.dropTransaction({ hash })
    await test.mine({ blocks: 1 })
    await expect(test.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  })

  it('resets to another block of the network', async () => {
    await using fork = await client(mode)
    const { test, get } = fork
    await test.setBalance({ address: RICH, value: 3n })
    await test.mine({ blocks: 3 })
    await test.reset({ jsonRpcUrl: url, blockNumber: 1n })
    expect(await test.getBlockNumber()).toBe(1n)
    // The contract is there since this block, and its slot has not been set.
    expect(await get()).not.toBe(5n)
    expect(await test.getBalance({ address: RICH })).toBe(parseEther('70'))
  })
})

it('viem as a test client of anvil dumps a fork, and loads that on another', async () => {
  await using from = await client('anvil')
  await using to = await client('anvil')
  const [account] = await from.test.getAddresses()
  await from.test.sendTransaction({ account: account!, to: store, data: set(8n) })
  await to.test.loadState({ state: await from.test.dumpState() })
  expect([await to.get(), await to.test.getBlockNumber()]).toEqual([8n, BLOCK + 1n])
  // What was not asked for before comes from the network.
  expect(await to.test.getBalance({ address: RICH })).toBe(parseEther('70'))
})
