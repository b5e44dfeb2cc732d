/** The profiles: what each sets, and that a chain under it is what it stands for (CONTRACT 5, row by row). */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/options/options.ts'
import { parseOptions } from '../../src/options/parseOptions.ts'
import { PROFILES } from '../../src/options/profiles.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

const BASE_KINDS = ['pendingLogs', 'newFlashblocks', 'newFlashblockTransactions'] as const
/** Predeploys of an L2: WETH, L1Block, GasPriceOracle. */
const L2_CONTRACTS = ['06', '15', '0f'].map((end) => `0x42000000000000000000000000000000000000${end}`)

function under(profile: ProfileName, options: DevnetOptions = {}): Promise<Devnet> {
  return started({ profile, rhythm: 'manual', ...options })
}

function pay(devnet: Devnet, fields: object = {}): Promise<Hex> {
  const payment = { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1', gas: '0x5208' }
  return ask(devnet, 'eth_sendTransaction', { ...payment, ...fields })
}

/** The indexes of the slices that the pre-confirmed block has had. */
async function indexes(devnet: Devnet): Promise<number[]> {
  const slices = await ask<{ index: Hex }[]>(devnet, 'preseal_getSlices', 'pending')
  return slices.map(({ index }) => Number(index))
}

/** How the kinds of Base's Flashblocks are answered: with an id, or a code. */
function answersToKinds(devnet: Devnet): Promise<unknown[]> {
  return Promise.all(
    BASE_KINDS.map((kind) =>
      ask(devnet, 'eth_subscribe', kind).then(
        () => 'id',
        ({ code }) => code,
      ),
    ),
  )
}

async function codesOf(devnet: Devnet, addresses: readonly string[]): Promise<boolean[]> {
  const codes = await Promise.all(addresses.map((address) => ask(devnet, 'eth_getCode', address)))
  return codes.map((code) => code !== '0x')
}

async function timesOf(devnet: Devnet, ...numbers: readonly Hex[]): Promise<number[]> {
  const blocks = numbers.map((number) =>
    ask<{ timestamp: Hex }>(devnet, 'eth_getBlockByNumber', number, false),
  )
  return (await Promise.all(blocks)).map(({ timestamp }) => Number(timestamp))
}

describe('a profile', () => {
  it.each([
    [
      'default',
      { tickMs: 200, ticksPerBlock: 1, subscriptions: 'all', chainId: 31337, accounts: 10, l2: 'none' },
    ],
    [
      'base-flashblocks',
      {
        tickMs: 200,
        ticksPerBlock: 10,
        sliceGasBudget: true,
        pendingNonce: 'preconfirmed',
        pendingContextLag: 1,
        pendingHash: 'zero',
        subscriptions: 'all',
        l2: 'base',
      },
    ],
    [
      'op-flashblocks',
      {
        tickMs: 250,
        ticksPerBlock: 8,
        pendingNonce: 'pool',
        pendingContextLag: 0,
        pendingHash: 'real',
        subscriptions: 'standard',
        l2: 'op',
      },
    ],
    ['base-denim', { tickMs: 200, ticksPerBlock: 0, subscriptions: 'all', l2: 'base' }],
    [
      'ethereum',
      {
        tickMs: 200,
        ticksPerBlock: 60,
        subscriptions: 'standard',
        dialect: 'geth',
        systemContracts: true,
        pendingNonce: 'pool',
        l2: 'none',
      },
    ],
  ] as const)('%s sets what the table says', (profile, settings) => {
    expect(parseOptions({ profile })).toMatchObject(settings)
  })

  it('is each of those that there are', () => {
    expect(Object.keys(PROFILES)).toEqual([...PROFILE_NAMES])
  })

  it('gives way to what is set besides, and not to what is undefined', () => {
    const options = { profile: 'base-flashblocks', ticksPerBlock: 5, tickMs: undefined, pendingNonce: 'pool' }
    expect(parseOptions(options as DevnetOptions)).toMatchObject({
      tickMs: 200,
      ticksPerBlock: 5,
      pendingNonce: 'pool',
      pendingContextLag: 1,
    })
  })

  it('that there is not is refused', () => {
    expect(() => parseOptions({ profile: 'base' as never })).toThrow(
      'option profile: expected one of default',
    )
  })
})

describe('the profile default', () => {
  it('is chain 31337 with ten accounts of the well-known mnemonic, 10,000 ETH each', async () => {
    const devnet = await under('default')
    expect(await ask(devnet, 'eth_chainId')).toBe('0x7a69')
    expect(devnet.accounts).toHaveLength(10)
    expect(devnet.accounts[0]!.address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(await ask(devnet, 'eth_getBalance', devnet.accounts[9]!.address)).toBe('0x21e19e0c9bab2400000')
    expect(await codesOf(devnet, L2_CONTRACTS)).toEqual([false, false, false])
  })

  it('has a slice and a block each 200 ms', async () => {
    const devnet = await under('default')
    await devnet.advance({ ms: 1_000 })
    expect(await indexes(devnet)).toEqual([1])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x4')
  })
})

describe('the profile base-flashblocks', () => {
  it('opens a block with index 0 and 1 in one tick, and has ten slices and two seconds for each', async () => {
    const devnet = await under('base-flashblocks')
    await devnet.tick()
    expect(await indexes(devnet)).toEqual([0, 1])
    for (let i = 0; i < 9; i++) await devnet.tick()
    expect(await indexes(devnet)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
    await devnet.tick()
    expect([await ask(devnet, 'eth_blockNumber'), await indexes(devnet)]).toEqual(['0x1', [0, 1]])
    await devnet.advance({ ms: 6_000 })
    const [one, two, three] = await timesOf(devnet, '0x1', '0x2', '0x3')
    expect([two! - one!, three! - two!]).toEqual([2, 2])
  })

  it('puts the deposit alone into the slice with index 0', async () => {
    const devnet = await under('base-flashblocks')
    const hash = await pay(devnet)
    await devnet.tick()
    const [opening, first] = await ask<{ transactions: Hex[] }[]>(devnet, 'preseal_getSlices', 'pending')
    expect(opening!.transactions).toHaveLength(1)
    expect(first!.transactions).toEqual([hash])
    const deposit = await ask(devnet, 'eth_getTransactionByHash', opening!.transactions[0])
    expect(deposit).toMatchObject({ type: '0x7e', transactionIndex: '0x0' })
  })

  it('leaves a transaction that needs more than a tenth of the block to the second slice', async () => {
    const devnet = await under('base-flashblocks')
    const [large, small] = [
      await pay(devnet, { gas: '0x2dc6c1' }),
      await pay(devnet, { from: devnet.accounts[1]!.address }),
    ]
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionReceipt', small)).toMatchObject({ status: '0x1' })
    expect(await ask(devnet, 'eth_getTransactionReceipt', large)).toBeNull()
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionReceipt', large)).toMatchObject({ status: '0x1' })
  })

  it('leaves the pool out of the pending nonce', async () => {
    const devnet = await under('base-flashblocks')
    const nonce = () => ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, 'pending')
    await pay(devnet)
    expect(await nonce()).toBe('0x0')
    await devnet.tick()
    expect(await nonce()).toBe('0x1')
  })

  it('runs calls on pending in the context of the block before', async () => {
    const devnet = await under('base-flashblocks')
    await devnet.seal()
    await pay(devnet)
    await devnet.tick()
    const spot = '0x000000000000000000000000000000000000c0de'
    // NUMBER and the stranger's balance.
    const code = `0x435f5273${STRANGER.slice(2)}3160205260405ff3`
    const words = await ask<Hex>(devnet, 'eth_call', { to: spot }, 'pending', { [spot]: { code } })
    expect([Number(words.slice(0, 66)), Number(`0x${words.slice(66)}`)]).toEqual([1, 1])
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', false)).toMatchObject({ number: '0x2' })
  })

  it('knows its kinds of subscriptions, and has the contracts of an L2', async () => {
    const devnet = await under('base-flashblocks')
    expect(await answersToKinds(devnet)).toEqual(['id', 'id', 'id'])
    expect(await codesOf(devnet, L2_CONTRACTS)).toEqual([true, true, true])
  })
})

describe('the profile op-flashblocks', () => {
  it('has eight slices of 250 ms for each block', async () => {
    const devnet = await under('op-flashblocks')
    await devnet.advance({ ms: 2_000 })
    expect(await indexes(devnet)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    await devnet.advance({ ms: 250 })
    expect([await ask(devnet, 'eth_blockNumber'), await indexes(devnet)]).toEqual(['0x1', [0, 1]])
  })

  it('counts the pool in the pending nonce, and calls see the block under construction', async () => {
    const devnet = await under('op-flashblocks')
    await devnet.tick()
    await pay(devnet)
    const { address } = devnet.accounts[0]!
    expect(await ask(devnet, 'eth_getTransactionCount', address, 'pending')).toBe('0x1')
    const spot = '0x000000000000000000000000000000000000c0de'
    const override = { [spot]: { code: '0x435f5260205ff3' } }
    expect(Number(await ask(devnet, 'eth_call', { to: spot }, 'pending', override))).toBe(1)
  })

  it("refuses Base's kinds of subscriptions, and has the contracts of an L2", async () => {
    const devnet = await under('op-flashblocks')
    expect(await answersToKinds(devnet)).toEqual([-32602, -32602, -32602])
    expect(await codesOf(devnet, L2_CONTRACTS)).toEqual([true, true, true])
  })
})

describe('the profile base-denim', () => {
  it('seals a block each 200 ms, and pending is latest', async () => {
    const devnet = await under('base-denim')
    const hash = await pay(devnet)
    await devnet.advance({ ms: 1_000 })
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x5')
    const latest = await ask(devnet, 'eth_getBlockByNumber', 'latest', true)
    expect(await ask(devnet, 'eth_getBlockByNumber', 'pending', true)).toEqual(latest)
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({
      blockNumber: '0x1',
      transactionIndex: '0x1',
    })
  })

  it('accepts the kinds of Flashblocks and tells nothing', async () => {
    const devnet = await under('base-denim')
    const told: unknown[] = []
    devnet.on('message', (message) => told.push(message))
    expect(await answersToKinds(devnet)).toEqual(['id', 'id', 'id'])
    await ask(devnet, 'anvil_setCode', STRANGER, '0x5f5fa0')
    const hash = await pay(devnet, { gas: '0xc350' })
    await devnet.advance({ ms: 400 })
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ logs: { length: 1 } })
    expect(told).toEqual([])
  })
})

describe('the profile ethereum', () => {
  it('has a block each twelve seconds', async () => {
    const devnet = await under('ethereum')
    await devnet.advance({ ms: 12_000 })
    expect([await ask(devnet, 'eth_blockNumber'), (await indexes(devnet)).length]).toEqual(['0x0', 60])
    await devnet.advance({ ms: 24_000 })
    const [one, two] = await timesOf(devnet, '0x1', '0x2')
    expect(two! - one!).toBe(12)
  })

  it('has the standard kinds of subscriptions alone, the errors of geth, and the system contracts', async () => {
    const devnet = await under('ethereum')
    expect(await answersToKinds(devnet)).toEqual([-32602, -32602, -32602])
    expect(await ask(devnet, 'eth_subscribe', 'newHeads')).toMatch(/^0x/)
    await expect(ask(devnet, 'eth_getBalance', STRANGER, '0x9')).rejects.toMatchObject({
      code: -32000,
      message: 'header not found',
    })
    const eip2935 = '0x0000f90827f1c53a10cb7a02335b175320002935'
    expect(await codesOf(devnet, [eip2935, ...L2_CONTRACTS])).toEqual([true, false, false, false])
  })
})
