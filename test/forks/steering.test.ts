/** Snapshots, forks, reorgs and faults on a network; and other chains of the process while one waits for its node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf, failure } from '../support/nodes/networkOf.ts'

type Block = { number: string; hash: string; transactions: string[] }

const RICH = '0x00000000000000000000000000000000000f1c41'
/** The number of the fork block. */
const LAST = 5

let network: Devnet
let where: Market

const onNetwork = () => createDevnet({ rhythm: 'manual', fork: { provider: network, block: LAST } })
const balanceOf = (devnet: Devnet, at: string, block = 'latest') =>
  ask<string>(devnet, 'eth_getBalance', at, block)
const latest = (devnet: Devnet) => ask<Block>(devnet, 'eth_getBlockByNumber', 'latest', false)

/** Sends gold of the owner to the trader. */
const trade = (devnet: Devnet, value: number) =>
  ask<string>(devnet, 'eth_sendTransaction', {
    from: where.owner,
    to: where.gold,
    data: `0xa9059cbb${where.trader.slice(2).toLowerCase().padStart(64, '0')}${value.toString(16).padStart(64, '0')}`,
    gas: '0x30000',
  })
const gold = (devnet: Devnet, block = 'latest') =>
  ask<string>(
    devnet,
    'eth_call',
    { to: where.gold, data: `0x70a08231${where.trader.slice(2).toLowerCase().padStart(64, '0')}` },
    block,
  ).then(BigInt)

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', chainId: 4242 })
  where = await market(network)
  await ask(network, 'anvil_setBalance', RICH, '0x77')
  await network.mine()
})

afterAll(() => network.close())

describe('snapshots', () => {
  it('of evm_snapshot are reverted to, with what was fetched since', async () => {
    await using devnet = await onNetwork()
    const before = await latest(devnet)
    const id = await ask(devnet, 'evm_snapshot')
    await trade(devnet, 7)
    await ask(devnet, 'anvil_setBalance', RICH, '0x1')
    await devnet.mine()
    expect(await balanceOf(devnet, RICH)).toBe('0x1')
    expect(await ask(devnet, 'evm_revert', id)).toBe(true)
    expect(await latest(devnet)).toEqual(before)
    expect(await balanceOf(devnet, RICH)).toBe('0x77')
    expect(await gold(devnet)).toBe(await gold(network))
  })

  it('of the devnet are restored on it and on its forks, any number of times', async () => {
    await using devnet = await onNetwork()
    await trade(devnet, 7)
    await devnet.mine()
    const snapshot = devnet.snapshot()
    const there = await gold(network)
    await using fork = devnet.fork()
    for (const one of [devnet, fork, devnet]) {
      await trade(one, 5)
      await one.mine()
      expect(await gold(one)).toBe(there + 12n)
      await one.restore(snapshot)
      expect(await gold(one)).toBe(there + 7n)
    }
  })

  it('of a chain on another block of the network bring that network back', async () => {
    await using devnet = await onNetwork()
    const snapshot = devnet.snapshot()
    await ask(devnet, 'anvil_reset', { forking: { blockNumber: 2 } })
    expect(await ask(devnet, 'eth_getBlockByNumber', '0x4', false)).toBeNull()
    await devnet.restore(snapshot)
    expect(await ask(devnet, 'eth_getBlockByNumber', '0x4', false)).toEqual(
      await ask(network, 'eth_getBlockByNumber', '0x4', false),
    )
    expect(await balanceOf(devnet, RICH)).toBe('0x77')
  })
})

describe('reorgs', () => {
  it('after the fork block keep, return and drop transactions', async () => {
    await using devnet = await onNetwork()
    const there = await gold(network)
    const hash = await trade(devnet, 7)
    await devnet.mine(2)
    const before = await latest(devnet)
    await devnet.faults.reorg({ depth: 2, transactions: 'keep' })
    const after = await latest(devnet)
    expect(Number(after.number)).toBe(LAST + 2)
    expect(after.hash).not.toBe(before.hash)
    expect(await gold(devnet)).toBe(there + 7n)
    const receipt = await ask<{ blockNumber: string }>(devnet, 'eth_getTransactionReceipt', hash)
    expect(Number(receipt.blockNumber)).toBe(LAST + 1)
    expect(
      await ask(devnet, 'eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: where.gold }),
    ).toEqual([
      ...(await ask<unknown[]>(network, 'eth_getLogs', {
        fromBlock: '0x0',
        toBlock: 'latest',
        address: where.gold,
      })),
      expect.objectContaining({ transactionHash: hash }),
    ])
    await ask(devnet, 'anvil_reorg', 2, [])
    expect(await gold(devnet)).toBe(there)
    await trade(devnet, 1)
    await devnet.mine()
    await ask(devnet, 'anvil_rollback', 3)
    expect(Number((await latest(devnet)).number)).toBe(LAST)
    expect(await gold(devnet)).toBe(there)
  })

  it('of the fork block are refused in so many words', async () => {
    await using devnet = await onNetwork()
    await devnet.mine(2)
    const refused = `expected at most 2 blocks, those after ${LAST}, the fork block, got 3`
    expect(await failure(devnet.faults.reorg({ depth: 3, transactions: 'drop' }))).toContain(refused)
    for (const [method, ...params] of [
      ['anvil_rollback', 3],
      ['anvil_reorg', 3, []],
      ['preseal_reorg', { depth: 3, transactions: 'drop' }],
    ] as const) {
      expect(await failure(ask(devnet, method, ...params)), method).toContain(refused)
    }
    expect(Number((await latest(devnet)).number)).toBe(LAST + 2)
  })
})

it('faults of slices, blocks and requests happen as without a network', async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    ticksPerBlock: 4,
    fork: { provider: network, block: LAST },
  })
  const hash = await trade(devnet, 7)
  await devnet.faults.add({ kind: 'dropTransaction', hash, lands: 'never' })
  await devnet.faults.add({ kind: 'rpcError', method: 'eth_getBalance', code: -32000, message: 'a fault' })
  await devnet.tick()
  await devnet.tick()
  expect(await failure(balanceOf(devnet, RICH))).toContain('a fault')
  expect(await balanceOf(devnet, RICH)).toBe('0x77')
  await devnet.mine()
  expect(await gold(devnet)).toBe(await gold(network))
})

describe('while a chain waits for its node', () => {
  /** Returns a fork whose node does not answer about an account until `open`. */
  async function gated(account: string) {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let arrived = () => {}
    const isAsked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { provider } = askedOf(network, ({ params }) => {
      if (String(params[0]).toLowerCase() !== account.toLowerCase()) return
      arrived()
      return gate
    })
    const devnet = await createDevnet({ rhythm: 'manual', fork: { provider, block: LAST } })
    return { devnet, open, isAsked }
  }

  it('in a tick, other chains make ticks, and it answers what it has', async () => {
    const { devnet, open, isAsked } = await gated(where.gold)
    await trade(devnet, 7)
    let isDone = false
    const ticked = devnet.tick().then(() => {
      isDone = true
    })
    await isAsked
    await using other = await onNetwork()
    await trade(other, 3)
    await other.mine(3)
    expect(Number((await latest(other)).number)).toBe(LAST + 3)
    expect(await gold(other)).toBe((await gold(network)) + 3n)
    // Nothing of the tick is visible yet.
    expect(Number(await ask(devnet, 'eth_blockNumber'))).toBe(LAST)
    expect((await ask<Block>(devnet, 'eth_getBlockByNumber', 'pending', false)).transactions).toEqual([])
    expect(await ask(devnet, 'eth_getTransactionCount', where.owner, 'latest')).toBe(
      await ask(network, 'eth_getTransactionCount', where.owner, 'latest'),
    )
    expect(isDone).toBe(false)
    open()
    await ticked
    expect((await ask<Block>(devnet, 'eth_getBlockByNumber', 'pending', false)).transactions).toHaveLength(1)
    await devnet.close()
  })

  it('in a read, it makes ticks and blocks itself', async () => {
    const { devnet, open, isAsked } = await gated(RICH)
    const balance = balanceOf(devnet, RICH)
    await isAsked
    await trade(devnet, 7)
    await devnet.tick()
    await devnet.mine(2)
    expect(await gold(devnet)).toBe((await gold(network)) + 7n)
    open()
    expect(await balance).toBe('0x77')
    await devnet.close()
  })
})
