/** The subscription `presealEvents`: what it tells, in how many notifications, and at what price. */
import { expect, it, vi } from 'vitest'
import { Shop } from '../../fixtures/contracts/Shop.ts'
import type { Devnet } from '../../src/index.ts'
import { Listeners } from '../../src/model/collections/listeners.ts'
import { PresealEvents } from '../../src/rpc/presealEvents.ts'
import type { Events } from '../../src/sequencer/events.ts'
import { nextTurn } from '../../src/work/eventLoop.ts'
import { buy, openShop, proxyTo, SHOP } from '../support/chains/shop.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { SocketClient } from '../support/clients/socket.ts'
import { SOON } from '../support/clients/until.ts'

type Event = { readonly kind: string; readonly time: number } & Record<string, unknown>

/** Subscribes, and collects the arrays of events. */
async function watched(devnet: Devnet) {
  const told: Event[][] = []
  devnet.on('message', ({ data }) => told.push(data.result as Event[]))
  const id = await ask<string>(devnet, 'eth_subscribe', 'presealEvents')
  /** Resolves to all events once there is one of this kind. */
  const until = async (kind: string) => {
    await vi.waitUntil(() => told.flat().some((event) => event.kind === kind), SOON)
    return told.flat()
  }
  return { id, told, until }
}

function send(devnet: Devnet, more: object = {}): Promise<string> {
  const from = devnet.accounts[0]!.address
  return ask(devnet, 'eth_sendTransaction', { from, to: STRANGER, value: '0x1', ...more })
}

/** Sources that a test makes events of itself. */
function sources() {
  const sequencer = new Listeners<Events>()
  return { sequencer, onConsoleLine: undefined, nowMs: () => 7 }
}

it('tells what becomes of a transaction until it is sealed', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { until } = await watched(devnet)
  const hash = await send(devnet)
  await devnet.tick()
  await devnet.seal()
  const events = await until('sealed')
  expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'preconfirmed', 'sealed'])
  const [accepted, preconfirmed, sealed] = events
  const from = devnet.accounts[0]!.address.toLowerCase()
  expect(accepted).toEqual({
    kind: 'accepted',
    time: expect.any(Number),
    hash,
    from,
    to: STRANGER,
    nonce: '0x0',
  })
  const block = await ask<Record<string, string>>(devnet, 'eth_getBlockByNumber', 'latest', false)
  const { timestamp, gasUsed, gasLimit, baseFeePerGas } = block
  const fill = { timestamp, transactionCount: '0x1', depositCount: '0x0', gasUsed, gasLimit, baseFeePerGas }
  expect(preconfirmed).toEqual({
    kind: 'preconfirmed',
    time: expect.any(Number),
    blockNumber: '0x1',
    slice: '0x1',
    transactions: [hash],
    failed: [],
    sliceGasUsed: '0x5208',
    block: fill,
  })
  expect(sealed).toEqual({
    kind: 'sealed',
    time: expect.any(Number),
    blockNumber: '0x1',
    blockHash: block.hash,
    transactions: [hash],
    failed: [],
    block: fill,
  })
  const timeline = await ask<{ time: number }[]>(devnet, 'preseal_getTimeline', hash)
  expect(events.map(({ time }) => time)).toEqual(timeline.map(({ time }) => time))
})

it('names the transactions that failed: in each slice its own, in the block all', async () => {
  const devnet = await started({ profile: 'base-flashblocks', l2: 'none', rhythm: 'manual' })
  // Code that reverts.
  await ask(devnet, 'anvil_setCode', STRANGER, '0x5f5ffd')
  const { until } = await watched(devnet)
  const failing = { to: STRANGER, gas: '0xffff' }
  const first = await send(devnet, failing)
  await send(devnet, { to: devnet.accounts[1]!.address })
  await devnet.tick()
  const second = await send(devnet, failing)
  await devnet.tick()
  await devnet.seal()
  const events = (await until('sealed')).filter(({ failed }) => failed !== undefined)
  expect(events.map(({ kind, failed }) => [kind, failed])).toEqual([
    ['preconfirmed', [first]],
    ['preconfirmed', [second]],
    ['sealed', [first, second]],
  ])
})

it('tells of the gas of each slice alone, and of the block as far as it has grown', async () => {
  const devnet = await started({ profile: 'base-flashblocks', rhythm: 'manual' })
  await devnet.advance({ ms: 200 })
  const { told, until } = await watched(devnet)
  for (let i = 0; i < 2; i++) {
    await send(devnet)
    await devnet.advance({ ms: 200 })
  }
  await vi.waitUntil(() => told.flat().filter(({ kind }) => kind === 'preconfirmed').length === 2, SOON)
  const slices = (await until('preconfirmed')).filter(({ kind }) => kind === 'preconfirmed')
  expect(slices.map(({ slice, sliceGasUsed }) => [slice, sliceGasUsed])).toEqual([
    ['0x2', '0x5208'],
    ['0x3', '0x5208'],
  ])
  const [first, second] = slices.map(({ block }) => BigInt((block as { gasUsed: string }).gasUsed))
  expect(second! - first!).toBe(21_000n)
})

it('sends the events of one turn of the event loop in one notification', async () => {
  // Of what comes later some is gathered, too: for as long as time stands, in one more.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    const devnet = await started({ rhythm: 'manual' })
    const { told } = await watched(devnet)
    await Promise.all(Array.from({ length: 50 }, () => send(devnet)))
    await devnet.tick()
    await vi.advanceTimersByTimeAsync(1_000)
    const kinds = told.flat().map(({ kind }) => kind)
    expect(kinds).toEqual([...Array.from({ length: 50 }, () => 'accepted'), 'preconfirmed'])
    expect(told.length).toBeLessThanOrEqual(2)
  } finally {
    vi.useRealTimers()
  }
})

it('gathers what comes one by one: at most twenty notifications a second, the first at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  try {
    const given = sources()
    const told: number[] = []
    new PresealEvents(given).feed((events) => told.push(JSON.parse(events).length))
    given.sequencer.emit('cheatsChanged')
    await new Promise<void>((resolve) => nextTurn(resolve))
    expect(told).toEqual([1])
    for (let ms = 0; ms < 1_000; ms += 4) {
      given.sequencer.emit('cheatsChanged')
      vi.advanceTimersByTime(4)
    }
    vi.advanceTimersByTime(50)
    expect(told.length).toBeLessThanOrEqual(22)
    expect(told.reduce((sum, events) => sum + events, 0)).toBe(251)
  } finally {
    vi.useRealTimers()
  }
})

it('sends at most a thousand events in one notification', () => {
  const given = sources()
  const told: Event[][] = []
  new PresealEvents(given).feed((events) => told.push(JSON.parse(events)))
  for (let i = 0; i < 2_500; i++) given.sequencer.emit('cheatsChanged')
  expect(told.map((events) => events.length)).toEqual([1_000, 1_000])
})

it('listens to nothing while nobody is subscribed', () => {
  const given = sources()
  const events = new PresealEvents(given)
  let hasMore = false
  events.add(() => {
    hasMore = true
    return () => {
      hasMore = false
    }
  })
  const isListening = () => [given.sequencer.has('accepted'), hasMore]
  expect(isListening()).toEqual([false, false])
  const ends = [events.feed(() => {}), events.feed(() => {})]
  expect(isListening()).toEqual([true, true])
  for (const end of ends) {
    expect(isListening()).toEqual([true, true])
    end()
    end()
  }
  expect(isListening()).toEqual([false, false])
})

it('tells a new subscription nothing of before, and one that has ended nothing more', async () => {
  const given = sources()
  const events = new PresealEvents(given)
  const told: string[] = []
  const end = events.feed((text) => told.push(`first ${JSON.parse(text).length}`))
  given.sequencer.emit('cheatsChanged')
  events.feed((text) => told.push(`second ${JSON.parse(text).length}`))
  expect(told).toEqual(['first 1'])
  given.sequencer.emit('restored')
  end()
  await vi.waitUntil(() => told.length > 1, SOON)
  expect(told).toEqual(['first 1', 'second 1'])
})

it('says why a transaction was dropped, and by which it was replaced', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { until } = await watched(devnet)
  const hash = await send(devnet, { nonce: '0x0', maxFeePerGas: '0x77359400' })
  const replacedBy = await send(devnet, {
    nonce: '0x0',
    maxFeePerGas: '0x12a05f2000',
    maxPriorityFeePerGas: '0x12a05f2000',
  })
  const events = await until('dropped')
  const dropped = events.find(({ kind }) => kind === 'dropped')
  expect(dropped).toMatchObject({ hash, cause: 'replaced', reason: `replaced by ${replacedBy}`, replacedBy })
})

it('tells of faults as they were planned, where they happen', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { until } = await watched(devnet)
  await ask(devnet, 'preseal_addFault', { kind: 'absentPending', slices: 1 })
  await devnet.tick()
  const fault = (await until('fault')).find(({ kind }) => kind === 'fault')
  expect(fault).toMatchObject({
    fault: { kind: 'absentPending', slices: 1 },
    blockNumber: '0x1',
    slice: '0x1',
  })
  await devnet.faults.clear()
  await until('revealed')
  await ask(devnet, 'preseal_addFault', {
    kind: 'rpcError',
    method: 'eth_gasPrice',
    code: -32005,
    message: 'busy',
  })
  await ask(devnet, 'eth_gasPrice').catch(() => {})
  const refused = (await until('requestFault')).find(({ kind }) => kind === 'requestFault')
  expect(refused).toMatchObject({ fault: { kind: 'rpcError', code: -32005 }, method: 'eth_gasPrice' })
})

it('names the blocks that a reorg removed, the oldest first', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const hash = await send(devnet)
  await devnet.mine(2)
  const removed = await Promise.all(
    ['0x1', '0x2'].map((number) => ask<{ hash: string }>(devnet, 'eth_getBlockByNumber', number, false)),
  )
  const { until } = await watched(devnet)
  await ask(devnet, 'preseal_reorg', { depth: 2, transactions: 'drop' })
  const events = await until('dropped')
  expect(events.find(({ kind }) => kind === 'reorged')).toMatchObject({
    blocks: [
      { blockNumber: '0x1', blockHash: removed[0]!.hash, transactions: [hash] },
      { blockNumber: '0x2', blockHash: removed[1]!.hash, transactions: [] },
    ],
  })
  expect(events.find(({ kind }) => kind === 'dropped')).toMatchObject({ hash, cause: 'reorged' })
})

it('tells what a contract prints, of transactions and of calls', async () => {
  const { devnet, from, send: sendTo } = await openShop({})
  const { until, told } = await watched(devnet)
  const transaction = await sendTo({ data: buy(1n) })
  await devnet.tick()
  const line = (await until('console')).find(({ kind }) => kind === 'console')
  expect(line).toMatchObject({ text: `${from} wants 1`, from: SHOP, name: null, transaction })
  await ask(devnet, 'eth_call', { from, to: SHOP, data: buy(4n) }).catch(() => {})
  await vi.waitUntil(() => told.flat().filter(({ kind }) => kind === 'console').length === 2, SOON)
  expect(told.flat().findLast(({ kind }) => kind === 'console')).toMatchObject({ transaction: null })
})

it('names what prints by artifacts, which are read as soon as somebody listens', async () => {
  const code = (object: string) => ({ object: object.slice(2) })
  const evm = { bytecode: code(Shop.bytecode), deployedBytecode: code(Shop.deployedBytecode) }
  const contracts = { 'Shop.sol': { Shop: { abi: Shop.abi, evm } } }
  const artifacts = [{ input: { language: 'Solidity', sources: {} }, output: { contracts } }]
  const { devnet, send: sendTo } = await openShop({ artifacts })
  const { told } = await watched(devnet)
  await vi.waitUntil(() => devnet.artifacts.known !== undefined, SOON)
  await ask(devnet, 'anvil_setCode', STRANGER, proxyTo(SHOP))
  await sendTo({ to: STRANGER, data: buy(0n) })
  await devnet.tick()
  await vi.waitUntil(() => told.flat().some(({ kind }) => kind === 'console'), SOON)
  expect(told.flat().find(({ kind }) => kind === 'console')).toMatchObject({ from: STRANGER, name: 'Shop' })
})

it('says that accounts, time or rhythm may be others, and that another chain is in place', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const snapshot = await ask(devnet, 'evm_snapshot')
  const { told } = await watched(devnet)
  for (const [method, ...params] of [
    ['anvil_setBalance', STRANGER, '0x1'],
    ['evm_increaseTime', 60],
    ['evm_setIntervalMining', 3],
    ['anvil_impersonateAccount', STRANGER],
  ] as const) {
    told.length = 0
    await ask(devnet, method, ...params)
    await vi.waitUntil(() => told.flat().some(({ kind }) => kind === 'cheatsChanged'), SOON)
  }
  told.length = 0
  await ask(devnet, 'evm_revert', snapshot)
  await vi.waitUntil(() => told.flat().some(({ kind }) => kind === 'restored'), SOON)
  told.length = 0
  await ask(devnet, 'hardhat_reset')
  await vi.waitUntil(() => told.flat().some(({ kind }) => kind === 'restored'), SOON)
})

it('says nothing of cheats at a seal for which nothing was set', async () => {
  const devnet = await started({ rhythm: 'manual' })
  const { until } = await watched(devnet)
  await devnet.mine()
  expect((await until('sealed')).map(({ kind }) => kind)).not.toContain('cheatsChanged')
})

it('tells the same over a WebSocket, after the id', async () => {
  const devnet = await started({ rhythm: 'manual', subscriptions: 'standard' })
  const { webSocketUrl } = await devnet.listen({ port: 0 })
  const client = await SocketClient.connect(webSocketUrl)
  try {
    const id = await client.subscribe('presealEvents')
    const hash = await send(devnet)
    const { subscription, result } = await client.notification()
    expect(subscription).toBe(id)
    expect(result).toMatchObject([{ kind: 'accepted', hash }])
  } finally {
    client.close()
  }
})
