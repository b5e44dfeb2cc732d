/** Faults of blocks, each step by step as a client sees it: pre-confirmed transactions that are dropped, blocks that are sealed differently. */
import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  call,
  flashblocks,
  LOGS_COUNT,
  type LogJson,
  logs,
  receipt,
  ticks,
  withLogger,
  word,
} from '../support/chains/faultScenes.ts'
import { heard, pay, received, seen, subscribed } from '../support/chains/watched.ts'
import { ask, clientOf, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'

const LOGS_TIME: Hex = '0x425f5260205fa000' // TIMESTAMP, in a log without topics
const LOGS_RANDAO: Hex = '0x445f5260205fa000'

describe('a pre-confirmed transaction that is dropped', () => {
  it('lands in the next block, and is found all the time', async () => {
    const devnet = await flashblocks({ ticksPerBlock: 1, receipts: 'preconfirmed' })
    const lines = heard(devnet)
    const kept = await pay(devnet, 0)
    const dropped = await pay(devnet, 1)
    await devnet.faults.dropTransaction({ hash: dropped, lands: 'next' })
    await devnet.tick()
    expect(await receipt(devnet, dropped)).toMatchObject({ blockNumber: '0x1', blockHash: ZERO_HASH })
    await devnet.seal()
    expect(await ask(devnet, 'eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [kept] })
    expect(await receipt(devnet, dropped)).toBeNull()
    expect(await ask(devnet, 'eth_getTransactionByHash', dropped)).toMatchObject({ blockNumber: null })
    expect(await received(devnet, 'latest')).toBe(1)
    await devnet.tick()
    expect(await receipt(devnet, dropped)).toMatchObject({ blockNumber: '0x2', blockHash: ZERO_HASH })
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
      reason: 'a planned fault',
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
