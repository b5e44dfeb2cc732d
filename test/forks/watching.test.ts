/** Who watches a fork, by subscriptions, filters and logs, is told what a watcher of the network would be told. */
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import market, { type Market } from '../../fixtures/market.ts'
import { type Address, fromHex, toHex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { sign } from '../support/chains/signing.ts'
import { ask } from '../support/clients/clients.ts'

/** The fork block. */
const LAST = 6
const KINDS = ['newHeads', 'logs', 'pendingLogs', 'newPendingTransactions', 'newFlashblocks'] as const

let network: Devnet
let where: Market

/** Sends tokens, as all transactions of these stories do: with the same bytes on each chain. */
async function trade(devnet: Devnet, value: number): Promise<string> {
  const args = [where.trader, BigInt(value)] as const
  const data = fromHex(encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args }))
  const nonce = BigInt(await ask<string>(devnet, 'eth_getTransactionCount', where.owner, 'pending'))
  const to = where.gold.toLowerCase() as Address
  const { raw } = sign(network.accounts[0]!, { to, nonce, data, gasLimit: 200_000n })
  return ask(devnet, 'eth_sendRawTransaction', toHex(raw))
}

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  where = await market(network)
  for (let value = 1; value <= LAST - 4; value++) {
    await trade(network, value)
    await network.mine()
  }
})

afterAll(() => network.close())

/** A devnet, the subscriptions and the filters of a client, and what they told. */
class Watched {
  readonly devnet: Devnet
  readonly told: (readonly [string, ...unknown[]])[] = []
  readonly #filters: string[] = []

  constructor(devnet: Devnet) {
    this.devnet = devnet
  }

  async start(): Promise<void> {
    const { devnet } = this
    const kinds = new Map<unknown, string>()
    devnet.on('message', ({ data }) => {
      const kind = kinds.get(data.subscription)
      if (kind !== undefined) this.told.push([kind, data.result])
    })
    for (const kind of KINDS) {
      // A range of a subscription brings nothing that was before: as in geth.
      const filters = kind.endsWith('ogs') ? [{ address: where.gold, fromBlock: '0x1' }] : []
      kinds.set(await ask(devnet, 'eth_subscribe', kind, ...filters), kind)
    }
    this.#filters.push(
      await ask(devnet, 'eth_newFilter', { address: where.gold, fromBlock: '0x1' }),
      await ask(devnet, 'eth_newFilter', { fromBlock: '0x2', toBlock: `0x${(LAST + 1).toString(16)}` }),
      await ask(devnet, 'eth_newFilter', { fromBlock: '0x1', toBlock: '0x4' }),
      await ask(devnet, 'eth_newBlockFilter'),
      await ask(devnet, 'eth_newPendingTransactionFilter'),
    )
  }

  /** Asks what is new by the filters, and for all in their ranges. */
  async poll(): Promise<void> {
    for (const [index, id] of this.#filters.entries()) {
      this.told.push(['changes', index, await ask(this.devnet, 'eth_getFilterChanges', id)])
      // Or the error, while the range ends after the newest block.
      const all = ask<unknown>(this.devnet, 'eth_getFilterLogs', id).catch(({ message }: Error) => message)
      if (index < 3) this.told.push(['all', index, await all])
    }
  }
}

const STORY: readonly ((devnet: Devnet) => Promise<unknown>)[] = [
  (devnet) => trade(devnet, 10),
  (devnet) => devnet.tick(),
  (devnet) => trade(devnet, 11),
  (devnet) => devnet.tick(),
  (devnet) => devnet.tick(),
  (devnet) => devnet.tick(),
  (devnet) => trade(devnet, 12),
  (devnet) => devnet.mine(),
  (devnet) => devnet.faults.reorg({ depth: 2, transactions: 'wait' }),
  (devnet) => devnet.tick(),
  (devnet) => devnet.mine(2),
  (devnet) => devnet.faults.reorg({ depth: 1, transactions: 'drop' }),
  (devnet) => devnet.mine(),
]

it('subscriptions and filters of a fork tell what those of the network would', async () => {
  // The network's own next blocks, and those of a fork: with proofs they have the same hashes.
  await using here = network.fork()
  await using there = await createDevnet({
    rhythm: 'manual',
    ticksPerBlock: 3,
    accounts: 0,
    fork: { provider: network, proofs: true },
  })
  const [one, other] = [new Watched(here), new Watched(there)]
  for (const watched of [one, other]) await watched.start()
  for (const act of STORY) {
    for (const watched of [one, other]) {
      await act(watched.devnet)
      await watched.poll()
    }
  }
  expect(other.told).toEqual(one.told)
  const kinds = one.told.map(([kind]) => kind)
  expect([...new Set(kinds)].sort()).toEqual([...KINDS, 'all', 'changes'].sort())
  expect(JSON.stringify(one.told)).toContain('"removed":true')
})

describe('on a fork without proofs', () => {
  let fork: Devnet

  beforeAll(async () => {
    fork = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3, fork: { provider: network } })
    await trade(fork, 20)
    await fork.mine(3)
  })

  afterAll(() => fork.close())

  const logs = (fromBlock: string, toBlock: string) =>
    ask<unknown[]>(fork, 'eth_getLogs', { fromBlock, toBlock })

  it('the fault logRange counts the blocks of the network, too', async () => {
    const id = await fork.faults.logRange({ provider: 'alchemy', blocks: 3 })
    const words = (from: string, to: string) => ({
      code: -32600,
      message: expect.stringContaining(`this block range should work: [${from}, ${to}]`),
    })
    // Below the fork block, across it, after it, and by tags.
    await expect(logs('0x1', '0x4')).rejects.toMatchObject(words('0x1', '0x3'))
    await expect(logs('0x5', '0x8')).rejects.toMatchObject(words('0x5', '0x7'))
    await expect(logs('0x6', '0x9')).rejects.toMatchObject(words('0x6', '0x8'))
    await expect(logs('earliest', '0x3')).rejects.toMatchObject(words('0x0', '0x2'))
    await expect(logs('0x1', 'pending')).rejects.toMatchObject(words('0x1', '0x3'))
    for (const [from, to] of [
      ['0x2', '0x4'],
      ['0x5', '0x7'],
      ['0x7', '0x9'],
    ] as const) {
      expect((await logs(from, to)).length).toBeGreaterThan(0)
    }
    await fork.faults.remove(id)
    expect((await logs('0x1', '0x9')).length).toBeGreaterThan(10)
  })

  it('the limit of a range counts them, and a filter keeps to it', async () => {
    await using narrow = await createDevnet({
      rhythm: 'manual',
      logRangeLimit: 4,
      fork: { provider: network },
    })
    const id = await ask(narrow, 'eth_newFilter', { fromBlock: '0x1' })
    await expect(ask(narrow, 'eth_getFilterLogs', id)).rejects.toThrow('retry with the range 1-4')
    const fits = await ask(narrow, 'eth_newFilter', { fromBlock: '0x3' })
    expect((await ask<unknown[]>(narrow, 'eth_getFilterLogs', fits)).length).toBeGreaterThan(0)
  })
})
