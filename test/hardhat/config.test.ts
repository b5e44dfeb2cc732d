/** Networks of the type `preseal` in hardhat.config.ts, as Hardhat validates and resolves them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'hardhat/config'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { describe, expect, it, onTestFinished } from 'vitest'
import preseal from '../../src/hardhat/index.ts'
import type { PresealNetworkUserConfig } from '../../src/hardhat/types.ts'
import type { DevnetOptions } from '../../src/index.ts'

type Given = Omit<PresealNetworkUserConfig, 'type'>

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

/** The configuration of a project whose default network has the settings `given`. */
async function resolved(given: Given) {
  const folder = mkdtempSync(join(tmpdir(), 'preseal-hardhat-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const config = defineConfig({ plugins: [preseal], networks: { default: { type: 'preseal', ...given } } })
  const hre = await createHardhatRuntimeEnvironment(config, {}, folder)
  return hre.config.networks.default!
}

async function optionsOf(given: Given): Promise<DevnetOptions> {
  const network = await resolved(given)
  if (network.type === 'http' || network.devnet === undefined) throw new Error('no devnet')
  return network.devnet()
}

describe('a network of the type preseal', () => {
  it('begins as Hardhat’s network does', async () => {
    expect(await optionsOf({})).toEqual({
      profile: 'hardhat',
      chainId: 31337,
      gasLimit: 60_000_000n,
      codeSizeLimit: 24_576,
      mnemonic: 'test test test test test test test test test test test junk',
      accounts: 20,
      derivationPath: "m/44'/60'/0'/0",
      balance: 10_000n * 10n ** 18n,
    })
  })

  it.each<[string, Given, DevnetOptions]>([
    ['allowUnlimitedContractSize', { allowUnlimitedContractSize: true }, { codeSizeLimit: 0 }],
    ['blockGasLimit', { blockGasLimit: 5_000_000 }, { gasLimit: 5_000_000n }],
    ['no blockGasLimit', { blockGasLimit: false }, { disableBlockGasLimit: true }],
    ['initialBaseFeePerGas', { initialBaseFeePerGas: 7 }, { baseFee: 7n }],
    ['initialDate', { initialDate: '2030-01-01T00:00:00Z' }, { timestamp: 1_893_456_000 }],
    ['hardfork', { hardfork: 'merge' }, { hardfork: 'paris' }],
    ['the hardfork of preseal', { hardfork: 'paris' }, { hardfork: 'paris' }],
    ['chainType op', { chainType: 'op' }, { l2: 'op', profile: 'hardhat' }],
    [
      'a hardfork of OP',
      { chainType: 'op', hardfork: 'isthmus' },
      { l2: 'op', hardfork: 'prague', l2Upgrade: 'isthmus' },
    ],
    [
      'allowBlocksWithSameTimestamp',
      { allowBlocksWithSameTimestamp: true },
      { allowBlocksWithSameTimestamp: true },
    ],
    ['a list of keys', { accounts: [{ privateKey: KEY, balance: 5n }] }, { privateKeys: [KEY] }],
    ['a number of accounts', { accounts: 3, balance: 5n }, { accounts: 3, balance: 5n }],
    [
      'count and accountsBalance',
      { accounts: { count: 2, accountsBalance: '9' } },
      { accounts: 2, balance: 9n },
    ],
    [
      'an interval',
      { mining: { interval: 3000 } },
      { rhythm: 'interval', tickMs: 3000, ticksPerBlock: 0, mixedMining: false },
    ],
    ['both ways of mining', { mining: { auto: true, interval: 3000 } }, { mixedMining: true, tickMs: 3000 }],
    ['no mining', { mining: { auto: false } }, { rhythm: 'manual', order: 'fees' }],
    ['the order', { mining: { mempool: { order: 'fifo' } } }, { order: 'fifo' }],
    [
      'forking',
      { forking: { url: 'http://127.0.0.1:1', blockNumber: 9, httpHeaders: { a: 'b' } } },
      { fork: { url: 'http://127.0.0.1:1', block: 9n, headers: { a: 'b' } }, chainId: 31337 },
    ],
    [
      'options of createDevnet',
      { tickMs: 50, rhythm: 'interval' },
      { profile: 'hardhat', tickMs: 50, rhythm: 'interval' },
    ],
  ])('takes %s', async (_, given, options) => {
    expect(await optionsOf(given)).toMatchObject(options)
  })

  it('omits a fork that is not enabled', async () => {
    expect(await optionsOf({ forking: { enabled: false, url: 'http://127.0.0.1:1' } })).not.toHaveProperty(
      'fork',
    )
  })

  it('has the defaults of a profile that it names', async () => {
    const options = await optionsOf({ profile: 'base-flashblocks' })
    expect(options).toMatchObject({ profile: 'base-flashblocks' })
    expect(options).not.toHaveProperty('gasLimit')
  })

  it('derives keys from an index on, and with a passphrase', async () => {
    const { privateKeys } = await optionsOf({ accounts: { initialIndex: 1, count: 1 } })
    expect(privateKeys).toEqual(['0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'])
    const other = await optionsOf({ accounts: { passphrase: 'salt', count: 1 } })
    expect(other.privateKeys).toEqual([expect.not.stringMatching(KEY)])
  })

  it.each<[string, Given, string]>([
    ['an invalid option', { tickMs: -1 }, 'config.networks.default: option tickMs'],
    ['an invalid setting of Hardhat', { chainId: 'x' as never }, 'config.networks.default.chainId'],
    ['minGasPrice', { minGasPrice: 5 }, 'expected no minimum gas price, because a devnet has none, got 5'],
    ['networkId', { networkId: 5 }, 'expected 31337, the chain id, got 5'],
    [
      'an interval by chance',
      { mining: { interval: [1000, 2000] } },
      'expected a fixed interval in milliseconds',
    ],
    [
      'throwOnCallFailures: false',
      { throwOnCallFailures: false },
      'expected true, because calls that fail are errors',
    ],
  ])('refuses %s', async (_, given, message) => {
    await expect(resolved(given)).rejects.toThrow(message)
  })
})
