/** Stories of an L2 with its L1: apps that credit what arrives on the L2, with viem as their client. */
import { type BlockTag, createPublicClient, custom, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { type EveryStoryOptions, StoryFailed, story } from '../../src/testing/index.ts'
import { expectEveryStory } from '../../src/testing/vitest/index.ts'
import { OP_ON_L1 } from '../support/clients/bridge.ts'

const SHOP: Hex = '0x5000000000000000000000000000000000000005'
const L2_BRIDGE: Hex = '0x4200000000000000000000000000000000000010'
const WETH: Hex = '0x4200000000000000000000000000000000000006'
const abi = parseAbi([
  'function depositETHTo(address to, uint32 minGasLimit, bytes extraData) payable',
  'event ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)',
  'event Deposit(address indexed dst, uint256 amount)',
])

/** Blocks of two seconds, without slices, and an L1 block for every two of them. */
const base = createDevnet({
  ...{ profile: 'op-flashblocks', rhythm: 'manual', tickMs: 2_000, ticksPerBlock: 0 },
  l1: { tickMs: 4_000, sequencingWindow: 3 },
})
const start = { use: async () => ({ devnet: (await base).fork() }) }

/** Deposits ten wei for the shop through the bridge on L1. */
const deposit = ({ l1 }: Devnet) =>
  l1!.send({
    to: OP_ON_L1.bridge,
    data: encodeFunctionData({ abi, functionName: 'depositETHTo', args: [SHOP, 200_000, '0x'] }),
    ...{ value: 10n, gas: 1_000_000n, until: 'accepted' },
  })

/** Wraps ten wei on L2. */
const wrap = (devnet: Devnet) => devnet.send({ to: WETH, value: 10n, gas: 100_000n, until: 'accepted' })

interface App {
  credit: bigint
  close(): void
}

const clientOf = ({ provider }: Devnet) =>
  createPublicClient({ transport: custom(provider), pollingInterval: 500, cacheTime: 0 })

/** Credits the amounts of an event; a mended one takes them back if the logs are removed. */
const watcher =
  (eventName: 'ETHBridgeFinalized' | 'Deposit', isMended: boolean) =>
  (devnet: Devnet): App => {
    const address = eventName === 'Deposit' ? WETH : L2_BRIDGE
    const app = {
      credit: 0n,
      close: clientOf(devnet).watchContractEvent({
        ...{ abi, address, eventName, strict: true },
        onLogs: (logs) => {
          for (const { args, removed } of logs) {
            if (!removed) app.credit += args.amount
            else if (isMended) app.credit -= args.amount
          }
        },
      }),
    }
    return app
  }

/** Credits the balance of the shop in each block with a tag, and never takes it back. */
const reader =
  (blockTag: BlockTag) =>
  (devnet: Devnet): App => {
    const client = clientOf(devnet)
    const app = {
      credit: 0n,
      close: client.watchBlocks({
        blockTag,
        async onBlock({ number }) {
          const balance = await client.getBalance({ address: SHOP, blockNumber: number! })
          if (balance > app.credit) app.credit = balance
        },
      }),
    }
    return app
  }

const received = async (devnet: Devnet) =>
  BigInt(await devnet.request({ method: 'eth_getBalance', params: [SHOP, 'latest'] }))

const play = (options: Partial<EveryStoryOptions<{ devnet: Devnet }, App>> & { run(devnet: Devnet): App }) =>
  expectEveryStory(start, {
    acts: [deposit],
    faults: ['reorgL1', 'withheld'],
    ...{ ticks: 8, maxFaults: 1, seconds: 30 },
    holds: async ({ credit }, devnet) => expect(credit).toBe(await received(devnet)),
    ...options,
  })

const failureOf = async (playing: ReturnType<typeof play>): Promise<StoryFailed> => {
  const failure = await playing.catch((error) => error)
  expect(failure).toBeInstanceOf(StoryFailed)
  return failure
}

describe('everyStory of an L2 with its L1', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('finds a watcher of deposits that never takes a credit back', async () => {
    const { message } = await failureOf(play({ run: watcher('ETHBridgeFinalized', false) }))
    expect(message).toContain(`\
  1. act 1 sends the transaction of account 0 on L1
  2. L1 block 1 is sealed with the transaction of account 0
  3. block 2 is sealed with 1 deposit
  4. a reorg: L1 block 1 is removed
  5. L1 block 1 is sealed in its place with the transaction of account 0
  6. a reorg: block 2 is removed
  7. block 2 is sealed in its place with 1 deposit
  8. when all is quiet, \`holds\` fails: expected 20n to be 10n`)
    expect(message).toContain("story: story('act 1; tick 2; reorgL1 1 keep; tick')")
  })

  it('plays the story again, and passes a watcher that takes credits back', async () => {
    const again = story('act 1; tick 2; reorgL1 1 keep; tick')
    await failureOf(play({ run: watcher('ETHBridgeFinalized', false), story: again }))
    await play({ run: watcher('ETHBridgeFinalized', true), story: again })
    expect(await play({ run: watcher('ETHBridgeFinalized', true) })).toMatchObject({ isComplete: true })
  })

  it('finds a reader of latest, and passes a reader of finalized', async () => {
    const holds = async ({ credit }: App, devnet: Devnet) =>
      expect(credit).toBeLessThanOrEqual(await received(devnet))
    const { story: found } = await failureOf(play({ run: reader('latest'), holds }))
    expect(found).toBe('act 1; tick 2; reorgL1 1 drop; tick')
    await play({ run: reader('finalized'), holds })
  })

  it('lets sequencing windows end: finds an app that counts the payments of replaced blocks twice', async () => {
    const options = { acts: [wrap], holds: ({ credit }: App) => expect(credit).toBe(10n) }
    const { story: found, message } = await failureOf(play({ run: watcher('Deposit', false), ...options }))
    expect(found).toMatch(/^act 1; .*withheld 3; tick/)
    expect(message).toContain('3 blocks of the L1 will have no batches')
    await play({ run: watcher('Deposit', true), ...options })
  })

  it('has no such stories on a devnet without an L1', async () => {
    const alone = { use: async () => ({ devnet: await createDevnet({ rhythm: 'manual' }) }) }
    const options = { acts: [], faults: ['reorgL1', 'withheld'] as const, holds: () => {} }
    expect(await expectEveryStory(alone, { run: () => ({}), ...options })).toMatchObject({ stories: 1 })
  })
})
