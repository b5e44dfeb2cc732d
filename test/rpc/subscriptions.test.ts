/** Subscriptions without a transport: what is told, to whom, when, and at what price. */
import type { Hex } from 'viem'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Devnet, ProviderMessage } from '../../src/index.ts'
import type { Block } from '../../src/model/block/block.ts'
import { Listeners } from '../../src/model/collections/listeners.ts'
import { Feeds } from '../../src/rpc/feeds.ts'
import { notification, Subscriptions } from '../../src/rpc/subscriptions.ts'
import type { Events } from '../../src/sequencer/events.ts'
import { ask, clientOf, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { SOON } from '../support/clients/until.ts'

type Json = Record<string, unknown>

const TOPIC: Hex = `0x${'ab'.repeat(32)}`
const OTHER_TOPIC: Hex = `0x${'cd'.repeat(32)}`

afterEach(() => void vi.restoreAllMocks())

/** A manual devnet with an Emitter in block 1. */
async function withEmitter() {
  const devnet = await started({ rhythm: 'manual' })
  const client = clientOf(devnet)
  const hash = await client.deployContract({ ...Emitter, args: [] })
  await devnet.mine()
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  const emitter = { address: contractAddress!, abi: Emitter.abi } as const
  /** Sends a transaction that emits so many logs. */
  const emit = (count: bigint, topic = TOPIC) =>
    client.writeContract({ ...emitter, functionName: 'emitMany', args: [count, topic], gas: 500_000n })
  return { devnet, client, address: contractAddress!, emit }
}

/** Subscribes, and collects what comes. */
async function collect(devnet: Devnet, ...params: unknown[]): Promise<{ id: string; results: unknown[] }> {
  const results: unknown[] = []
  let id: string | undefined
  devnet.on('message', ({ type, data }) => {
    expect(type).toBe('eth_subscription')
    if (data.subscription === id) results.push(data.result)
  })
  id = await ask<string>(devnet, 'eth_subscribe', ...params)
  return { id, results }
}

function send(devnet: Devnet): Promise<string> {
  return ask(devnet, 'eth_sendTransaction', { from: devnet.accounts[0]!.address, to: STRANGER, value: '0x1' })
}

describe('newHeads', () => {
  it('tells the header of each sealed block, without what only a whole block has', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { results } = await collect(devnet, 'newHeads')
    await send(devnet)
    await devnet.tick()
    expect(results).toEqual([])
    await devnet.tick()
    const block = await ask<Json>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const { size, transactions, uncles, withdrawals, ...header } = block
    expect(transactions).toHaveLength(1)
    expect(results).toEqual([header])
    await devnet.advance({ ms: 600 })
    expect(results.map((head) => (head as Json).number)).toEqual(['0x1', '0x2', '0x3', '0x4'])
  })

  it('tells the blocks of an import', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await devnet.advance({ ms: 600 })
    const copy = await started({ genesis: devnet.genesis(), rhythm: 'manual' })
    const { results } = await collect(copy, 'newHeads')
    await copy.import(devnet.export(), { rules: 'devnet' })
    expect(results.map((head) => (head as Json).number)).toEqual(['0x1', '0x2'])
  })
})

describe('logs', () => {
  it('tells each log of a sealed block in a message of its own, in order, as eth_getLogs answers it', async () => {
    const { devnet, emit } = await withEmitter()
    const { results } = await collect(devnet, 'logs', {})
    await emit(2n)
    await emit(3n, OTHER_TOPIC)
    await devnet.tick()
    expect(results).toEqual([])
    await devnet.tick()
    expect(results).toHaveLength(5)
    expect(results).toEqual(await ask(devnet, 'eth_getLogs', {}))
  })

  it('tells those that match', async () => {
    const { devnet, address, emit } = await withEmitter()
    const all = await collect(devnet, 'logs')
    const byTopic = await collect(devnet, 'logs', { address, topics: [null, [OTHER_TOPIC]] })
    const elsewhere = await collect(devnet, 'logs', { address: [STRANGER] })
    await emit(1n)
    await emit(2n, OTHER_TOPIC)
    await devnet.mine()
    expect(all.results).toHaveLength(3)
    expect(byTopic.results).toEqual(all.results.slice(1))
    expect(elsewhere.results).toEqual([])
  })
})

describe('pendingLogs', () => {
  it('tells the logs of each slice once, before there is a block hash', async () => {
    const { devnet, address, emit } = await withEmitter()
    await emit(1n)
    await devnet.tick()
    const { results } = await collect(devnet, 'pendingLogs', { address })
    expect(results).toEqual([])
    await emit(2n)
    await devnet.mine()
    expect(results).toMatchObject([
      { blockHash: ZERO_HASH, blockNumber: '0x2', transactionIndex: '0x1', logIndex: '0x1' },
      { blockHash: ZERO_HASH, blockNumber: '0x2', transactionIndex: '0x1', logIndex: '0x2' },
    ])
  })
})

describe('newPendingTransactions', () => {
  it('tells the hash of each transaction that is accepted, or all of it', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const hashes = await collect(devnet, 'newPendingTransactions')
    const notFull = await collect(devnet, 'newPendingTransactions', false)
    const full = await collect(devnet, 'newPendingTransactions', true)
    const sent = [await send(devnet), await send(devnet)]
    expect(hashes.results).toEqual(sent)
    expect(notFull.results).toEqual(sent)
    expect(full.results).toEqual(
      await Promise.all(sent.map((hash) => ask(devnet, 'eth_getTransactionByHash', hash))),
    )
    await devnet.mine()
    expect(hashes.results).toEqual(sent)
  })
})

describe('syncing', () => {
  it('is answered with false, once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { results } = await collect(devnet, 'syncing')
    const { id, results: ended } = await collect(devnet, 'syncing')
    await ask(devnet, 'eth_unsubscribe', id)
    await vi.waitUntil(() => results.length > 0, SOON)
    await devnet.mine()
    expect(results).toEqual([false])
    expect(ended).toEqual([])
  })
})

describe('eth_subscribe', () => {
  it.each([
    [[], /params\[0\]: expected one of newHeads, logs, .*, pendingLogs, .*, got nothing/],
    [['newHead'], /got "newHead"/],
    [[7], /got 7/],
    [['toString'], /got "toString"/],
    [['newHeads', true], /invalid argument 1: params\[1\]: expected nothing more, got true/],
    [['newHeads', null, null], /invalid argument 2: expected at most 2 parameters, got 3/],
    [['logs', true], /params\[1\]: expected a filter object, got true/],
    [['logs', { address: '0x12' }], /params\[1\]\.address: expected a 20-byte address/],
    [['pendingLogs', { topics: [1] }], /params\[1\]\.topics\[0\]/],
    [['newPendingTransactions', 'yes'], /params\[1\]: expected true or false, got "yes"/],
  ])('refuses %j with -32602', async (params, message) => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(ask(devnet, 'eth_subscribe', ...params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    })
  })

  it('takes what clients add to what takes nothing', async () => {
    const devnet = await started({ rhythm: 'manual' })
    for (const extra of [null, {}, []])
      expect(await ask(devnet, 'eth_subscribe', 'newHeads', extra)).toMatch(/^0x/)
  })

  it('gives a connection 1,000 subscriptions, and takes a new one when one has ended', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const ids = new Set<string>()
    for (let i = 0; i < 1_000; i++) ids.add(await ask<string>(devnet, 'eth_subscribe', 'newHeads'))
    expect(ids.size).toBe(1_000)
    await expect(ask(devnet, 'eth_subscribe', 'newHeads')).rejects.toMatchObject({
      code: -32006,
      message: 'too many subscriptions: this connection has 1000; end some with eth_unsubscribe',
    })
    expect(await ask(devnet, 'eth_unsubscribe', [...ids][0])).toBe(true)
    expect(ids).not.toContain(await ask(devnet, 'eth_subscribe', 'newHeads'))
  })
})

describe('eth_unsubscribe', () => {
  it('ends a subscription, once', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { id, results } = await collect(devnet, 'newHeads')
    const other = await collect(devnet, 'newHeads')
    await devnet.mine()
    expect(await ask(devnet, 'eth_unsubscribe', id)).toBe(true)
    expect(await ask(devnet, 'eth_unsubscribe', id)).toBe(false)
    await devnet.mine()
    expect(results).toHaveLength(1)
    expect(other.results).toHaveLength(2)
  })

  it('knows none that was never made, and refuses what is no id', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'eth_unsubscribe', '0x99')).toBe(false)
    for (const params of [[], [7], ['0x'], ['abc'], ['0x1', '0x2']]) {
      await expect(ask(devnet, 'eth_unsubscribe', ...params)).rejects.toMatchObject({ code: -32602 })
    }
  })
})

describe('a devnet as a provider', () => {
  it('answers the id before it tells anything', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const seen: string[] = []
    devnet.on('message', ({ data }) => seen.push(`message ${data.subscription}`))
    const id = await ask<string>(devnet, 'eth_subscribe', 'syncing').then((id) => {
      seen.push(`answer ${id}`)
      return id
    })
    await vi.waitUntil(() => seen.length > 1, SOON)
    expect(seen).toEqual([`answer ${id}`, `message ${id}`])
  })

  it('tells each listener until it is taken off', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const [first, second]: [ProviderMessage[], ProviderMessage[]] = [[], []]
    const off = devnet.on('message', (message) => first.push(message))
    const tellSecond = (message: ProviderMessage) => second.push(message)
    devnet.on('message', tellSecond)
    await ask(devnet, 'eth_subscribe', 'newHeads')
    await devnet.mine()
    off()
    await devnet.mine()
    expect([first, second]).toMatchObject([{ length: 1 }, { length: 2 }])
    devnet.removeListener('message', tellSecond)
    await devnet.mine()
    expect(second).toHaveLength(2)
  })

  it('takes listeners of what happens off, too', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const sealed = vi.fn()
    devnet.on('sealed', sealed)
    await devnet.mine()
    devnet.removeListener('sealed', sealed)
    await devnet.mine()
    expect(sealed).toHaveBeenCalledTimes(1)
  })

  it('lets a listener change what it is told', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const one = await collect(devnet, 'newHeads')
    const other = await collect(devnet, 'newHeads')
    await devnet.mine()
    ;(one.results[0] as Json).number = 'changed'
    expect(other.results).toMatchObject([{ number: '0x1' }])
  })

  it('lets a listener subscribe and unsubscribe while it is told', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const seen: string[] = []
    let current = ''
    devnet.on('message', async ({ data }) => {
      seen.push(`${data.subscription} ${(data.result as Json).number}`)
      await ask(devnet, 'eth_unsubscribe', current)
      current = await ask(devnet, 'eth_subscribe', 'newHeads')
    })
    current = await ask(devnet, 'eth_subscribe', 'newHeads')
    await devnet.mine()
    await devnet.mine()
    expect(seen).toEqual(['0x1 0x1', '0x2 0x2'])
  })

  it('tells nothing after it is closed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { results } = await collect(devnet, 'newHeads')
    const mined = devnet.mine()
    await devnet.close()
    await mined
    expect(results).toEqual([])
  })

  it('subscribes for itself even where its listeners are strict', async () => {
    const devnet = await started({ rhythm: 'manual', strict: true })
    const { results } = await collect(devnet, 'newHeads')
    await devnet.mine()
    expect(results).toHaveLength(1)
  })
})

describe('a subscription', () => {
  it('outlasts a restore, and tells what comes from there', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { results } = await collect(devnet, 'newHeads')
    const mark = devnet.snapshot()
    await devnet.mine()
    await devnet.mine()
    await devnet.restore(mark)
    await devnet.mine()
    expect(results.map((head) => (head as Json).number)).toEqual(['0x1', '0x2', '0x1'])
  })

  it('says nothing of a fork, and the fork has none', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { id, results } = await collect(devnet, 'newHeads')
    await using fork = devnet.fork()
    const forked: unknown[] = []
    fork.on('message', (message) => forked.push(message))
    await fork.mine()
    expect(results).toEqual([])
    await devnet.mine()
    expect(results).toHaveLength(1)
    expect(forked).toEqual([])
    expect(await ask(fork, 'eth_unsubscribe', id)).toBe(false)
  })
})

describe('Subscriptions', () => {
  const told: string[] = []
  afterEach(() => void told.splice(0))

  function connection() {
    const feeds = new Feeds(new Listeners<Events>())
    const subscriptions = new Subscriptions(feeds, (id, result) => told.push(`${id} ${result}`))
    let tell = (_result: string) => {}
    const id = subscriptions.add((teller) => {
      tell = teller
      return () => {
        tell = () => told.push('told after its end')
      }
    })
    return { subscriptions, id, tell: (result: string) => tell(result) }
  }

  it('hold back what comes before the id is out, and tell it in order', () => {
    const { subscriptions, id, tell } = connection()
    tell('1')
    const answered = subscriptions.answered()
    tell('2')
    expect(told).toEqual([])
    answered!()
    tell('3')
    expect(told).toEqual([`${id} 1`, `${id} 2`, `${id} 3`])
  })

  it('hold back only what belongs to the message', () => {
    const { subscriptions, id, tell } = connection()
    const answered = subscriptions.answered()
    expect(subscriptions.answered()).toBeUndefined()
    tell('1')
    expect(told).toEqual([])
    answered!()
    expect(told).toEqual([`${id} 1`])
  })

  it('forget what was held back for one that has ended', () => {
    const { subscriptions, id, tell } = connection()
    tell('1')
    expect(subscriptions.remove(BigInt(id))).toBe(true)
    subscriptions.answered()!()
    expect(told).toEqual([])
  })

  it('take no new ones after they were closed', () => {
    const { subscriptions } = connection()
    subscriptions.close()
    subscriptions.add(() => expect.unreachable())
  })
})

describe('the price', () => {
  /** A block with nothing in it but a header that can be encoded. */
  async function someBlock(): Promise<Block> {
    const devnet = await started({ rhythm: 'manual' })
    const sealed = new Promise<Block>((resolve) => devnet.on('sealed', ({ block }) => resolve(block)))
    await devnet.mine()
    return sealed
  }

  it('of 200 subscribers is one encoding', async () => {
    const block = await someBlock()
    const listeners = new Listeners<Events>()
    const feeds = new Feeds(listeners)
    const told: string[] = []
    for (let i = 0; i < 200; i++) {
      const subscriptions = new Subscriptions(feeds, (id, result) => told.push(notification(id, result)))
      subscriptions.add((tell) => feeds.sealed.add(({ head }) => tell(head())))
      subscriptions.answered()!()
    }
    const stringify = vi.spyOn(JSON, 'stringify')
    listeners.emit('sealed', { block } as never)
    expect(stringify).toHaveBeenCalledTimes(1)
    expect(new Set(told).size).toBe(200)
    for (const text of told) expect(JSON.parse(text).params.result.hash).toBe(block.hash)
  })

  it('of none is nothing: the sequencer is listened to only while somebody is subscribed', () => {
    const listeners = new Listeners<Events>()
    let count = 0
    const on = listeners.on.bind(listeners)
    vi.spyOn(listeners, 'on').mockImplementation((event, listener) => {
      count++
      const off = on(event, listener)
      return () => {
        count--
        off()
      }
    })
    const feeds = new Feeds(listeners)
    expect(count).toBe(0)
    const ends = [() => {}, () => {}].map((receive) => feeds.sealed.add(receive))
    expect(count).toBe(1)
    ends.push(feeds.accepted.add(() => {}))
    expect(count).toBe(2)
    for (const end of ends) end()
    for (const end of ends) end()
    expect(count).toBe(0)
    feeds.sealed.add(() => {})()
    expect(count).toBe(0)
  })
})
