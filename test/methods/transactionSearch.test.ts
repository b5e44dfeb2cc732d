/** `preseal_searchTransactions`: the transactions of the whole chain, as the page lists them. */
import { describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import type { DevnetOptions } from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'

interface Found {
  readonly total: string
  readonly transactions: readonly {
    readonly hash: string
    readonly state: string
    readonly blockNumber: string | null
    readonly reason: string | null
  }[]
}

async function chain(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  const [alice, bob] = devnet.accounts.map(({ address }) => address.toLowerCase()) as [string, string]
  const send = (fields: object) =>
    ask<string>(devnet, 'eth_sendTransaction', { from: alice, to: STRANGER, value: '0x1', ...fields })
  const search = (filter: object = {}) => ask<Found>(devnet, 'preseal_searchTransactions', filter)
  const hashes = async (filter: object = {}) => (await search(filter)).transactions.map(({ hash }) => hash)
  return { devnet, alice, bob, send, search, hashes }
}

describe('preseal_searchTransactions', () => {
  it('returns sealed and pre-confirmed transactions of all blocks, newest first', async () => {
    const { devnet, bob, send, search } = await chain()
    const first = [await send({}), await send({ from: bob })]
    await devnet.mine()
    for (let i = 0; i < 100; i++) await devnet.mine()
    const second = await send({})
    await devnet.tick()
    const { total, transactions } = await search()
    expect(total).toBe('0x3')
    expect(transactions.map(({ hash, state }) => [hash, state])).toEqual([
      [second, 'preconfirmed'],
      [first[1], 'sealed'],
      [first[0], 'sealed'],
    ])
    expect(transactions[0]).toMatchObject({ blockNumber: '0x66', gasUsed: '0x5208', reason: null })
  })

  it('returns any part of a long list with the number of all', async () => {
    const { devnet, send, search, hashes } = await chain()
    const sent: string[] = []
    for (let block = 0; block < 90; block++) {
      for (let i = 0; i < block % 4; i++) sent.unshift(await send({}))
      await devnet.mine()
    }
    for (const [offset, limit] of [
      [0, 5],
      [3, 20],
      [sent.length - 2, 10],
    ] as const) {
      expect(await hashes({ offset, limit })).toEqual(sent.slice(offset, offset + limit))
      expect(await search({ offset, limit })).toMatchObject({ total: `0x${sent.length.toString(16)}` })
    }
    expect(await hashes({ offset: 1_000 })).toEqual([])
  })

  it('finds transactions by account, function, event and outcome', async () => {
    const { devnet, bob, send, hashes } = await chain()
    const emitter = await devnet.deploy(Emitter)
    const reverter = await devnet.deploy(Reverter)
    const payment = await send({ from: bob, to: STRANGER })
    const failed = await send({ to: reverter.address, data: '0x12345678', value: '0x0', gas: '0x30000' })
    await devnet.mine()
    const { hash: emitted } = await devnet.write({
      ...emitter,
      functionName: 'emitMany',
      args: [2n, `0x${'11'.repeat(32)}`],
    })
    const { input } = await ask<{ input: string }>(devnet, 'eth_getTransactionByHash', emitted)
    const { logs } = await ask<{ logs: { topics: string[] }[] }>(devnet, 'eth_getTransactionReceipt', emitted)
    expect(await hashes({ address: bob })).toEqual([payment])
    expect(await hashes({ state: 'failed' })).toEqual([failed])
    expect(await hashes({ selector: '0x12345678' })).toEqual([failed])
    expect(await hashes({ selector: input.slice(0, 10) })).toEqual([emitted])
    expect(await hashes({ topic: logs[0]!.topics[0] })).toEqual([emitted])
    const ofEmitter = await hashes({ address: emitter.address })
    expect([ofEmitter.length, ofEmitter[0]]).toEqual([2, emitted])
    expect(await hashes({ address: bob, state: 'failed' })).toEqual([])
  })

  it('returns any part of the failed ones, also after blocks were pruned or rolled back', async () => {
    const { devnet, send, search, hashes } = await chain({ history: { blocks: 40 } })
    const reverter = await devnet.deploy(Reverter)
    const failed: string[] = []
    for (let block = 0; block < 60; block++) {
      await send({})
      if (block % 10 === 0)
        failed.unshift(await send({ to: reverter.address, data: '0x12345678', value: '0x0', gas: '0x30000' }))
      await devnet.mine()
    }
    // Of 61 blocks after the first, 40 are kept.
    expect(await search({ state: 'failed' })).toMatchObject({ total: '0x4' })
    expect(await search()).toMatchObject({ total: '0x2c' })
    expect(await hashes({ state: 'failed', offset: 1, limit: 2 })).toEqual(failed.slice(1, 3))
    await ask(devnet, 'anvil_rollback', '0xa')
    expect(await hashes({ state: 'failed' })).toEqual(failed.slice(1, 4))
    expect(await search({ limit: 1 })).toMatchObject({ total: '0x21' })
  })

  it('returns what waits, was dropped, or was reorganised away, with the reason', async () => {
    const { devnet, bob, send, search } = await chain()
    const gone = await send({ from: bob })
    await devnet.mine()
    await ask(devnet, 'preseal_reorg', { depth: 1, transactions: 'drop' })
    const waiting = await send({ nonce: '0x7' })
    const dropped = await send({})
    await ask(devnet, 'anvil_dropTransaction', dropped)
    const [only, ...others] = (await search({ state: 'waiting' })).transactions
    expect([only?.hash, others]).toEqual([waiting, []])
    // A transaction in no block has emitted no event.
    expect((await search({ state: 'waiting', topic: `0x${'11'.repeat(32)}` })).transactions).toEqual([])
    expect(only?.reason).toMatch(/nonce/)
    expect(await search({ state: 'dropped' })).toMatchObject({
      transactions: [{ hash: dropped, state: 'dropped', blockNumber: null }],
    })
    expect(await search({ state: 'reorged' })).toMatchObject({
      total: '0x1',
      transactions: [{ hash: gone, state: 'reorged', reason: 'its block was removed by a reorg' }],
    })
    expect(await search()).toEqual({ total: '0x0', transactions: [] })
  })

  it('leaves out the deposits of an L2 on request', async () => {
    const { devnet, send, search, hashes } = await chain({ profile: 'base-flashblocks' })
    const sent: string[] = []
    for (let block = 0; block < 20; block++) {
      if (block % 5 === 0) sent.unshift(await send({}))
      await devnet.mine()
    }
    sent.unshift(await send({}))
    await devnet.tick()
    expect(await hashes({ deposits: 'omitted' })).toEqual(sent)
    expect(await hashes({ deposits: 'omitted', offset: 1, limit: 2 })).toEqual(sent.slice(1, 3))
    expect(await search({ deposits: 'omitted', limit: 1 })).toMatchObject({ total: '0x5' })
    expect(await search({ deposits: 'omitted', state: 'failed' })).toMatchObject({ total: '0x0' })
    // Each of the 21 blocks begins with a deposit.
    expect(await search({ limit: 1 })).toMatchObject({ total: '0x1a' })
  })

  it('refuses what it does not know', async () => {
    const { search } = await chain()
    await expect(search({ state: 'lost' })).rejects.toThrow(/state.*waiting, preconfirmed, sealed/)
    await expect(search({ selector: '0x12' })).rejects.toThrow(/selector of a function \(4 bytes\)/)
    await expect(search({ contract: STRANGER })).rejects.toThrow(/nothing but state, address/)
  })
})
