/** Options: what is refused and how, and that what is given arrives. */
import { inspect } from 'node:util'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createDevnet, type DevnetOptions, InvalidOption } from '../../src/index.ts'
import { ask, started } from '../support/clients/clients.ts'

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

describe('an option that cannot be', () => {
  const WRONG: readonly (readonly [options: Record<string, unknown>, message: string | RegExp])[] = [
    [{ chainId: 0 }, 'option chainId: expected a chain id (a whole number from 1), got 0'],
    [{ chainId: 1.5 }, 'option chainId: expected a chain id (a whole number from 1), got 1.5'],
    [{ chainId: '1' }, 'option chainId: expected a chain id (a whole number from 1), got "1"'],
    [{ hardfork: 'homestead' }, /^option hardfork: expected one of byzantium, .*, osaka, got "homestead"$/],
    [
      { accounts: -1 },
      'option accounts: expected a number of accounts (a whole number from 0 to 10000), got -1',
    ],
    [{ accounts: 10_001 }, /^option accounts: .* to 10000\), got 10001$/],
    [
      { balance: -1n },
      /^option balance: expected wei \(a bigint or a whole number from 0 to \d+\), got -1n$/,
    ],
    [{ balance: 0.5 }, /^option balance: .* got 0\.5$/],
    [{ balance: '10' }, /^option balance: .* got "10"$/],
    [{ mnemonic: 5 }, 'option mnemonic: expected a BIP-39 mnemonic, got 5'],
    [
      { mnemonic: 'test test test' },
      'option mnemonic: expected words of the English BIP-39 list with a right checksum, got "test test test"',
    ],
    [{ rhythm: 'automine' }, 'option rhythm: expected one of interval, manual, instant, got "automine"'],
    [{ tickMs: 0 }, 'option tickMs: expected milliseconds (a whole number from 1 to 86400000), got 0'],
    [
      { ticksPerBlock: -1 },
      'option ticksPerBlock: expected slices (a whole number from 0 to 100000), got -1',
    ],
    [{ sealEmptyBlocks: 'yes' }, 'option sealEmptyBlocks: expected true or false, got "yes"'],
    [{ gasLimit: 2n ** 64n }, /^option gasLimit: expected gas .*, got 18446744073709551616n$/],
    [{ baseFee: -1 }, /^option baseFee: expected wei .*, got -1$/],
    [{ coinbase: '0x12' }, 'option coinbase: expected an address (0x and 40 hex digits), got "0x12"'],
    [{ coinbase: 0 }, 'option coinbase: expected an address, got 0'],
    [{ randaoSeed: '0x' }, 'option randaoSeed: expected 32 bytes (0x and 64 hex digits), got "0x"'],
    [
      { timestamp: -1 },
      'option timestamp: expected seconds since 1970 (a whole number from 0 to 253402300799), got -1',
    ],
    [{ systemContracts: 1 }, 'option systemContracts: expected true or false, got 1'],
    [{ safeDistance: Number.NaN }, 'option safeDistance: expected blocks (a whole number from 0), got NaN'],
    [{ finalizedDistance: -1 }, 'option finalizedDistance: expected blocks (a whole number from 0), got -1'],
    [
      { safeDistance: 10, finalizedDistance: 9 },
      'option finalizedDistance: expected at least safeDistance (10): a final block is safe, got 9',
    ],
    [{ history: 5 }, 'option history: expected an object {blocks}, got 5'],
    [{ history: { blocks: 0 } }, 'option history.blocks: expected blocks (a whole number from 1), got 0'],
    [{ history: { block: 5 } }, /^option (history\.)?block: /],
    [{ pendingNonce: 'both' }, 'option pendingNonce: expected one of pool, preconfirmed, got "both"'],
    [{ pendingContextLag: 257 }, /^option pendingContextLag: .* to 256\), got 257$/],
    [
      { pendingContextLag: 6, history: { blocks: 5 } },
      'option pendingContextLag: expected at most history.blocks (5): calls need the block that they see, got 6',
    ],
    [
      { profile: 'base-flashblock' },
      'option profile: expected one of default, base-flashblocks, op-flashblocks, base-denim, ethereum, hardhat, got "base-flashblock"; did you mean base-flashblocks?',
    ],
    [
      { rhythm: 'instnt' },
      'option rhythm: expected one of interval, manual, instant, got "instnt"; did you mean instant?',
    ],
    [{ dialect: 'anvil' }, 'option dialect: expected one of base, geth, hardhat, got "anvil"'],
    [{ strict: 'true' }, 'option strict: expected true or false, got "true"'],
    [{ logRangeLimit: -1 }, 'option logRangeLimit: expected blocks (a whole number from 0), got -1'],
    [{ logResultLimit: '9' }, 'option logResultLimit: expected logs (a whole number from 0), got "9"'],
    [{ batchLimit: 0 }, 'option batchLimit: expected calls (a whole number from 1), got 0'],
    [{ bodyLimit: null }, 'option bodyLimit: expected bytes (a whole number from 1), got null'],
    [{ rythm: 'manual' }, 'option rythm: expected one of the options (did you mean rhythm?), got "rythm"'],
    [
      { blockTime: 2 },
      'option blockTime: expected one of the options (here: tickMs, with ticksPerBlock: 0), got "blockTime"',
    ],
    [{ port: 1 }, 'option port: expected one of the options (it is an option of devnet.listen), got "port"'],
    [{ mempool: 1 }, /^option mempool: expected one of the options profile, chainId, .*, got "mempool"$/],
    [
      { timestamp: 1_767_225_600_000 },
      /^option timestamp: expected seconds since 1970 .*, got 1767225600000$/,
    ],
  ]

  it.each(WRONG.map(([options, message]) => ({ shown: inspect(options), options, message })))(
    'is refused: $shown',
    async ({ options, message }) => {
      const error = await createDevnet(options as DevnetOptions).catch((reason) => reason)
      expect(error).toBeInstanceOf(InvalidOption)
      expect(error.message).toMatch(message instanceof RegExp ? message : new RegExp(`^${escaped(message)}$`))
    },
  )

  it.each([5, 'manual', null])('is refused where it is not even an object: %j', async (options) => {
    const error = await createDevnet(options as DevnetOptions).catch((reason) => reason)
    expect(error).toBeInstanceOf(InvalidOption)
    expect(error.message).toContain("option options: expected an object such as { rhythm: 'manual' }, got ")
  })

  it('says which it was and what was expected, for programs', async () => {
    const error = await createDevnet({ tickMs: 0 }).catch((reason) => reason)
    expect(error).toMatchObject({
      name: 'InvalidOption',
      option: 'tickMs',
      expected: 'milliseconds (a whole number from 1 to 86400000)',
    })
  })

  it('is not one that is undefined: that is the default', async () => {
    const devnet = await createDevnet({ rhythm: 'manual', chainId: undefined } as DevnetOptions)
    expect(devnet.settings.chainId).toBe(31337)
    await devnet.close()
  })
})

describe('an option', () => {
  it('arrives at the chain', async () => {
    const devnet = await started({
      rhythm: 'manual',
      chainId: 7,
      gasLimit: 1_000_000n,
      baseFee: 7,
      coinbase: '0x00000000000000000000000000000000000000CB',
      timestamp: 1_000,
      balance: 5,
    })
    expect(await ask(devnet, 'eth_chainId')).toBe('0x7')
    expect(await ask(devnet, 'net_version')).toBe('7')
    expect(await ask(devnet, 'eth_getBalance', devnet.accounts[0]!.address)).toBe('0x5')
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
      gasLimit: numberToHex(1_000_000),
      baseFeePerGas: '0x7',
      miner: '0x00000000000000000000000000000000000000cb',
      timestamp: numberToHex(1_000),
    })
  })

  it('for randomness changes prevRandao, the same way each time', async () => {
    const mixHash = async (randaoSeed: Hex) => {
      const devnet = await started({ rhythm: 'manual', randaoSeed })
      await devnet.mine()
      return (await ask<{ mixHash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)).mixHash
    }
    const [one, other]: Hex[] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`]
    expect(await mixHash(one!)).toBe(await mixHash(one!))
    expect(await mixHash(one!)).not.toBe(await mixHash(other!))
  })

  it('for system contracts puts them into genesis and calls them in each block', async () => {
    const devnet = await started({ rhythm: 'manual', systemContracts: true })
    const history = '0x0000f90827f1c53a10cb7a02335b175320002935'
    expect(await ask(devnet, 'eth_getCode', history)).not.toBe('0x')
    await devnet.mine()
    await devnet.mine()
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', '0x1', false)
    const data = numberToHex(1, { size: 32 })
    expect(await ask(devnet, 'eth_call', { to: history, data })).toBe(hash)
  })

  it('can be read back, with the defaults of the others', async () => {
    const devnet = await started({ rhythm: 'manual', ticksPerBlock: 10 })
    expect(devnet.settings).toMatchObject({
      rhythm: 'manual',
      ticksPerBlock: 10,
      tickMs: 200,
      dialect: 'base',
    })
  })
})
