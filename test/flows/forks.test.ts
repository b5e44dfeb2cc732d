/** Forks, snapshots and restores: many worlds from one, none of which sees another. */
import { encodeFunctionData, type Hex, http, numberToHex, parseEther } from 'viem'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import market from '../../fixtures/market.ts'
import type { Devnet, Snapshot } from '../../src/index.ts'
import { ask, clientOf, STRANGER, started } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'
import { type Random, withRandom } from '../support/random/random.ts'

function fork(parent: Devnet, options?: Parameters<Devnet['fork']>[0]): Devnet {
  const child = parent.fork(options)
  onTestFinished(() => child.close())
  return child
}

function pay(devnet: Devnet, to: Hex = STRANGER, sender = 0): Promise<Hex> {
  const payment = { from: devnet.accounts[sender]!.address, to, value: '0x1', gas: '0x5208' }
  return ask(devnet, 'eth_sendTransaction', payment)
}

async function balance(devnet: Devnet, at = 'latest'): Promise<number> {
  return Number(await ask(devnet, 'eth_getBalance', STRANGER, at))
}

/** Everything that a client can see of a devnet, as far as these stories change it. */
async function seen(devnet: Devnet) {
  const [first] = devnet.accounts
  const head = Number(await ask(devnet, 'eth_blockNumber'))
  const blocks = []
  for (let number = 0; number <= head; number++) {
    blocks.push(await ask(devnet, 'eth_getBlockByNumber', numberToHex(number), true))
  }
  return {
    blocks,
    pending: await ask(devnet, 'eth_getBlockByNumber', 'pending', true),
    balances: [await balance(devnet, 'latest'), await balance(devnet, 'pending')],
    nonces: [
      await ask(devnet, 'eth_getTransactionCount', first!.address, 'latest'),
      await ask(devnet, 'eth_getTransactionCount', first!.address, 'pending'),
    ],
    logs: await ask(devnet, 'eth_getLogs', { fromBlock: 'earliest', toBlock: 'pending' }),
  }
}

/** A devnet with sealed, pre-confirmed and waiting transactions. */
async function busy(): Promise<Devnet> {
  const devnet = await started({ rhythm: 'manual', ticksPerBlock: 3 })
  await market(devnet)
  await pay(devnet)
  await devnet.tick()
  await pay(devnet)
  return devnet
}

describe('a fork', () => {
  it('begins with all that its parent has: blocks, pre-confirmed and waiting transactions', async () => {
    const parent = await busy()
    expect(await seen(fork(parent))).toEqual(await seen(parent))
  })

  it('finds what happened before it', async () => {
    const parent = await started({ rhythm: 'manual' })
    const { gold } = await market(parent)
    const child = fork(parent)
    const logs = await ask<{ transactionHash: Hex }[]>(child, 'eth_getLogs', {
      address: gold,
      fromBlock: 'earliest',
    })
    expect(logs.length).toBeGreaterThan(0)
    const { transactionHash } = logs[0]!
    for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
      expect(await ask(child, method, transactionHash)).toEqual(await ask(parent, method, transactionHash))
    }
  })

  it('does not see what its parent does afterwards, nor the other way', async () => {
    const parent = await busy()
    const child = fork(parent)
    const before = await seen(child)
    await pay(parent)
    await parent.mine()
    expect(await seen(child)).toEqual(before)
    const parentBefore = await seen(parent)
    await pay(child)
    await child.mine()
    await child.mine()
    expect(await seen(parent)).toEqual(parentBefore)
  })

  it('seals the same block as its parent from the same transactions', async () => {
    const parent = await busy()
    const child = fork(parent)
    await child.mine()
    await parent.mine()
    expect(await seen(child)).toEqual(await seen(parent))
  })

  it('seals another block from other transactions, at the same height', async () => {
    const parent = await started({ rhythm: 'manual' })
    const children = [fork(parent), fork(parent)]
    const [one, other] = children
    const hashes = [await pay(one!), await pay(other!, STRANGER, 1)]
    for (const child of children) await child.mine()
    expect(await ask(one!, 'eth_getTransactionReceipt', hashes[1])).toBeNull()
    expect(await ask(other!, 'eth_getTransactionReceipt', hashes[0])).toBeNull()
    const { hash } = await ask<{ hash: Hex }>(one!, 'eth_getBlockByNumber', '0x1', false)
    expect(await ask(other!, 'eth_getBlockByHash', hash, false)).toBeNull()
  })

  it('can be forked, and so on', async () => {
    const family = [await busy()]
    for (let generation = 0; generation < 10; generation++) {
      const child = fork(family.at(-1)!)
      await pay(child)
      await child.mine()
      family.push(child)
    }
    const balances = await Promise.all(family.map((devnet) => balance(devnet)))
    // The first child seals the parent's two payments and its own.
    expect(balances).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('outlives its parent', async () => {
    const parent = await busy()
    const child = fork(parent)
    const before = await seen(child)
    await parent.close()
    expect(await seen(child)).toEqual(before)
    await child.mine()
    expect(await balance(child)).toBe(2)
    const grandchild = fork(child)
    expect(await balance(grandchild)).toBe(2)
  })

  it('leaves its parent alive when it is closed', async () => {
    const parent = await busy()
    const child = fork(parent)
    await child.close()
    await parent.mine()
    expect(await balance(parent)).toBe(2)
  })

  it('of a devnet whose time runs stands still', async () => {
    const parent = await started({ tickMs: 5 })
    const child = fork(parent)
    expect(child.settings.rhythm).toBe('manual')
    const before = await ask(child, 'eth_blockNumber')
    const head = Number(await ask(parent, 'eth_blockNumber'))
    await vi.waitUntil(async () => Number(await ask(parent, 'eth_blockNumber')) > head + 5, SOON)
    expect(await ask(child, 'eth_blockNumber')).toBe(before)
  })

  it('can have a rhythm of its own', async () => {
    const parent = await started({ rhythm: 'manual', tickMs: 5 })
    const instant = fork(parent, { rhythm: 'instant' })
    await pay(instant)
    expect(await balance(instant)).toBe(1)
    const running = fork(parent, { rhythm: 'interval' })
    await pay(running)
    await vi.waitUntil(async () => (await balance(running)) === 1, SOON)
    expect(await ask(parent, 'eth_blockNumber')).toBe('0x0')
  })

  it("goes on from its parent's time", async () => {
    const parent = await started({ rhythm: 'manual' })
    await parent.advance({ ms: 60_000 })
    const child = fork(parent)
    await child.advance({ ms: 60_000 })
    await child.seal()
    const block = await ask(child, 'eth_getBlockByNumber', 'latest', false)
    expect(block).toMatchObject({ timestamp: numberToHex(1_735_689_600 + 120) })
  })

  it('listens nowhere, but may, beside its parent', async () => {
    const parent = await started({ rhythm: 'instant' })
    const child = fork(parent, { rhythm: 'instant' })
    const clients = [
      clientOf(parent, 0, http((await parent.listen()).url)),
      clientOf(child, 0, http((await child.listen()).url)),
    ] as const
    await clients[1].sendTransaction({ to: STRANGER, value: 5n })
    expect(await clients[0].getBalance({ address: STRANGER })).toBe(0n)
    expect(await clients[1].getBalance({ address: STRANGER })).toBe(5n)
  })

  it('writes to the same storage without disturbing its siblings', async () => {
    const parent = await started({ rhythm: 'manual' })
    const { gold, owner } = await market(parent)
    const mintOn = async (devnet: Devnet, value: bigint) => {
      const data = encodeFunctionData({ abi: Token.abi, functionName: 'mint', args: [STRANGER, value] })
      await ask(devnet, 'eth_sendTransaction', { from: owner, to: gold, data })
      await devnet.mine()
    }
    const siblings = Array.from({ length: 20 }, () => fork(parent))
    await Promise.all(siblings.map((sibling, i) => mintOn(sibling, BigInt(i + 1))))
    const owned = { address: gold, abi: Token.abi, functionName: 'balanceOf', args: [STRANGER] } as const
    const amounts = await Promise.all(siblings.map((sibling) => clientOf(sibling).readContract(owned)))
    expect(amounts).toEqual(siblings.map((_, i) => BigInt(i + 1)))
    expect(await clientOf(parent).readContract(owned)).toBe(0n)
  })
})

describe('a snapshot', () => {
  it('brings back blocks, what was pre-confirmed and what waited', async () => {
    const devnet = await busy()
    const before = await seen(devnet)
    const mark = devnet.snapshot()
    await pay(devnet)
    await devnet.mine()
    await devnet.advance({ ms: 5_000 })
    expect(await seen(devnet)).not.toEqual(before)
    await devnet.restore(mark)
    expect(await seen(devnet)).toEqual(before)
  })

  it('lets the same future come again, to the hash', async () => {
    const devnet = await busy()
    const mark = devnet.snapshot()
    const future = async () => {
      await pay(devnet)
      await devnet.advance({ ms: 2_000 })
      return seen(devnet)
    }
    const first = await future()
    await devnet.restore(mark)
    expect(await future()).toEqual(first)
  })

  it('forgets what came after it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const mark = devnet.snapshot()
    const hash = await pay(devnet)
    await devnet.mine()
    await devnet.restore(mark)
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toBeNull()
    expect(await ask(devnet, 'eth_getBlockByNumber', '0x1', false)).toBeNull()
  })

  it('lets the same transaction be sent again', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const mark = devnet.snapshot()
    const first = await pay(devnet)
    await devnet.restore(mark)
    expect(await pay(devnet)).toBe(first)
  })

  it('can be gone forth to as well', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const early = devnet.snapshot()
    await pay(devnet)
    await devnet.mine()
    const late = devnet.snapshot()
    await devnet.restore(early)
    expect(await balance(devnet)).toBe(0)
    await devnet.restore(late)
    expect(await balance(devnet)).toBe(1)
  })

  it('is taken before the commands that come after it, though they are not waited for', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const mark = devnet.snapshot()
    const mining = devnet.mine()
    const restoring = devnet.restore(mark)
    await Promise.all([mining, restoring])
    expect(await ask(devnet, 'eth_blockNumber')).toBe('0x0')
  })

  it('of a parent can be restored in a child', async () => {
    const parent = await started({ rhythm: 'manual' })
    const mark = parent.snapshot()
    await pay(parent)
    await parent.mine()
    const child = fork(parent)
    await child.restore(mark)
    expect(await balance(child)).toBe(0)
    expect(await balance(parent)).toBe(1)
  })

  it('goes on with the rhythm of time after it was restored', async () => {
    const devnet = await started({ tickMs: 5 })
    const mark = devnet.snapshot()
    await pay(devnet)
    await vi.waitUntil(async () => (await balance(devnet)) === 1, SOON)
    await devnet.restore(mark)
    expect(await balance(devnet)).toBe(0)
    await pay(devnet)
    await vi.waitUntil(async () => (await balance(devnet)) === 1, SOON)
  })

  it(
    'can be gone to many times, in any order, among forks and blocks',
    withRandom(async (random) => {
      const devnet = await started({ rhythm: 'manual', ticksPerBlock: 2 })
      const emitter = await deployEmitter(devnet)
      const marks: { mark: Snapshot; expected: Awaited<ReturnType<typeof seen>> }[] = []
      for (let step = 0; step < 60; step++) {
        await act(devnet, emitter, random)
        if (random.chance(0.3)) marks.push({ mark: devnet.snapshot(), expected: await seen(devnet) })
        if (marks.length > 0 && random.chance(0.3)) {
          const { mark, expected } = random.pick(marks)
          await devnet.restore(mark)
          expect(await seen(devnet)).toEqual(expected)
          expect(await seen(fork(devnet))).toEqual(expected)
        }
      }
    }),
  )
})

async function deployEmitter(devnet: Devnet): Promise<Hex> {
  const from = devnet.accounts[9]!.address
  const hash = await ask(devnet, 'eth_sendTransaction', { from, data: Emitter.bytecode })
  await devnet.mine()
  return (await ask<{ contractAddress: Hex }>(devnet, 'eth_getTransactionReceipt', hash)).contractAddress
}

/** One random step of a chain's life. */
async function act(devnet: Devnet, emitter: Hex, random: Random): Promise<void> {
  const sender = devnet.accounts[random.below(3)]!.address
  const touch = encodeFunctionData({ abi: Emitter.abi, functionName: 'touch' })
  const value = numberToHex(parseEther('0.001'))
  await random.pick([
    () => pay(devnet, STRANGER, random.below(3)),
    () => ask(devnet, 'eth_sendTransaction', { from: sender, to: emitter, data: touch, value }),
    () => devnet.tick(),
    () => devnet.seal(),
    () => devnet.mine(),
    () => devnet.advance({ ms: random.below(1_000) }),
  ])()
}
