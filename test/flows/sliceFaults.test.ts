/** Faults of slices, and of what readers see as pending, each step by step as a client sees it. */
import { describe, expect, it } from 'vitest'
import {
  call,
  flashblocks,
  LOGGER,
  LOGS_COUNT,
  logs,
  receipt,
  ticks,
  withLogger,
  word,
} from '../support/chains/faultScenes.ts'
import { heard, pay, received, seen, subscribed } from '../support/chains/watched.ts'
import { ask, ZERO_HASH } from '../support/clients/clients.ts'

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

  it('waits for the next slice that is published while another fault hides slices', async () => {
    const devnet = await withLogger(LOGS_COUNT, { ticksPerBlock: 5 })
    const lines = heard(devnet)
    await devnet.faults.stalePending({ slices: 2 })
    await devnet.tick()
    await devnet.faults.duplicateSlice()
    await devnet.tick()
    await devnet.tick()
    expect(lines).toEqual([
      'fault stalePending 1.1',
      'fault duplicateSlice 1.3',
      'slice 1.3 +0',
      'slice 1.3 +0',
    ])
  })
})

describe('a hidden slice', () => {
  it('has waiting transactions; those of the visible slices of its block do not wait', async () => {
    const devnet = await withLogger(LOGS_COUNT, { ticksPerBlock: 5 })
    await call(devnet)
    await devnet.tick()
    await devnet.faults.stalePending({ slices: 3 })
    const hidden = await call(devnet)
    await devnet.tick()
    const { transactions } = await ask<{ transactions: { hash: string }[] }>(
      devnet,
      'preseal_searchTransactions',
      { state: 'waiting' },
    )
    expect(transactions.map(({ hash }) => hash)).toEqual([hidden])
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
    expect(await logs(devnet, 'pending')).toMatchObject([{ blockNumber: '0x1', blockHash: ZERO_HASH }])
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
