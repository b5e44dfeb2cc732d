/** The options that anvil's users know: order, number of gas, path of keys, impersonation, mixed mining. */
import { HDNodeWallet } from 'ethers'
import { describe, expect, it, vi } from 'vitest'
import { type DevnetOptions, InvalidOption } from '../../src/index.ts'
import { ask, started } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

const STRANGER = '0x00000000000000000000000000000000000b0b0b'
const GWEI = 10n ** 9n
const hex = (value: bigint) => `0x${value.toString(16)}`

describe('order', () => {
  /** The senders of one block, by their places among the accounts; they sent in that order, each for a higher tip. */
  async function sendersIn(options: DevnetOptions): Promise<number[]> {
    const devnet = await started({ rhythm: 'manual', ...options })
    const addresses = devnet.accounts.map(({ address }) => address)
    for (const [i, from] of addresses.slice(0, 3).entries()) {
      const fees = { maxPriorityFeePerGas: hex(BigInt(i + 1) * GWEI), maxFeePerGas: hex(100n * GWEI) }
      await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, ...fees })
    }
    await devnet.mine()
    type Block = { transactions: { from: string }[] }
    const { transactions } = await ask<Block>(devnet, 'eth_getBlockByNumber', 'latest', true)
    return transactions.map(({ from }) => addresses.findIndex((address) => address.toLowerCase() === from))
  }

  it('is that of the tips, or that in which they came', async () => {
    expect(await sendersIn({})).toEqual([2, 1, 0])
    expect(await sendersIn({ order: 'fifo' })).toEqual([0, 1, 2])
  })
})

describe('disableBlockGasLimit', () => {
  it('lets transactions and blocks use more gas than the limit', async () => {
    const send = async (options: DevnetOptions) => {
      const devnet = await started({ rhythm: 'manual', gasLimit: 30_000, ...options })
      const [from] = devnet.accounts.map(({ address }) => address)
      for (let i = 0; i < 2; i++) {
        await ask(devnet, 'eth_sendTransaction', {
          from,
          to: STRANGER,
          gas: '0x186a0',
          data: `0x${'11'.repeat(100)}`,
        })
      }
      await devnet.mine()
      return ask<{ gasUsed: string; gasLimit: string }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    }
    await expect(send({})).rejects.toThrow('exceeds block gas limit')
    const { gasUsed, gasLimit } = await send({ disableBlockGasLimit: true })
    expect(Number(gasLimit)).toBe(30_000)
    // EIP-7623: 21000 and 40 for each byte of data.
    expect(Number(gasUsed)).toBe(2 * 25_000)
  })
})

describe('derivationPath', () => {
  it.each(["m/44'/60'/0'/1", "m/44'/60'/1'/0/", 'm/0'])(
    '%s is where the accounts are',
    async (derivationPath) => {
      const devnet = await started({ rhythm: 'manual', accounts: 2, derivationPath })
      const { mnemonic } = devnet.settings
      const expected = [0, 1].map((i) => {
        return HDNodeWallet.fromPhrase(mnemonic, '', `${derivationPath.replace(/\/$/, '')}/${i}`).privateKey
      })
      expect(devnet.accounts.map(({ privateKey }) => privateKey)).toEqual(expected)
    },
  )
})

describe('autoImpersonate', () => {
  it('lets any account send without its key, after a reset, in a fork and with a state file, too', async () => {
    const devnet = await started({ rhythm: 'instant', autoImpersonate: true })
    const from = '0x00000000000000000000000000000000000000aa'
    const send = async (on = devnet) => {
      await ask(on, 'anvil_setBalance', from, hex(10n ** 18n))
      return ask(on, 'eth_sendTransaction', { from, to: STRANGER })
    }
    expect(await send()).toMatch(/^0x/)
    expect(await send(devnet.fork({ rhythm: 'instant' }))).toMatch(/^0x/)
    await ask(devnet, 'anvil_reset')
    expect(await send()).toMatch(/^0x/)
    const plain = await started({ rhythm: 'manual' })
    await devnet.load(plain.dump())
    expect(await send()).toMatch(/^0x/)
    await expect(send(plain)).rejects.toThrow()
  })
})

describe('mixedMining', () => {
  it('seals each transaction at once, and time makes blocks besides', async () => {
    const devnet = await started({ rhythm: 'interval', tickMs: 200, mixedMining: true })
    const [from] = devnet.accounts.map(({ address }) => address)
    const hash = await ask(devnet, 'eth_sendTransaction', { from, to: STRANGER })
    const receipt = await ask<{ blockNumber: string }>(devnet, 'eth_getTransactionReceipt', hash)
    const number = Number(receipt.blockNumber)
    expect(number).toBeGreaterThan(0)
    await vi.waitUntil(async () => Number(await ask(devnet, 'eth_blockNumber')) > number + 1, SOON)
  })
})

describe('options that cannot be', () => {
  it.each([
    [
      { gasLimit: 1 },
      'gasLimit: expected gas (a bigint or a whole number from 5000 to 18446744073709551615), got 1',
    ],
    [{ gasLimit: 4_999n }, 'got 4999n'],
    [{ order: 'tips' }, 'order: expected one of fees, fifo, got "tips"'],
    [{ derivationPath: "44'/60'" }, "derivationPath: expected a BIP-32 path such as m/44'/60'/0'/0, got"],
    [
      { mixedMining: true, rhythm: 'instant' },
      'mixedMining: expected false with the rhythm instant, because mixed mining needs the rhythm interval, got true',
    ],
  ])('are refused: %#', async (options, message) => {
    const refused = started(options as DevnetOptions)
    await expect(refused).rejects.toThrow(InvalidOption)
    await expect(refused).rejects.toThrow(message)
  })
})
