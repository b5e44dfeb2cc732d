/** Empty blocks, which a chain stores as what differs from the block before: each is read as it was when it was sealed. */
import { createBlockHeaderFromRPC } from '@ethereumjs/block'
import { expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { theirCommon } from '../support/chains/headers.ts'
import { ask } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

/** What each block was when it was the newest. */
type Seen = Map<number, { block: { hash: string; number: string }; balance: unknown }>

const RECIPIENT = `0x${'ab'.repeat(20)}` as const

async function seal(devnet: Devnet, seen: Seen): Promise<void> {
  await devnet.mine()
  await see(devnet, seen)
}

async function see(devnet: Devnet, seen: Seen): Promise<void> {
  const block = await ask<{ hash: string; number: string }>(devnet, 'eth_getBlockByNumber', 'latest', true)
  seen.set(Number(block.number), { block, balance: await ask(devnet, 'eth_getBalance', RECIPIENT, 'latest') })
}

async function expectSeen(devnet: Devnet, seen: Seen): Promise<void> {
  for (const [number, { block, balance }] of seen) {
    const tag = `0x${number.toString(16)}`
    expect(await ask(devnet, 'eth_getBlockByNumber', tag, true)).toEqual(block)
    expect(await ask(devnet, 'eth_getBlockByHash', block.hash, true)).toEqual(block)
    expect(await ask(devnet, 'eth_getBalance', RECIPIENT, tag)).toBe(balance)
  }
}

/** Changes that end a run of empty blocks, or that blocks of a run can have. */
const CHANGES: readonly ((devnet: Devnet, random: Random) => Promise<unknown>)[] = [
  (devnet) => {
    const { address } = devnet.accounts[0]!
    return ask(devnet, 'eth_sendTransaction', { from: address, to: RECIPIENT, value: '0x1' })
  },
  (devnet, random) => ask(devnet, 'anvil_setBalance', RECIPIENT, `0x${random.below(1_000).toString(16)}`),
  (devnet, random) => ask(devnet, 'hardhat_setPrevRandao', random.hex(32)),
  (devnet, random) => ask(devnet, 'evm_increaseTime', random.below(10_000_000) + 1),
  (devnet) => ask(devnet, 'evm_increaseTime', 2 ** 33),
  (devnet, random) =>
    ask(devnet, 'anvil_setNextBlockBaseFeePerGas', `0x${random.below(2 ** 31).toString(16)}`),
  (devnet) => ask(devnet, 'anvil_setNextBlockBaseFeePerGas', `0x1${'0'.repeat(17)}`),
  (devnet, random) => ask(devnet, 'anvil_setCoinbase', random.hex(20)),
  (devnet, random) =>
    ask(devnet, 'evm_setBlockGasLimit', `0x${(30_000_000 + random.below(1_000)).toString(16)}`),
]

async function sealSome(devnet: Devnet, seen: Seen, random: Random, blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i++) {
    if (random.below(40) === 0) {
      await random.pick(CHANGES)(devnet, random)
      // A cheat can change the state after the latest block.
      await see(devnet, seen)
    }
    await seal(devnet, seen)
  }
}

it(
  'blocks are read as they were sealed, after changes of all kinds, in forks, and after reverts and reorgs',
  withRandom(async (random) => {
    await using devnet = await createDevnet({
      rhythm: 'manual',
      sliceHistory: random.below(100),
      balance: 10n ** 30n,
    })
    const seen: Seen = new Map()
    await sealSome(devnet, seen, random, 300)
    const snapshot = devnet.snapshot()
    const before = new Map(seen)
    await using fork = devnet.fork()
    const seenInFork = new Map(seen)
    for (let i = 0; i < 200; i++) {
      await sealSome(devnet, seen, random, 1)
      await sealSome(fork, seenInFork, random, 1)
    }
    await expectSeen(devnet, seen)
    await expectSeen(fork, seenInFork)

    const depth = 1 + random.below(60)
    await ask(devnet, 'anvil_reorg', depth, [])
    for (let number = 500 - depth + 1; number <= 500; number++) seen.delete(number)
    await sealSome(devnet, seen, random, 100)
    await expectSeen(devnet, seen)

    await devnet.restore(snapshot)
    await expectSeen(devnet, before)
    await sealSome(devnet, before, random, 300)
    await expectSeen(devnet, before)
  }),
)

it('blocks of a state file are read as they were saved', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const seen: Seen = new Map()
  for (let i = 0; i < 1_200; i++) await seal(devnet, seen)
  await using other = await createDevnet({ rhythm: 'manual' })
  await other.load(Buffer.concat([...devnet.dump()]))
  await expectSeen(other, seen)
  await other.mine()
  expect(await ask(other, 'eth_blockNumber')).toBe('0x4b1')
})

it('the hash of a block is that of its header, and the next block names it', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', sliceHistory: 0 })
  await devnet.mine({ blocks: 400 })
  const common = theirCommon('osaka')
  for (const number of [1, 2, 3, 200, 257, 258, 300]) {
    const block = await ask<{ hash: string; parentHash: string }>(
      devnet,
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      false,
    )
    const parent = await ask<{ hash: string }>(
      devnet,
      'eth_getBlockByNumber',
      `0x${(number - 1).toString(16)}`,
      false,
    )
    const header = createBlockHeaderFromRPC(block as never, { common, skipConsensusFormatValidation: true })
    expect(Buffer.from(header.hash()).toString('hex')).toBe(block.hash.slice(2))
    expect(block.parentHash).toBe(parent.hash)
  }
})
