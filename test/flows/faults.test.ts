/** Faults of the chain, each step by step as a client sees it: on demand, on a schedule, by chance, and taken back. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Devnet, DevnetOptions } from '../../src/index.ts'
import { ask, clientOf, STRANGER, started } from '../support/clients.ts'
import { heard, pay, received, seen, subscribed } from '../support/watched.ts'

const flashblocks = (options: DevnetOptions = {}) =>
  started({ rhythm: 'manual', ticksPerBlock: 3, ...options })

const LOGGER = '0x0000000000000000000000000000000000106106'
const LOGS_TIME: Hex = '0x425f5260205fa000' // TIMESTAMP, in a log without topics
const LOGS_RANDAO: Hex = '0x445f5260205fa000'
const LOGS_COUNT: Hex = '0x5f546001018060005560005260206000a000' // counts its calls in slot 0, and logs that

/** A devnet whose contract at `LOGGER` has this code. */
async function withLogger(code: Hex, options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await flashblocks(options)
  await ask(devnet, 'hardhat_setCode', LOGGER, code)
  return devnet
}

function call(devnet: Devnet, sender = 0): Promise<Hex> {
  return pay(devnet, sender, { to: LOGGER, value: '0x0', gas: '0x186a0' })
}

async function ticks(devnet: Devnet, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await devnet.tick()
}

interface LogJson {
  readonly data: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
  readonly logIndex: Hex
  readonly removed: boolean
}

function logs(devnet: Devnet, fromBlock: string, toBlock = fromBlock): Promise<LogJson[]> {
  return ask(devnet, 'eth_getLogs', { fromBlock, toBlock, address: LOGGER })
}

interface ReceiptJson {
  readonly blockNumber: Hex
  readonly blockHash: Hex
}

function receipt(devnet: Devnet, hash: Hex): Promise<ReceiptJson | null> {
  return ask(devnet, 'eth_getTransactionReceipt', hash)
}

describe('a slice that never comes', () => {
  it('leaves pending as it was, then absent until the next block; what was in it is sealed', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    await devnet.faults.omitSlice({ block: 1, slice: 2 })
    await pay(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
    const lost = await pay(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
    expect(await receipt(devnet, lost)).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionByHash', lost)).toMatchObject({ blockNumber: null })
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending -')
    expect(await received(devnet, 'pending')).toBe(0)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 2:0')
    expect(await received(devnet, 'latest')).toBe(2)
    expect(await receipt(devnet, lost)).toMatchObject({ blockNumber: '0x1' })
    expect(lines).toEqual(['slice 1.1 +1', 'fault omitSlice 1.2', 'sealed 1', 'slice 2.1 +0'])
  })

  it('tells nobody of its logs until they are sealed', async () => {
    const devnet = await withLogger(LOGS_COUNT)
    const pending = await subscribed(devnet, 'pendingLogs')
    const sealed = await subscribed(devnet, 'logs')
    await devnet.faults.omitSlice()
    await call(devnet)
    await devnet.tick()
    expect(await logs(devnet, 'pending')).toEqual([])
    await ticks(devnet, 3)
    expect(pending).toEqual([])
    expect(sealed).toMatchObject([{ blockNumber: '0x1', logIndex: '0x0' }])
  })
})

describe('a slice that is told twice', () => {
  it('brings its logs and transactions twice, and changes nothing else', async () => {
    const devnet = await withLogger(LOGS_COUNT)
    const told = await subscribed(devnet, 'pendingLogs')
    const hashes = await subscribed(devnet, 'newFlashblockTransactions')
    const lines = heard(devnet)
    await devnet.faults.duplicateSlice({ block: 1, slice: 2 })
    await devnet.tick()
    const hash = await call(devnet)
    await devnet.tick()
    await devnet.tick()
    expect(hashes).toEqual([hash, hash])
    expect(told).toHaveLength(2)
    expect(told[0]).toEqual(told[1])
    expect(await logs(devnet, 'pending')).toEqual([told[0]])
    expect(lines).toEqual([
      'slice 1.1 +0',
      'fault duplicateSlice 1.2',
      'slice 1.2 +1',
      'slice 1.2 +1',
      'slice 1.3 +0',
    ])
  })
})

describe('a slice that comes late', () => {
  it('is seen so many slices later, with those that came meanwhile, all told in their order', async () => {
    const devnet = await withLogger(LOGS_COUNT, { ticksPerBlock: 5 })
    const told = await subscribed(devnet, 'pendingLogs')
    const lines = heard(devnet)
    await devnet.faults.delaySlice({ slices: 2 }, { block: 1, slice: 2 })
    await devnet.tick()
    await call(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
    await call(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
    expect(told).toEqual([])
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:2')
    expect(told).toEqual(await logs(devnet, 'pending'))
    expect(lines).toEqual([
      'slice 1.1 +0',
      'fault delaySlice 1.2',
      'slice 1.2 +1',
      'slice 1.3 +1',
      'slice 1.4 +0',
    ])
  })

  it('is never seen where its block is sealed meanwhile', async () => {
    const devnet = await withLogger(LOGS_COUNT)
    const told = await subscribed(devnet, 'pendingLogs')
    await devnet.faults.delaySlice({ slices: 2 }, { block: 1, slice: 3 })
    await ticks(devnet, 2)
    const hash = await call(devnet)
    await devnet.tick()
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending -')
    expect(await receipt(devnet, hash)).toMatchObject({ blockNumber: '0x1' })
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 2:0')
    expect(told).toEqual([])
  })
})

describe('pending that is absent', () => {
  it('is latest for so many slices, across a seal, and then what is really pre-confirmed', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    await devnet.tick()
    await devnet.faults.absentPending({ slices: 3 })
    const hash = await pay(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending -')
    expect(await receipt(devnet, hash)).toBeNull()
    // It waits, as far as anybody can tell: the nonce that a wallet would use next is right all the same.
    expect(await ask(devnet, 'txpool_status')).toMatchObject({ pending: '0x0' })
    await devnet.tick()
    await pay(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending -')
    expect([await received(devnet, 'latest'), await received(devnet, 'pending')]).toEqual([1, 1])
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 2:1')
    expect(lines).toEqual(['slice 1.1 +0', 'fault absentPending 1.2', 'sealed 1', 'slice 2.2 +0'])
  })
})

describe('pending that is stale', () => {
  it('stays what it was, falls behind latest, and goes on when it is over', async () => {
    const devnet = await withLogger(LOGS_COUNT)
    const lines = heard(devnet)
    await call(devnet)
    await devnet.tick()
    await devnet.faults.stalePending({ slices: 4 })
    await call(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
    await ticks(devnet, 2)
    expect(await seen(devnet)).toBe('latest 1 pending 1:1')
    // What is sealed is known to be; `pending` still shows the block as it was, with its first log alone.
    expect(await logs(devnet, 'pending')).toMatchObject([{ blockNumber: '0x1', blockHash: ZERO }])
    const sealed = await logs(devnet, '0x1')
    expect(sealed).toHaveLength(2)
    expect(await logs(devnet, '0x0', 'pending')).toEqual(sealed)
    expect(await ask(devnet, 'eth_getStorageAt', LOGGER, '0x0', 'pending')).toBe(word(1n))
    expect(await ask(devnet, 'eth_getStorageAt', LOGGER, '0x0', 'latest')).toBe(word(2n))
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 1:1')
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 2:0')
    expect(lines).toEqual(['slice 1.1 +1', 'fault stalePending 1.2', 'sealed 1', 'slice 2.3 +0'])
  })

  it('stays the block that the same tick seals', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    await pay(devnet)
    await devnet.tick()
    await devnet.faults.stalePending({ slices: 1 })
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 1:1')
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 2 pending 3:0')
  })
})

const ZERO = `0x${'00'.repeat(32)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

describe('a pre-confirmed transaction that is dropped', () => {
  it('lands in the next block, and is found all the time', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1, receipts: 'preconfirmed' })
    const lines = heard(devnet)
    const kept = await pay(devnet, 0)
    const dropped = await pay(devnet, 1)
    await devnet.faults.dropTransaction({ hash: dropped, lands: 'next' })
    await devnet.tick()
    expect(await receipt(devnet, dropped)).toMatchObject({ blockNumber: '0x1', blockHash: ZERO })
    await devnet.seal()
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [kept] })
    expect(await receipt(devnet, dropped)).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionByHash', dropped)).toMatchObject({ blockNumber: null })
    expect(await received(devnet, 'latest')).toBe(1)
    await devnet.tick()
    expect(await receipt(devnet, dropped)).toMatchObject({ blockNumber: '0x2', blockHash: ZERO })
    await devnet.tick()
    expect(await receipt(devnet, dropped)).toMatchObject({ blockNumber: '0x2' })
    expect(lines).toEqual([
      'slice 1.1 +2',
      'fault dropTransaction 1',
      'sealed 1',
      'dropped fault next',
      'slice 2.1 +1',
      'sealed 2',
      'slice 3.1 +0',
    ])
  })

  it('never lands, and its nonce is free again', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const dropped = await pay(devnet)
    await devnet.faults.dropTransaction({ lands: 'never' })
    await devnet.tick()
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionByHash', dropped)).toBeNull()
    expect(await received(devnet, 'pending')).toBe(0)
    const again = await pay(devnet, 0, { value: '0x2' })
    await devnet.mine()
    expect(await ask(devnet, 'eth_getTransactionByHash', again)).toMatchObject({ nonce: '0x0' })
    expect(await ask(devnet, 'preseal_explain', dropped)).toEqual({
      status: 'dropped',
      reason: 'a fault on purpose',
    })
  })

  it('takes with it what its sender sent after it, which waits', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const [first, second] = [await pay(devnet), await pay(devnet)]
    await devnet.faults.dropTransaction({ hash: first, lands: 'never' })
    await devnet.tick()
    await devnet.seal()
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [] })
    expect(await ask(devnet, 'eth_getTransactionByHash', first)).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionByHash', second)).toMatchObject({ blockNumber: null })
  })

  it('waits for a block that has it, of a hash that is not there yet', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const lines = heard(devnet)
    const client = clientOf(devnet)
    const request = await client.prepareTransactionRequest({ to: STRANGER, value: 1n })
    const raw = await client.signTransaction(request)
    const { keccak256 } = await import('viem')
    await devnet.faults.dropTransaction({ hash: keccak256(raw), lands: 'never' })
    await pay(devnet, 1)
    await devnet.mine()
    await ask(devnet, 'eth_sendRawTransaction', raw)
    await devnet.mine()
    expect(lines.filter((line) => line.startsWith('fault'))).toEqual(['fault dropTransaction 2'])
  })

  it('is dropped under every rhythm of slices', async () => {
    for (const ticksPerBlock of [0, 1, 4]) {
      const devnet = await flashblocks({ ticksPerBlock })
      const hash = await pay(devnet)
      await devnet.faults.dropTransaction({ lands: 'next' })
      await ticks(devnet, ticksPerBlock + 1)
      expect(await received(devnet, 'latest')).toBe(0)
      await ticks(devnet, ticksPerBlock)
      if (ticksPerBlock === 0) await devnet.tick()
      expect(await receipt(devnet, hash)).toMatchObject({ blockNumber: '0x2' })
    }
  })
})

describe('a block that is sealed differently', () => {
  it('has its senders in the reverse order: indices change, and logs that tell who came first', async () => {
    const devnet = await withLogger(LOGS_COUNT)
    const told = (await subscribed(devnet, 'pendingLogs')) as LogJson[]
    await devnet.faults.sealDifferently({ order: 'reversed' })
    const [alice, bob] = [await call(devnet, 0), await call(devnet, 1)]
    await devnet.tick()
    await devnet.seal()
    const order = (list: LogJson[]) =>
      list.map(({ data, transactionHash, transactionIndex }) => [data, transactionHash, transactionIndex])
    expect(order(told)).toEqual([
      [word(1n), alice, '0x0'],
      [word(2n), bob, '0x1'],
    ])
    expect(order(await logs(devnet, 'latest'))).toEqual([
      [word(1n), bob, '0x0'],
      [word(2n), alice, '0x1'],
    ])
    expect(await receipt(devnet, bob)).toMatchObject({ transactionIndex: '0x0' })
  })

  it('keeps the order of each sender', async () => {
    const devnet = await withLogger(LOGS_COUNT)
    await devnet.faults.sealDifferently({ order: 'reversed' })
    const sent = [await call(devnet, 0), await call(devnet, 0), await call(devnet, 1)]
    await devnet.mine()
    const { transactions } = await ask<{ transactions: Hex[] }>(
      devnet,
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    expect(transactions).toEqual([sent[2], sent[0], sent[1]])
  })

  it('has another time, and a changed log', async () => {
    const devnet = await withLogger(LOGS_TIME)
    await devnet.faults.sealDifferently({ laterSeconds: 3 })
    await call(devnet)
    await devnet.tick()
    const [before] = await logs(devnet, 'pending')
    await devnet.seal()
    const [after] = await logs(devnet, 'latest')
    expect(BigInt(after!.data)).toBe(BigInt(before!.data) + 3n)
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({
      timestamp: `0x${BigInt(after!.data).toString(16)}`,
    })
  })

  it('has another randomness, and a changed log', async () => {
    const devnet = await withLogger(LOGS_RANDAO)
    const prevRandao: Hex = `0x${'5e'.repeat(32)}`
    await devnet.faults.sealDifferently({ prevRandao })
    await call(devnet)
    await devnet.tick()
    const [before] = await logs(devnet, 'pending')
    await devnet.seal()
    const [after] = await logs(devnet, 'latest')
    expect([before!.data === prevRandao, after!.data]).toEqual([false, prevRandao])
  })

  it('is a block with transactions: empty ones are not worth it', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const lines = heard(devnet)
    await devnet.faults.sealDifferently({ order: 'reversed' })
    await ticks(devnet, 3)
    expect(devnet.faults.list()).toHaveLength(1)
    await pay(devnet)
    await ticks(devnet, 2)
    expect(devnet.faults.list()).toEqual([])
    expect(lines).toContain('fault sealDifferently 4')
  })
})

describe('a reorg', () => {
  async function paidThrice(): Promise<{ devnet: Devnet; hashes: Hex[] }> {
    const devnet = await flashblocks()
    const hashes: Hex[] = []
    for (let i = 0; i < 3; i++) {
      hashes.push(await pay(devnet))
      await devnet.mine()
    }
    return { devnet, hashes }
  }

  it('takes the newest blocks off on demand, and brings their transactions back', async () => {
    const { devnet, hashes } = await paidThrice()
    const before = await receipt(devnet, hashes[2]!)
    const removed = await devnet.faults.reorg({ depth: 2, transactions: 'keep' })
    expect(removed.map(({ block }) => block.header.number)).toEqual([2n, 3n])
    const after = await receipt(devnet, hashes[2]!)
    expect(after!.blockNumber).toBe(before!.blockNumber)
    expect(after!.blockHash).not.toBe(before!.blockHash)
  })

  it('puts others in their place, which nobody sent before', async () => {
    const { devnet, hashes } = await paidThrice()
    const client = clientOf(devnet, 1)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 9n }),
    )
    await devnet.faults.reorg({ depth: 1, transactions: [[raw]] })
    expect(await received(devnet, 'latest')).toBe(2 + 9)
    expect(await ask(devnet, 'eth_getTransactionByHash', hashes[2])).toMatchObject({ blockNumber: null })
  })

  it('refuses a transaction that no block may have, and says so', async () => {
    const { devnet } = await paidThrice()
    const lines = heard(devnet)
    const client = clientOf(devnet, 1)
    const request = await client.prepareTransactionRequest({ to: STRANGER, value: 9n })
    const foreign = await client.account.signTransaction({ ...request, chainId: 1 } as never)
    await devnet.faults.reorg({ depth: 1, transactions: [[foreign]] })
    expect(lines).toEqual(['removed 3', 'dropped invalidChainId', 'sealed 3'])
  })

  it('lets a given transaction wait whose time has not come', async () => {
    const { devnet } = await paidThrice()
    const client = clientOf(devnet, 1)
    const [zero, one] = await Promise.all(
      [0, 1].map(async (nonce) =>
        client.signTransaction(await client.prepareTransactionRequest({ to: STRANGER, value: 9n, nonce })),
      ),
    )
    await devnet.faults.reorg({ depth: 1, transactions: [[one!]] })
    await ask(devnet, 'eth_sendRawTransaction', zero)
    await devnet.mine()
    expect(await received(devnet, 'latest')).toBe(3 + 18)
  })

  it('says which transaction is given up for one that comes back', async () => {
    const { devnet, hashes } = await paidThrice()
    const lines = heard(devnet)
    const client = clientOf(devnet)
    const rival = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 9n, nonce: 2 }),
    )
    await devnet.faults.reorg({ depth: 1, transactions: [[rival]] })
    await devnet.faults.reorg({ depth: 1, transactions: 'wait' })
    expect(lines).toEqual(['removed 3', 'sealed 3', 'dropped replaced', 'removed 3', 'sealed 3'])
    expect(await ask(devnet, 'eth_getTransactionByHash', hashes[2])).toBeNull()
  })

  it('comes on a schedule, right after a block is sealed', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const lines = heard(devnet)
    await devnet.faults.planReorg({ depth: 2, transactions: 'wait' }, { block: 2 })
    await devnet.tick()
    await pay(devnet)
    await ticks(devnet, 2)
    expect(lines).toEqual([
      'slice 1.1 +0',
      'sealed 1',
      'slice 2.1 +1',
      'sealed 2',
      'fault reorg 2',
      'removed 1,2',
      'sealed 1',
      'sealed 2',
      'slice 3.1 +1',
    ])
  })

  it('waits until so many blocks can be taken off', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1 })
    const lines = heard(devnet)
    await devnet.faults.planReorg({ depth: 3, transactions: 'keep' })
    await ticks(devnet, 5)
    expect(lines.filter((line) => line.startsWith('fault') || line.startsWith('removed'))).toEqual([
      'fault reorg 3',
      'removed 1,2,3',
    ])
  })

  it('leaves what is final, and says how much could go', async () => {
    const { devnet } = await paidThrice()
    await expect(devnet.faults.reorg({ depth: 4, transactions: 'keep' })).rejects.toThrow(
      'depth: expected at most 3 blocks, which are not final yet, got 4',
    )
  })
})

describe('when a fault happens', () => {
  async function omissions(devnet: Devnet, count: number): Promise<string[]> {
    const lines = heard(devnet)
    await ticks(devnet, count)
    return lines.filter((line) => line.startsWith('fault')).map((line) => line.split(' ')[2]!)
  }

  it('is the next time, once, if nothing is said', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice()
    expect(await omissions(devnet, 6)).toEqual(['1.1'])
  })

  it('is so many times', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice({ times: 4 })
    expect(await omissions(devnet, 6)).toEqual(['1.1', '1.2', '1.3', '2.1'])
  })

  it('is always', async () => {
    const devnet = await flashblocks()
    await devnet.faults.duplicateSlice('always')
    expect(await omissions(devnet, 5)).toEqual(['1.1', '1.2', '1.3', '2.1', '2.2'])
    expect(devnet.faults.list()).toEqual([{ id: 1, kind: 'duplicateSlice', when: 'always' }])
  })

  it('is in a block, at its first slice', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice({ block: 2 })
    expect(await omissions(devnet, 9)).toEqual(['2.1'])
  })

  it('is in a slice, and never if that has gone by', async () => {
    const devnet = await flashblocks()
    await devnet.tick()
    await devnet.faults.omitSlice({ block: 2, slice: 3 })
    await devnet.faults.omitSlice({ block: 1, slice: 1 })
    expect(await omissions(devnet, 9)).toEqual(['2.3'])
    expect(devnet.faults.list()).toEqual([])
  })

  it('is as chance will have it, the same with the same seed, with others otherwise', async () => {
    const chosen = async (seed?: number) => {
      const devnet = await flashblocks()
      await devnet.faults.duplicateSlice(
        seed === undefined ? { probability: 0.3 } : { probability: 0.3, seed },
      )
      return omissions(devnet, 60)
    }
    const [first, again, other, one] = [await chosen(7), await chosen(7), await chosen(8), await chosen()]
    expect(first.length).toBeGreaterThan(5)
    expect(first.length).toBeLessThan(40)
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
    expect(await chosen()).toEqual(one)
  })

  it('is not the same for two that chance decides, though nobody gave them seeds', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    await devnet.faults.duplicateSlice({ probability: 0.5 })
    await devnet.faults.planReorg({ depth: 1, transactions: 'keep' }, { probability: 0.5 })
    await ticks(devnet, 60)
    const blocks = (kind: string) => lines.filter((line) => line.startsWith(`fault ${kind}`)).length
    expect(blocks('duplicateSlice')).toBeGreaterThan(0)
    expect(blocks('reorg')).toBeGreaterThan(0)
  })

  it('is one at a time: of two that want a slice the second waits', async () => {
    const devnet = await flashblocks()
    await devnet.faults.duplicateSlice()
    await devnet.faults.omitSlice()
    expect(await omissions(devnet, 3)).toEqual(['1.1', '1.2'])
  })
})

describe('a fault that is taken back', () => {
  it('does not happen', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    const id = await devnet.faults.omitSlice({ block: 1, slice: 2 })
    await devnet.tick()
    expect(await devnet.faults.remove(id)).toBe(true)
    expect(await devnet.faults.remove(id)).toBe(false)
    await ticks(devnet, 2)
    expect(lines).toEqual(['slice 1.1 +0', 'slice 1.2 +0', 'slice 1.3 +0'])
  })

  it.each([
    ['absent', 'absentPending', 'latest 0 pending -'],
    ['stale', 'stalePending', 'latest 0 pending 1:0'],
    ['delayed', 'delaySlice', 'latest 0 pending 1:0'],
  ] as const)('shows at once what was %s', async (_, kind, before) => {
    const devnet = await flashblocks()
    await devnet.tick()
    const id = await devnet.faults.add({ kind, slices: 9 })
    await pay(devnet)
    await devnet.tick()
    expect(await seen(devnet)).toBe(before)
    expect(devnet.faults.list()).toEqual([])
    expect(await devnet.faults.remove(id)).toBe(true)
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:1')
  })

  it('tells what was held back', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 9 })
    const lines = heard(devnet)
    const id = await devnet.faults.delaySlice({ slices: 5 })
    await ticks(devnet, 2)
    await devnet.faults.remove(id)
    expect(lines).toEqual(['fault delaySlice 1.1', 'slice 1.1 +0', 'slice 1.2 +0'])
  })

  it('leaves alone what another fault hides', async () => {
    const devnet = await flashblocks()
    const [first, second] = [
      await devnet.faults.duplicateSlice({ block: 5 }),
      await devnet.faults.absentPending({ slices: 9 }),
    ]
    await devnet.tick()
    expect(await devnet.faults.remove(first)).toBe(true)
    expect(await seen(devnet)).toBe('latest 0 pending -')
    expect(await devnet.faults.remove(second)).toBe(true)
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
  })

  it('may be all of them', async () => {
    const devnet = await flashblocks()
    await devnet.faults.stalePending({ slices: 9 })
    await devnet.faults.omitSlice('always')
    await devnet.faults.latency({ ms: 60_000 })
    await devnet.faults.planCut({}, { block: 9 })
    await devnet.tick()
    expect(devnet.faults.list()).toHaveLength(3)
    await devnet.faults.clear()
    expect(devnet.faults.list()).toEqual([])
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
  })

  it('is gone with the chain that it happened on, where that is restored', async () => {
    const devnet = await flashblocks()
    const lines = heard(devnet)
    const mark = devnet.snapshot()
    await devnet.faults.delaySlice({ slices: 5 })
    await pay(devnet)
    await ticks(devnet, 2)
    await devnet.restore(mark)
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 0 pending 1:0')
    expect(lines).toEqual(['fault delaySlice 1.1', 'slice 1.1 +0'])
  })

  it('is no part of a fork', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice('always')
    await devnet.tick()
    const fork = devnet.fork()
    await fork.tick()
    expect([await seen(fork), fork.faults.list()]).toEqual(['latest 0 pending 1:0', []])
    await fork.close()
  })
})

describe('a chain with deposits', () => {
  it('gets over a lost slice with the next block, and keeps its deposit where a transaction is dropped', async () => {
    const devnet = await started({ rhythm: 'manual', profile: 'base-flashblocks' })
    await devnet.faults.omitSlice({ block: 1, slice: 9 })
    await devnet.faults.dropTransaction({ lands: 'next' }, { block: 1 })
    const hash = await pay(devnet)
    await ticks(devnet, 8)
    expect(await seen(devnet)).toBe('latest 0 pending 1:2')
    await ticks(devnet, 2)
    expect(await seen(devnet)).toBe('latest 0 pending -')
    await devnet.tick()
    expect(await seen(devnet)).toBe('latest 1 pending 2:2')
    const { transactions } = await ask<{ transactions: { type: Hex }[] }>(
      devnet,
      'eth_getBlockByNumber',
      'latest',
      true,
    )
    expect(transactions).toMatchObject([{ type: '0x7e' }])
    expect(await receipt(devnet, hash)).toMatchObject({ blockNumber: '0x2', transactionIndex: '0x1' })
  })
})

describe('the list of faults', () => {
  it('has what is planned, as it can be given again', async () => {
    const devnet = await flashblocks()
    const forms = [
      { kind: 'delaySlice', slices: 2, when: { block: 5, slice: 1 } },
      { kind: 'httpStatus', method: 'eth_*', status: 429, when: { times: 3 } },
      { kind: 'cutWebSockets', code: 1011, when: { block: 9 } },
      { kind: 'reorg', depth: 1, transactions: 'wait', when: { probability: 0.5, seed: 3 } },
      { kind: 'contextLag', blocks: [1, 5], when: 'always' },
    ] as const
    for (const form of forms) await devnet.faults.add(form)
    expect(devnet.faults.list()).toEqual(forms.map((form, i) => ({ id: i + 1, ...form })))
  })

  it('has raw transactions as their bytes', async () => {
    const devnet = await flashblocks()
    const client = clientOf(devnet)
    const raw = await client.signTransaction(
      await client.prepareTransactionRequest({ to: STRANGER, value: 1n }),
    )
    await devnet.faults.planReorg({ depth: 1, transactions: [[raw]] }, { block: 3 })
    expect(devnet.faults.list()).toMatchObject([{ transactions: [[raw]] }])
  })

  it('counts down what happens several times', async () => {
    const devnet = await flashblocks()
    await devnet.faults.omitSlice({ times: 3 })
    await devnet.tick()
    expect(devnet.faults.list()).toEqual([{ id: 1, kind: 'omitSlice', when: { times: 2 } }])
  })
})

describe('faults over JSON-RPC', () => {
  it('are planned, listed and taken back by id', async () => {
    const devnet = await flashblocks()
    const id = await ask(devnet, 'preseal_addFault', { kind: 'omitSlice', when: { block: 7 } })
    expect(id).toBe('0x1')
    expect(await ask(devnet, 'preseal_listFaults')).toEqual([{ id, kind: 'omitSlice', when: { block: 7 } }])
    expect(await ask(devnet, 'preseal_removeFault', id)).toBe(true)
    expect(await ask(devnet, 'preseal_removeFault', id)).toBe(false)
    await ask(devnet, 'preseal_addFault', { kind: 'omitSlice' })
    expect(await ask(devnet, 'preseal_clearFaults')).toBe(true)
    expect(await ask(devnet, 'preseal_listFaults')).toEqual([])
  })

  it('take blocks off, and answer their hashes', async () => {
    const devnet = await flashblocks()
    await devnet.mine()
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'keep' })).toEqual([hash])
    expect(await ask(devnet, 'eth_getBlockByHash', hash, false)).toMatchObject({ number: '0x1' })
  })

  it.each([
    [[{ kind: 'omitSlize' }], 'params[0].kind: expected one of omitSlice, '],
    [[{ kind: 'omitSlice', slices: 2 }], 'params[0].slices: expected one of the members kind, when, got 2'],
    [[{ kind: 'delaySlice' }], 'params[0].slices: expected a whole number from 1 to 1000000, got nothing'],
    [[{ kind: 'omitSlice', when: 'never' }], 'params[0].when: expected "always", {times}, {block, slice?}'],
    [[], 'params[0]: expected a fault: an object {kind, …, when?}, got nothing'],
  ])('refuse %j', async (params, message) => {
    const devnet = await flashblocks()
    await expect(devnet.request({ method: 'preseal_addFault', params })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    })
  })

  it('refuse a reorg that is too deep, naming the parameter', async () => {
    const devnet = await flashblocks()
    await expect(ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'keep' })).rejects.toMatchObject({
      code: -32602,
      message:
        'invalid argument 0: params[0].depth: expected at most 0 blocks, which are not final yet, got 1',
    })
  })
})
