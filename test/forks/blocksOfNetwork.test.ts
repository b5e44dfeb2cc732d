/** A devnet that was forked from a network has the network's blocks up to the fork block, and its own after it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import market, { type Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf, failure } from '../support/nodes/networkOf.ts'

type Block = { number: string; hash: string; parentHash: string; timestamp: string; transactions: string[] }
type Found = { transactions: { hash: string; from: string; nonce: string }[] }
type Log = { blockNumber: string; address: string; logIndex: string }

let network: Devnet
let fork: Devnet
let where: Market
/** The number of the fork block. */
let last: number

const hex = (number: number) => `0x${number.toString(16)}`

/** Sends one transfer of tokens by the owner on both chains and mines it. */
async function trade(devnet: Devnet, value: bigint): Promise<string> {
  const [owner, trader] = devnet.accounts.map(({ address }) => address)
  const data = `0xa9059cbb${trader!.slice(2).toLowerCase().padStart(64, '0')}${value.toString(16).padStart(64, '0')}`
  const hash = await ask(devnet, 'eth_sendTransaction', { from: owner, to: where.gold, data, gas: '0x30000' })
  await devnet.mine()
  return hash as string
}

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', chainId: 4242, logRangeLimit: 0 })
  where = await market(network)
  for (let i = 0; i < 4; i++) await trade(network, BigInt(i + 1))
  last = Number(await ask(network, 'eth_blockNumber'))
  fork = await createDevnet({
    rhythm: 'manual',
    fork: { provider: network },
    safeDistance: 1,
    finalizedDistance: 3,
  })
  // What the network does later is not on the fork.
  await trade(network, 99n)
  for (let i = 0; i < 2; i++) await trade(fork, 1_000n)
})

afterAll(async () => {
  await fork.close()
  await network.close()
})

describe('blocks', () => {
  it('have the chain id of the network, and go on from the fork block', async () => {
    expect(await ask(fork, 'eth_chainId')).toBe(hex(4242))
    expect(Number(await ask(fork, 'eth_blockNumber'))).toBe(last + 2)
    const [before, after] = (await Promise.all(
      [last, last + 1].map((number) => ask(fork, 'eth_getBlockByNumber', hex(number), false)),
    )) as Block[]
    expect(after!.parentHash).toBe(before!.hash)
    expect(Number(after!.timestamp)).toBeGreaterThanOrEqual(Number(before!.timestamp))
  })

  it('are those of the network up to the fork block, by number and by hash', async () => {
    for (let number = 0; number <= last; number++) {
      const theirs = (await ask(network, 'eth_getBlockByNumber', hex(number), true)) as Block
      expect(await ask(fork, 'eth_getBlockByNumber', hex(number), true)).toEqual(theirs)
      expect(await ask(fork, 'eth_getBlockByHash', theirs.hash, true)).toEqual(theirs)
      expect(await ask(fork, 'eth_getBlockReceipts', hex(number))).toEqual(
        await ask(network, 'eth_getBlockReceipts', hex(number)),
      )
    }
    expect(await ask(fork, 'eth_getBlockByNumber', 'earliest', false)).toEqual(
      await ask(network, 'eth_getBlockByNumber', '0x0', false),
    )
  })

  it('that the network made after the fork block do not exist', async () => {
    const later = (await ask(network, 'eth_getBlockByNumber', hex(last + 1), false)) as Block
    expect(await ask(fork, 'eth_getBlockByHash', later.hash, false)).toBeNull()
    expect(await ask(fork, 'eth_getTransactionByHash', later.transactions[0])).toBeNull()
    expect(await ask(fork, 'eth_getTransactionReceipt', later.transactions[0])).toBeNull()
    expect(await failure(ask(fork, 'eth_getBalance', where.owner, later.hash))).toContain('not found')
  })

  it('safe and finalized are counted from the newest block, on both sides of the fork block', async () => {
    const safe = (await ask(fork, 'eth_getBlockByNumber', 'safe', false)) as Block
    const finalized = (await ask(fork, 'eth_getBlockByNumber', 'finalized', false)) as Block
    expect([Number(safe.number), Number(finalized.number)]).toEqual([last + 1, last - 1])
    expect(finalized).toEqual(await ask(network, 'eth_getBlockByNumber', hex(last - 1), false))
  })

  it('of which a transaction is found by its hash, on both sides', async () => {
    const theirs = (await ask(network, 'eth_getBlockByNumber', hex(last), false)) as Block
    const ours = (await ask(fork, 'eth_getBlockByNumber', hex(last + 1), false)) as Block
    for (const [hash, number] of [
      [theirs.transactions[0], last],
      [ours.transactions[0], last + 1],
    ] as const) {
      const found = (await ask(fork, 'eth_getTransactionByHash', hash)) as { blockNumber: string }
      expect(Number(found.blockNumber)).toBe(number)
      const receipt = (await ask(fork, 'eth_getTransactionReceipt', hash)) as { status: string }
      expect(receipt.status).toBe('0x1')
      const trace = (await ask(fork, 'debug_traceTransaction', hash, { tracer: 'callTracer' })) as {
        to: string
      }
      expect(trace.to).toBe(where.gold.toLowerCase())
    }
  })
})

it('a transaction that was dropped here is not looked for on the network', async () => {
  const { provider, asked } = askedOf(network)
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider } })
  const { hash } = await devnet.send({ to: devnet.accounts[1]!.address, value: 1n, until: 'accepted' })
  await ask(devnet, 'anvil_dropTransaction', hash)
  asked.length = 0
  expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toBeNull()
  expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toBeNull()
  expect(asked).toEqual([])
})

describe('searches', () => {
  it('for one transaction find it on both sides', async () => {
    const theirs = (await ask(network, 'eth_getBlockByNumber', hex(last), true)) as Found
    const ours = (await ask(fork, 'eth_getBlockByNumber', hex(last + 1), true)) as Found
    for (const { transactions } of [theirs, ours]) {
      const { from, nonce, hash } = transactions[0]!
      expect(await ask(fork, 'eth_getTransactionBySenderAndNonce', from, nonce)).toMatchObject({ hash })
    }
    // The network has one with this nonce in a later block.
    const later = (await ask(network, 'eth_getBlockByNumber', hex(last + 1), true)) as Found
    const another = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: last } })
    const { from, nonce } = later.transactions[0]!
    expect(await ask(another, 'eth_getTransactionBySenderAndNonce', from, nonce)).toBeNull()
    await another.close()
    expect(await ask(fork, 'ots_getContractCreator', where.gold)).toEqual(
      await ask(network, 'ots_getContractCreator', where.gold),
    )
  })
})

describe('accounts', () => {
  const balanceOf = (owner: string) => ({
    to: where.gold,
    data: `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`,
  })

  it('at older blocks are those of the network', async () => {
    for (const number of [0, 3, last - 1, last]) {
      for (const [method, ...params] of [
        ['eth_getBalance', where.owner],
        ['eth_getTransactionCount', where.owner],
        ['eth_getCode', where.gold],
        ['eth_getStorageAt', where.gold, '0x0'],
      ] as const) {
        // The fork gives development accounts their balance after the fork block.
        if (number === last && method === 'eth_getBalance') continue
        expect(await ask(fork, method, ...params, hex(number)), `${method} ${number}`).toEqual(
          await ask(network, method, ...params, hex(number)),
        )
      }
    }
    expect(await ask(fork, 'eth_call', balanceOf(where.trader), hex(last - 1))).toBe(
      await ask(network, 'eth_call', balanceOf(where.trader), hex(last - 1)),
    )
  })

  it('at newer blocks are the fork’s, and the network does not see what it did', async () => {
    const there = BigInt((await ask(network, 'eth_call', balanceOf(where.trader), hex(last))) as string)
    expect(BigInt((await ask(fork, 'eth_call', balanceOf(where.trader), 'latest')) as string)).toBe(
      there + 2_000n,
    )
    expect(BigInt((await ask(network, 'eth_call', balanceOf(where.trader), 'latest')) as string)).toBe(
      there + 99n,
    )
  })
})

describe('eth_getLogs', () => {
  it('answers a range across the fork block from both sides, in order', async () => {
    const logs = (await ask(fork, 'eth_getLogs', {
      fromBlock: '0x0',
      toBlock: 'latest',
      address: where.gold,
    })) as Log[]
    const theirs = (await ask(network, 'eth_getLogs', {
      fromBlock: '0x0',
      toBlock: hex(last),
      address: where.gold,
    })) as Log[]
    expect(logs.slice(0, theirs.length)).toEqual(theirs)
    expect(logs.slice(theirs.length).map(({ blockNumber }) => Number(blockNumber))).toEqual([
      last + 1,
      last + 2,
    ])
  })

  it('answers the fork block and one before it from the network, one after it from here', async () => {
    for (const number of [last - 1, last, last + 1]) {
      const range = { fromBlock: hex(number), toBlock: hex(number) }
      const logs = (await ask(fork, 'eth_getLogs', range)) as Log[]
      expect(logs.map(({ blockNumber }) => Number(blockNumber))).toEqual([number])
      const { hash } = (await ask(fork, 'eth_getBlockByNumber', hex(number), false)) as Block
      expect(await ask(fork, 'eth_getLogs', { blockHash: hash })).toEqual(logs)
    }
  })

  it('counts the blocks of both sides in the limit of a range', async () => {
    const limited = await createDevnet({
      rhythm: 'manual',
      fork: { provider: network, block: last },
      logRangeLimit: 3,
    })
    await limited.mine(2)
    const range = (from: number, to: string) => ({ fromBlock: hex(from), toBlock: to })
    expect(await ask(limited, 'eth_getLogs', range(last, 'latest'))).toHaveLength(1)
    expect(await failure(ask(limited, 'eth_getLogs', range(last - 1, 'latest')))).toContain(
      'max block range 3',
    )
    await limited.close()
  })

  it('answers a filter with a range across the fork block, too', async () => {
    const range = { fromBlock: hex(last), toBlock: hex(last + 1) }
    const id = await ask(fork, 'eth_newFilter', range)
    expect(await ask(fork, 'eth_getFilterLogs', id)).toEqual(await ask(fork, 'eth_getLogs', range))
  })
})

it('eth_feeHistory joins both sides', async () => {
  type Fees = { oldestBlock: string; baseFeePerGas: string[]; gasUsedRatio: number[]; reward: string[][] }
  const history = (await ask(fork, 'eth_feeHistory', '0x4', 'latest', [50])) as Fees
  const theirs = (await ask(network, 'eth_feeHistory', '0x2', hex(last), [50])) as Fees
  expect(Number(history.oldestBlock)).toBe(last - 1)
  expect(history.baseFeePerGas).toHaveLength(5)
  expect(history.baseFeePerGas.slice(0, 3)).toEqual(theirs.baseFeePerGas)
  expect(history.gasUsedRatio.slice(0, 2)).toEqual(theirs.gasUsedRatio)
  expect(history.reward).toHaveLength(4)
})

it('eth_feeHistory has no gap where blocks after the fork block were pruned', async () => {
  const pruned = await createDevnet({
    rhythm: 'manual',
    fork: { provider: network, block: last },
    history: { blocks: 3 },
  })
  await pruned.mine(10)
  const history = (await ask(pruned, 'eth_feeHistory', '0x64', 'latest', [])) as { oldestBlock: string }
  expect(history).toMatchObject({ oldestBlock: hex(last + 8), gasUsedRatio: { length: 3 } })
  await pruned.close()
})

it('earliest is the first block of a network that begins later than with block 0', async () => {
  const late = await createDevnet({ rhythm: 'manual', genesisBlockNumber: 1_000 })
  await late.mine(2)
  const onLate = await createDevnet({ rhythm: 'manual', fork: { provider: late } })
  expect(await ask(onLate, 'eth_getBlockByNumber', 'earliest', false)).toMatchObject({ number: hex(1_000) })
  expect(await ask(onLate, 'eth_getBalance', where.owner, 'earliest')).toBe(
    await ask(late, 'eth_getBalance', where.owner, 'earliest'),
  )
  await onLate.close()
  await late.close()
})

it('safe, finalized and the limit of a range begin with the first block of such a network', async () => {
  await using late = await createDevnet({ rhythm: 'manual', genesisBlockNumber: 1_000 })
  await late.mine(2)
  const options = { rhythm: 'manual', safeDistance: 2, finalizedDistance: 64, logRangeLimit: 10 } as const
  const { provider, asked } = askedOf(late)
  await using devnet = await createDevnet({ ...options, fork: { provider } })
  await devnet.mine()
  asked.length = 0
  const numberOf = async (tag: string) =>
    Number((await ask<Block>(devnet, 'eth_getBlockByNumber', tag, false)).number)
  expect([await numberOf('safe'), await numberOf('finalized'), await numberOf('finalized')]).toEqual([
    1_001, 1_000, 1_000,
  ])
  const [alice] = late.accounts
  expect(await ask(devnet, 'eth_getTransactionCount', alice!.address, 'finalized')).toBe('0x0')
  // The first block is asked for once.
  expect(asked.filter(({ params }) => params[0] === 'earliest')).toHaveLength(1)
  expect(await ask(devnet, 'eth_getLogs', { fromBlock: 'earliest', toBlock: 'latest' })).toEqual([])
  await devnet.mine(10)
  expect(await failure(ask(devnet, 'eth_getLogs', { fromBlock: 'earliest' }))).toContain('1000-1009')
})

it('a request that leaves out the block, or all, means the fork block where that is the newest one', async () => {
  const fresh = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: last } })
  expect(await ask(fresh, 'eth_getProof', where.gold, ['0x0'])).toEqual(
    await ask(network, 'eth_getProof', where.gold, ['0x0'], hex(last)),
  )
  expect(await failure(ask(fresh, 'eth_getProof'))).toContain('params[0]: expected a 20-byte address')
  await fresh.close()
})

it('a fault of a request that is due once affects the whole request, also when it waits for the network', async () => {
  const cold = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: last } })
  await cold.mine(2)
  await cold.tick()
  // Returns the number of the block.
  const at = '0x00000000000000000000000000000000000b10c1'
  const numberOf = () => ask(cold, 'eth_call', { to: at }, 'pending', { [at]: { code: '0x435f5260205ff3' } })
  await cold.faults.contextLag(2, { times: 1 })
  expect([Number(await numberOf()), Number(await numberOf())]).toEqual([last + 1, last + 3])
  await cold.close()
})

it.each(['import', 'export', 'genesis'] as const)(
  '%s needs all accounts, and is refused with the reason',
  async (action) => {
    const act = async () => (action === 'import' ? fork.import(new Uint8Array()) : fork[action]())
    expect(await failure(act())).toMatch(
      new RegExp(`^${action}: a state that was forked from a network has no `),
    )
  },
)

it('BLOCKHASH returns the hashes of both sides', async () => {
  // Returns the hash of the block whose number is the call's data.
  const code = '0x5f35405f5260205ff3'
  const at = '0x00000000000000000000000000000000000b10c0'
  await fork.mine()
  const head = Number(await ask(fork, 'eth_blockNumber'))
  for (let number = Math.max(0, head - 256); number < head; number++) {
    const call = { to: at, data: `0x${number.toString(16).padStart(64, '0')}` }
    const { hash } = (await ask(fork, 'eth_getBlockByNumber', hex(number), false)) as Block
    expect(await ask(fork, 'eth_call', call, 'latest', { [at]: { code } }), `block ${number}`).toBe(hash)
  }
})

it('a local fork of the fork goes on from there, and costs the network nothing', async () => {
  const local = fork.fork()
  await trade(local, 5n)
  const number = Number(await ask(local, 'eth_blockNumber'))
  expect(number).toBe(Number(await ask(fork, 'eth_blockNumber')) + 1)
  expect(await ask(local, 'eth_getBlockByNumber', hex(2), false)).toEqual(
    await ask(network, 'eth_getBlockByNumber', hex(2), false),
  )
  await local.close()
})
