/**
 * Base's own tests of what is told while a block is pre-confirmed, over a WebSocket, with their numbers: each bears the name
 * of theirs (base/base, `crates/execution/flashblocks-node/tests/flashblocks_rpc.rs`).
 *
 * Theirs make the Flashblock with index 0 alone; here it is told in the same tick as that with index 1.
 */
import { expect, it, onTestFinished } from 'vitest'
import { SocketClient } from '../support/clients/socket.ts'
import { baseHarness, secondPayload } from '../support/nodes/baseHarness.ts'

type Json = Record<string, unknown>

/** Their setup, and clients on its WebSocket; `send` makes both Flashblocks, told as indexes 0 and 1. */
async function testSetup(clientCount = 1) {
  const harness = await baseHarness()
  const { transactions } = await secondPayload(harness)
  const { webSocketUrl } = await harness.devnet.listen({ port: 0 })
  const clients: SocketClient[] = []
  onTestFinished(() => {
    for (const client of clients) client.close()
  })
  for (let i = 0; i < clientCount; i++) clients.push(await SocketClient.connect(webSocketUrl))
  return { ...harness, clients, client: clients[0]!, send: () => harness.flashblock(...transactions) }
}

async function next(client: SocketClient, subscription: string): Promise<unknown> {
  const params = await client.notification()
  expect(params.subscription).toBe(subscription)
  return params.result
}

it('test_eth_subscribe_new_flashblocks', async () => {
  const { client, send } = await testSetup()
  const id = await client.subscribe('newFlashblocks')
  await send()
  expect(await next(client, id)).toMatchObject({
    number: '0x1',
    hash: expect.any(String),
    parentHash: expect.any(String),
    transactions: [expect.anything()],
  })
})

it('test_eth_subscribe_multiple_flashblocks', async () => {
  const { client, send } = await testSetup()
  const id = await client.subscribe('newFlashblocks')
  await send()
  const blocks = [await next(client, id), await next(client, id)] as {
    number: string
    transactions: Json[]
  }[]
  expect(blocks.map(({ number }) => number)).toEqual(['0x1', '0x1'])
  expect(blocks.map(({ transactions }) => transactions.length)).toEqual([1, 10])
})

it('test_eth_unsubscribe', async () => {
  const { client } = await testSetup()
  const id = await client.subscribe('newFlashblocks')
  expect(await client.ask('eth_unsubscribe', id)).toEqual({ jsonrpc: '2.0', id: 2, result: true })
})

it('test_eth_subscribe_multiple_clients', async () => {
  const { clients, send } = await testSetup(2)
  const ids: string[] = []
  for (const client of clients) ids.push(await client.subscribe('newFlashblocks'))
  await send()
  const [one, other] = (await Promise.all(clients.map((client, i) => next(client, ids[i]!)))) as [Json, Json]
  expect(one.number).toBe('0x1')
  expect([other.number, other.hash]).toEqual([one.number, one.hash])
})

it('test_eth_subscribe_new_heads', async () => {
  const { client } = await testSetup()
  expect(await client.subscribe('newHeads')).toEqual(expect.any(String))
})

it('test_eth_subscribe_new_flashblock_transactions_hashes', async () => {
  const { block, client, send } = await testSetup()
  const id = await client.subscribe('newFlashblockTransactions')
  await send()
  const told: unknown[] = []
  // The deposit, then nine in a message each: what is new, and not all that there is.
  for (let i = 0; i < 1 + 9; i++) told.push(await next(client, id))
  expect(told).toEqual((await block('pending')).transactions)
})

it('test_eth_subscribe_new_flashblock_transactions_full', async () => {
  const { client, send } = await testSetup()
  const id = await client.subscribe('newFlashblockTransactions', true)
  await send()
  for (let i = 0; i < 1 + 9; i++) {
    const told = (await next(client, id)) as Json
    expect(told).toMatchObject({
      hash: expect.any(String),
      blockNumber: expect.any(String),
      logs: expect.any(Array),
      gasUsed: expect.stringMatching(/^0x/),
      status: '0x1',
      cumulativeGasUsed: expect.any(String),
      logsBloom: expect.any(String),
    })
    expect(told.contractAddress === null || typeof told.contractAddress === 'string').toBe(true)
  }
})
