/** viem's test client over a real port, in each of its modes: all that these modes have. */
import { createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem'
import { describe, expect, it } from 'vitest'
import type { DevnetOptions } from '../../src/index.ts'
import { devnetChain, STRANGER, started } from '../support/clients/clients.ts'

const OTHER = '0x0000000000000000000000000000000000006666'
const LATER = 2_000_000_000n
const NO_NETWORK = 'this devnet is on no network'

type Mode = 'anvil' | 'hardhat' | 'ganache'

async function client(mode: Mode, options: DevnetOptions = { rhythm: 'instant' }) {
  const devnet = await started(options)
  const { url } = await devnet.listen({ port: 0 })
  const transport = http(url, { retryCount: 0 })
  const test = createTestClient({ mode, chain: devnetChain, transport, cacheTime: 0, pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  return { devnet, test, account: devnet.accounts[0]!.address }
}

/** A payment whose gas is known: none of it has to be estimated. */
const payment = { to: OTHER, value: 1n, gas: 21_000n } as const

describe.each(['anvil', 'hardhat', 'ganache'] as const)('viem as a test client of %s', (mode) => {
  it('sets balances', async () => {
    const { test } = await client(mode)
    await test.setBalance({ address: STRANGER, value: parseEther('1') })
    expect(await test.getBalance({ address: STRANGER })).toBe(parseEther('1'))
  })

  it('sets code', async () => {
    const { test } = await client(mode)
    await test.setCode({ address: STRANGER, bytecode: '0x6001' })
    expect(await test.getCode({ address: STRANGER })).toBe('0x6001')
  })

  it('mines', async () => {
    const { test } = await client(mode)
    await test.mine({ blocks: 3 })
    expect(await test.getBlockNumber()).toBe(3n)
  })

  it('moves time', async () => {
    const { test } = await client(mode, { rhythm: 'manual' })
    const { timestamp } = await test.getBlock()
    await test.increaseTime({ seconds: 420 })
    await test.mine({ blocks: 1 })
    expect((await test.getBlock()).timestamp).toBe(timestamp + 420n)
    await test.setNextBlockTimestamp({ timestamp: LATER })
    await test.mine({ blocks: 1 })
    expect((await test.getBlock()).timestamp).toBe(LATER)
  })

  it('takes snapshots and reverts to them', async () => {
    const { test } = await client(mode)
    const id = await test.snapshot()
    await test.mine({ blocks: 2 })
    await test.revert({ id })
    expect(await test.getBlockNumber()).toBe(0n)
  })

  it('switches automine', async () => {
    const { test, account } = await client(mode)
    expect(await test.getAutomine()).toBe(true)
    await test.setAutomine(false)
    expect(await test.getAutomine()).toBe(false)
    const hash = await test.sendTransaction({ account, ...payment })
    expect(await test.getBlockNumber()).toBe(0n)
    await test.setAutomine(true)
    expect(await test.getAutomine()).toBe(true)
    expect(await test.getTransactionReceipt({ hash })).toMatchObject({ blockNumber: 1n })
  })

  it('sets the interval of blocks', async () => {
    const { devnet, test } = await client(mode)
    const intervalOf = () => devnet.request({ method: 'anvil_getIntervalMining' })
    await test.setIntervalMining({ interval: 5 })
    expect(await intervalOf()).toBe(5)
    await test.setIntervalMining({ interval: 0 })
    expect(await intervalOf()).toBe(null)
  })

  it('sets the gas limit of blocks', async () => {
    const { test } = await client(mode)
    await test.setBlockGasLimit({ gasLimit: 420_000n })
    await test.mine({ blocks: 1 })
    expect((await test.getBlock()).gasLimit).toBe(420_000n)
  })

  it('looks into the pool', async () => {
    const { test, account } = await client(mode, { rhythm: 'manual' })
    const hash = await test.sendTransaction({ account, ...payment })
    expect(await test.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 })
    const { pending } = await test.getTxpoolContent()
    expect(Object.values(Object.values(pending)[0]!)).toMatchObject([{ hash }])
    expect(Object.keys((await test.inspectTxpool()).pending)).toHaveLength(1)
  })

  it('sends what nobody signed', async () => {
    const { test } = await client(mode)
    await test.setBalance({ address: STRANGER, value: parseEther('1') })
    const hash = await test.sendUnsignedTransaction({ from: STRANGER, ...payment })
    expect(await test.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', from: STRANGER })
  })
})

describe.each(['anvil', 'hardhat'] as const)('viem as a test client of %s alone', (mode) => {
  it('sets nonces', async () => {
    const { test } = await client(mode)
    await test.setNonce({ address: STRANGER, nonce: 420 })
    expect(await test.getTransactionCount({ address: STRANGER })).toBe(420)
  })

  it.each([1, '0x1', `0x${'00'.repeat(31)}01`] as (number | Hex)[])('sets storage at %j', async (index) => {
    const { test } = await client(mode)
    const value: Hex = `0x${'00'.repeat(31)}2a`
    await test.setStorageAt({ address: STRANGER, index: index as Hex, value })
    expect(await test.getStorageAt({ address: STRANGER, slot: '0x1' })).toBe(value)
  })

  it('impersonates accounts, contracts too', async () => {
    const { test } = await client(mode)
    await test.setBalance({ address: STRANGER, value: parseEther('1') })
    await test.setCode({ address: STRANGER, bytecode: '0x6001' })
    await test.impersonateAccount({ address: STRANGER })
    const hash = await test.sendTransaction({ account: STRANGER, ...payment })
    expect(await test.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      from: STRANGER,
    })
    await test.stopImpersonatingAccount({ address: STRANGER })
    await expect(test.sendTransaction({ account: STRANGER, ...payment })).rejects.toThrow('unknown account')
  })

  it('mines at an interval', async () => {
    const { test } = await client(mode, { rhythm: 'manual' })
    await test.mine({ blocks: 3, interval: 60 })
    const [first, last] = [await test.getBlock({ blockNumber: 1n }), await test.getBlock()]
    expect(last.timestamp - first.timestamp).toBe(120n)
  })

  it('sets coinbase and base fee', async () => {
    const { test } = await client(mode)
    await test.setCoinbase({ address: STRANGER })
    await test.setNextBlockBaseFeePerGas({ baseFeePerGas: 7n })
    await test.mine({ blocks: 1 })
    expect(await test.getBlock()).toMatchObject({ miner: STRANGER, baseFeePerGas: 7n })
  })

  it('sets the interval of timestamps, and removes it', async () => {
    const { test } = await client(mode, { rhythm: 'manual' })
    const { timestamp } = await test.getBlock()
    await test.setBlockTimestampInterval({ interval: 86_400 })
    await test.mine({ blocks: 2 })
    expect((await test.getBlock()).timestamp).toBe(timestamp + 2n * 86_400n)
    await test.removeBlockTimestampInterval()
    await test.mine({ blocks: 1 })
    expect((await test.getBlock()).timestamp).toBe(timestamp + 2n * 86_400n)
  })

  it('dumps its state, and loads it elsewhere', async () => {
    const { test } = await client(mode)
    await test.setBalance({ address: STRANGER, value: 5n })
    await test.mine({ blocks: 3 })
    const { test: other } = await client(mode)
    await other.loadState({ state: await test.dumpState() })
    expect(await other.getBlock()).toEqual(await test.getBlock())
    expect(await other.getBalance({ address: STRANGER })).toBe(5n)
  })

  it('drops transactions', async () => {
    const { test, account } = await client(mode, { rhythm: 'manual' })
    const hash = await test.sendTransaction({ account, ...payment })
    await test.dropTransaction({ hash })
    expect(await test.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 })
  })

  it('resets, to another network too, and asks another node of it', async () => {
    const { test } = await client(mode)
    await expect(test.setRpcUrl('http://127.0.0.1:1')).rejects.toThrow(NO_NETWORK)
    await test.mine({ blocks: 2 })
    await test.reset()
    expect(await test.getBlockNumber()).toBe(0n)
    const network = await client('anvil')
    await network.test.mine({ blocks: 3 })
    const { url } = network.test.transport as { url?: string }
    await test.reset({ jsonRpcUrl: url!, blockNumber: 2n })
    expect(await test.getBlock()).toEqual(await network.test.getBlock({ blockNumber: 2n }))
    await test.setRpcUrl(url!)
    expect(await test.getBlock()).toEqual(await network.test.getBlock({ blockNumber: 2n }))
  })

  it('sets logging, and learns that there is no minimum gas price', async () => {
    const { test } = await client(mode)
    await test.setLoggingEnabled(true)
    await expect(test.setMinGasPrice({ gasPrice: 1n })).rejects.toThrow('EIP-1559 is active')
  })
})
