/** Hardhat's network helpers over a connection to a devnet: each of them does what it does on Hardhat's own node. */
import plugin from '@nomicfoundation/hardhat-network-helpers'
import type { NetworkHelpers } from '@nomicfoundation/hardhat-network-helpers/types'
import { http, numberToHex, parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, devnetChain, STRANGER, started } from '../support/clients/clients.ts'

const OTHER = '0x0000000000000000000000000000000000006666'
const ZERO = `0x${'00'.repeat(32)}`
const word = (value: number) => numberToHex(value, { size: 32 })

/** The part of Hardhat's connections that the helpers use: an EIP-1193 provider. */
interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

const WAYS: readonly { name: string; connect(devnet: Devnet): Promise<Provider> }[] = [
  {
    name: 'over HTTP',
    connect: async (devnet) => {
      const { url } = await devnet.listen({ port: 0 })
      return http(url, { retryCount: 0 })({ chain: devnetChain }) as Provider
    },
  },
  { name: 'in process', connect: async (devnet) => devnet },
]

/**
 * The helpers as Hardhat gives them to whoever connects to a network: its plugin adds them to the new connection. Hardhat
 * itself wants a newer Node than this package does, so the connection is made here.
 */
async function helpersOf(provider: Provider): Promise<NetworkHelpers> {
  const hooks = await plugin.hookHandlers!.network!()
  const { newConnection } = await hooks.default()
  const connection = { provider, networkName: 'devnet' }
  const connected = await newConnection!({} as never, async () => connection as never)
  return (connected as unknown as { networkHelpers: NetworkHelpers }).networkHelpers
}

describe.each(WAYS)('the network helpers of Hardhat $name', (way) => {
  async function connected(options: DevnetOptions = {}) {
    const devnet = await started({ rhythm: 'instant', ...options })
    return { devnet, helpers: await helpersOf(await way.connect(devnet)) }
  }

  const header = (devnet: Devnet, at = 'latest') =>
    ask<Record<string, string>>(devnet, 'eth_getBlockByNumber', at, false)

  const pay = (devnet: Devnet, fields: object = {}) =>
    ask<string>(devnet, 'eth_sendTransaction', {
      from: devnet.accounts[0]!.address,
      to: OTHER,
      value: '0x1',
      ...fields,
    })

  describe('make blocks', () => {
    it('one, or many, a second apart unless told otherwise', async () => {
      const { devnet, helpers } = await connected({ rhythm: 'manual' })
      const start = await helpers.time.latest()
      await helpers.mine()
      expect(await helpers.time.latestBlock()).toBe(1)
      await helpers.mine(3)
      expect(await helpers.time.latestBlock()).toBe(4)
      await helpers.mine('0x3', { interval: 60 })
      expect(await helpers.time.latestBlock()).toBe(7)
      const times = ['0x2', '0x3', '0x4', '0x5', '0x6', '0x7'].map(async (at) => {
        const { timestamp } = await header(devnet, at)
        return Number(timestamp) - start
      })
      const [second, third, fourth, fifth, sixth, seventh] = (await Promise.all(times)) as number[]
      expect([third! - second!, fourth! - third!]).toEqual([1, 1])
      expect([sixth! - fifth!, seventh! - sixth!]).toEqual([60, 60])
    })

    it('up to a number, which must lie ahead', async () => {
      const { helpers } = await connected()
      await helpers.mineUpTo(10)
      expect(await helpers.time.latestBlock()).toBe(10)
      await expect(helpers.mineUpTo(10n)).rejects.toThrow('smaller than the current')
    })
  })

  describe('move time', () => {
    it('by an amount', async () => {
      const { helpers } = await connected()
      const start = await helpers.time.latest()
      const { duration } = helpers.time
      expect(await helpers.time.increase(duration.hours(1))).toBe(start + 3600)
      expect(await helpers.time.increase(duration.years(1))).toBe(start + 3600 + 365 * 86_400)
      expect(await helpers.time.latestBlock()).toBe(2)
    })

    it('to a time, given in seconds or as a date', async () => {
      const { helpers } = await connected()
      await helpers.time.increaseTo(2_000_000_000)
      expect(await helpers.time.latest()).toBe(2_000_000_000)
      await helpers.time.increaseTo(new Date(2_000_000_060_000))
      expect(await helpers.time.latest()).toBe(2_000_000_060)
      await expect(helpers.time.increaseTo(5)).rejects.toThrow('timestamp')
    })

    it('of the next block alone, which a transaction may make', async () => {
      const { devnet, helpers } = await connected()
      await helpers.time.setNextBlockTimestamp(2_000_000_000n)
      expect(await helpers.time.latestBlock()).toBe(0)
      await pay(devnet)
      expect(await helpers.time.latest()).toBe(2_000_000_000)
    })
  })

  describe('change accounts', () => {
    it('their balances', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setBalance(STRANGER, 10n ** 18n)
      expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0xde0b6b3a7640000')
      await helpers.setBalance(STRANGER, '0x00')
      expect(await ask(devnet, 'eth_getBalance', STRANGER)).toBe('0x0')
    })

    it('their code', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setCode(STRANGER, '0x6001')
      expect(await ask(devnet, 'eth_getCode', STRANGER)).toBe('0x6001')
      await helpers.setCode(STRANGER, '0x')
      expect(await ask(devnet, 'eth_getCode', STRANGER)).toBe('0x')
    })

    it('their nonces', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setNonce(STRANGER, 7)
      expect(await ask(devnet, 'eth_getTransactionCount', STRANGER)).toBe('0x7')
    })

    // The helpers make "0x" of the last two.
    it.each([1, 2n ** 255n, '0x7', '0x0', '0x00', ZERO])('their storage at %s', async (slot) => {
      const { devnet, helpers } = await connected()
      await helpers.setStorageAt(STRANGER, slot, 42)
      expect(await helpers.getStorageAt(STRANGER, slot)).toBe(word(42))
      expect(await helpers.getStorageAt(STRANGER, slot, 'pending')).toBe(word(42))
      expect(await helpers.getStorageAt(STRANGER, slot, 0)).toBe(word(42))
      expect(await ask(devnet, 'eth_getStorageAt', STRANGER, numberToHex(BigInt(slot)), 'latest')).toBe(
        word(42),
      )
    })

    it('who may send', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setBalance(STRANGER, parseEther('1'))
      await helpers.impersonateAccount(STRANGER)
      const hash = await pay(devnet, { from: STRANGER })
      expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ from: STRANGER })
      await helpers.stopImpersonatingAccount(STRANGER)
      await expect(pay(devnet, { from: STRANGER })).rejects.toThrow('unknown account')
    })
  })

  describe('change the blocks to come', () => {
    it('their gas limit', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setBlockGasLimit(420_000)
      await helpers.mine(2)
      expect(await header(devnet)).toMatchObject({ gasLimit: numberToHex(420_000) })
    })

    it('who receives the tips', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setCoinbase(STRANGER)
      await pay(devnet)
      expect(await header(devnet)).toMatchObject({ miner: STRANGER })
      expect(BigInt(await ask<string>(devnet, 'eth_getBalance', STRANGER))).toBe(21_000n * 10n ** 9n)
    })

    it('the base fee and the randomness of the next', async () => {
      const { devnet, helpers } = await connected()
      await helpers.setNextBlockBaseFeePerGas(7)
      await helpers.setPrevRandao(42)
      await helpers.mine()
      expect(await header(devnet)).toMatchObject({ baseFeePerGas: '0x7', mixHash: word(42) })
    })
  })

  describe('go back', () => {
    it('to a snapshot, as often as wanted', async () => {
      const { helpers } = await connected()
      await helpers.mine()
      const snapshot = await helpers.takeSnapshot()
      for (let round = 0; round < 3; round++) {
        await helpers.mine(5)
        await snapshot.restore()
        expect(await helpers.time.latestBlock()).toBe(1)
      }
    })

    it('but not to a snapshot from after the one that was gone back to', async () => {
      const { helpers } = await connected()
      const first = await helpers.takeSnapshot()
      const second = await helpers.takeSnapshot()
      await first.restore()
      await expect(second.restore()).rejects.toThrow('invalid snapshot')
    })

    it('to what a fixture made, which runs once', async () => {
      const { devnet, helpers } = await connected()
      let runs = 0
      async function market() {
        runs++
        await pay(devnet, { value: '0x5' })
        return { runs }
      }
      async function biggerMarket() {
        const { runs: before } = await helpers.loadFixture(market)
        await pay(devnet, { value: '0x6' })
        return { before }
      }
      const balance = () => ask(devnet, 'eth_getBalance', OTHER)
      for (let test = 0; test < 2; test++) {
        expect(await helpers.loadFixture(market)).toEqual({ runs: 1 })
        expect(await balance()).toBe('0x5')
        await pay(devnet)
        expect(await helpers.loadFixture(biggerMarket)).toEqual({ before: 1 })
        expect(await balance()).toBe('0xb')
        await pay(devnet)
      }
      helpers.clearSnapshots()
      expect(await helpers.loadFixture(market)).toEqual({ runs: 2 })
    })
  })

  it('drop a transaction that waits', async () => {
    const { devnet, helpers } = await connected({ rhythm: 'manual' })
    const hash = await pay(devnet)
    expect(await helpers.dropTransaction(hash)).toBe(true)
    expect(await helpers.dropTransaction(hash)).toBe(false)
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toBe(null)
  })

  it('move time while time makes blocks', async () => {
    const { helpers } = await connected({ rhythm: 'interval', tickMs: 5 })
    const later = (await helpers.time.latest()) + 3600
    expect(await helpers.time.increase(3600)).toBeGreaterThanOrEqual(later)
    const number = await helpers.time.latestBlock()
    await helpers.mine(10)
    expect(await helpers.time.latestBlock()).toBeGreaterThanOrEqual(number + 10)
  })
})
