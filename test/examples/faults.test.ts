/** Each fault as docs/faults.md shows it, on a chain with three slices to a block. */
import { createDevnet, type Devnet } from 'preseal'
import { createPublicClient, type Hex, http } from 'viem'
import { expect, test } from 'vitest'
import { pay, received, seen, subscribed } from '../support/chains/watched.ts'
import { ask, clientOf, STRANGER, ZERO_HASH } from '../support/clients/clients.ts'
import { SocketClient } from '../support/clients/socket.ts'

interface BlockJson {
  readonly number: Hex
  readonly hash: Hex
  readonly transactions: readonly Hex[]
}

function block(devnet: Devnet, tag: string): Promise<BlockJson> {
  return ask(devnet, 'eth_getBlockByNumber', tag, false)
}

test('a slice never comes', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.omitSlice({ block: 1, slice: 2 })
  await pay(devnet)
  await devnet.tick()
  expect(await seen(devnet)).toBe('latest 0 pending 1:1')
  const lost = await pay(devnet)
  await devnet.tick() // the slice that is lost: nothing moves
  expect(await seen(devnet)).toBe('latest 0 pending 1:1')
  await devnet.tick() // the next slice: now there is a gap
  expect(await seen(devnet)).toBe('latest 0 pending -')
  expect(await ask(devnet, 'eth_getTransactionReceipt', lost)).toBeNull()
  await devnet.tick() // sealed, and the next block begins
  expect(await seen(devnet)).toBe('latest 1 pending 2:0')
  expect(await ask(devnet, 'eth_getTransactionReceipt', lost)).toMatchObject({ blockNumber: '0x1' })
})

test('a slice is told twice', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.duplicateSlice({ block: 1, slice: 2 })
  const told = await subscribed(devnet, 'newFlashblockTransactions')
  await devnet.tick()
  const hash = await pay(devnet)
  await devnet.tick()
  expect(told).toEqual([hash, hash])
  expect(await seen(devnet)).toBe('latest 0 pending 1:1')
})

test('a slice comes late', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.delaySlice({ slices: 1 }, { block: 1, slice: 2 })
  const told = await subscribed(devnet, 'newFlashblockTransactions')
  await devnet.tick()
  const hash = await pay(devnet)
  await devnet.tick() // it should come now
  expect([await seen(devnet), told]).toEqual(['latest 0 pending 1:0', []])
  await devnet.tick() // and comes with the next
  expect([await seen(devnet), told]).toEqual(['latest 0 pending 1:1', [hash]])
})

test('pending is absent', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.absentPending({ slices: 2 })
  const hash = await pay(devnet)
  await devnet.tick()
  expect(await seen(devnet)).toBe('latest 0 pending -')
  expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toBeNull()
  await devnet.tick()
  expect(await seen(devnet)).toBe('latest 0 pending -')
  await devnet.tick() // over
  expect(await seen(devnet)).toBe('latest 0 pending 1:1')
})

test('pending is stale', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await pay(devnet)
  await devnet.tick()
  await devnet.faults.stalePending({ slices: 4 })
  await pay(devnet)
  for (let i = 0; i < 3; i++) await devnet.tick() // block 1 is sealed with both
  expect(await seen(devnet)).toBe('latest 1 pending 1:1')
  const nonceAt = (tag: string) => ask(devnet, 'eth_getTransactionCount', devnet.accounts[0]!.address, tag)
  expect([await received(devnet, 'latest'), await received(devnet, 'pending')]).toEqual([2, 1])
  for (let i = 0; i < 2; i++) await devnet.tick()
  expect(await seen(devnet)).toBe('latest 1 pending 2:0')
  expect(await nonceAt('pending')).toBe(await nonceAt('latest'))
})

test('a pre-confirmed transaction lands in the next block', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3, receipts: 'preconfirmed' })
  await devnet.faults.dropTransaction({ lands: 'next' })
  const hash = await pay(devnet)
  const receipt = () => ask(devnet, 'eth_getTransactionReceipt', hash)
  await devnet.tick()
  expect(await receipt()).toMatchObject({ blockNumber: '0x1', blockHash: ZERO_HASH })
  await devnet.seal() // block 1, without it
  expect(await receipt()).toBeNull()
  expect(await received(devnet, 'latest')).toBe(0)
  await devnet.tick() // the next slice has it
  expect(await receipt()).toMatchObject({ blockNumber: '0x2', blockHash: ZERO_HASH })
  await devnet.seal()
  expect(await received(devnet, 'latest')).toBe(1)
})

test('a pre-confirmed transaction never lands', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.dropTransaction({ lands: 'never' })
  const hash = await pay(devnet)
  await devnet.tick()
  await devnet.seal()
  expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toBeNull()
  expect(await ask(devnet, 'preseal_explain', hash)).toMatchObject({ status: 'dropped' })
})

test('viem waits for confirmations of a transaction that is gone', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3, receipts: 'preconfirmed' })
  await devnet.faults.dropTransaction({ lands: 'never' })
  const client = clientOf(devnet)
  const hash = await client.sendTransaction({ to: STRANGER, value: 1n })
  await devnet.tick()
  const waiting = client.waitForTransactionReceipt({ hash, confirmations: 2 })
  await client.getTransactionReceipt({ hash }) // it has its first answer by now, too
  for (let i = 0; i < 2; i++) await devnet.seal()
  expect(await waiting).toMatchObject({ status: 'success', blockHash: ZERO_HASH })
  await expect(client.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
})

test('a block is sealed differently', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.sealDifferently({ order: 'reversed' })
  const [alices, bobs] = [await pay(devnet, 0), await pay(devnet, 1)]
  await devnet.tick()
  const transactions = async (tag: string) => (await block(devnet, tag)).transactions
  expect(await transactions('pending')).toEqual([alices, bobs])
  await devnet.seal()
  expect(await transactions('latest')).toEqual([bobs, alices])
})

test('a reorg', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  const hash = await pay(devnet)
  await devnet.mine()
  const before = await block(devnet, 'latest')
  const heads = await subscribed(devnet, 'newHeads')
  await devnet.faults.reorg({ depth: 1, transactions: 'wait' })
  const after = await block(devnet, 'latest')
  expect([after.number, after.transactions]).toEqual([before.number, []])
  expect(after.hash).not.toBe(before.hash)
  expect(heads).toMatchObject([{ number: before.number, hash: after.hash }])
  await devnet.mine()
  expect(await ask(devnet, 'eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x2' })
})

test('batches are withheld', async () => {
  await using l2 = await createDevnet({
    profile: 'op-flashblocks',
    rhythm: 'manual',
    l1: { sequencingWindow: 3 },
  })
  await l2.faults.withholdBatches({ l1Blocks: 4 })
  await l2.mine()
  const hash = await pay(l2)
  await l2.mine()
  const paid = await block(l2, 'latest')
  await l2.advance({ seconds: 30 })
  expect(await block(l2, 'safe')).toMatchObject({ number: '0x0' })
  await l2.advance({ seconds: 10 }) // the sequencing window ends
  expect((await block(l2, paid.number)).transactions).toHaveLength(1) // the L1 attributes
  expect(await ask(l2, 'eth_getTransactionReceipt', hash)).not.toMatchObject({ blockNumber: paid.number })
})

test('the L1 stops', async () => {
  await using l2 = await createDevnet({ profile: 'op-flashblocks', rhythm: 'manual', l1: true })
  await l2.faults.missL1Slots({ slots: 200 })
  await l2.advance({ minutes: 31 })
  expect(await block(l2.l1, 'latest')).toMatchObject({ number: '0x0' })
  await pay(l2)
  await l2.mine()
  expect((await block(l2, 'latest')).transactions).toHaveLength(1) // the L1 attributes
})

test('calls see an older block than their state', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  const blockNumber = { [STRANGER]: { code: '0x435f5260205ff3' } } // NUMBER, returned
  const call = (tag: string) => ask<Hex>(devnet, 'eth_call', { to: STRANGER }, tag, blockNumber)
  for (let i = 0; i < 10; i++) await devnet.mine()
  await devnet.tick()
  expect(Number(await call('pending'))).toBe(11)
  await devnet.faults.contextLag(3)
  expect(Number(await call('pending'))).toBe(8)
  expect(await seen(devnet)).toBe('latest 10 pending 11:0')
})

test('answers come late', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.latency({ method: 'eth_blockNumber', ms: 20 })
  const answer = ask(devnet, 'eth_blockNumber')
  await devnet.mine()
  expect(await answer).toBe('0x0')
})

test('a request is never answered', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.timeout({ method: 'eth_sendRawTransaction' })
  const signer = clientOf(devnet)
  const request = await signer.prepareTransactionRequest({ to: STRANGER, value: 1n })
  const serializedTransaction = await signer.signTransaction(request)
  const { url } = await devnet.listen({ port: 0 })
  const patience = new AbortController() // is over as soon as the answer is lost
  devnet.on('requestFault', () => patience.abort())
  const fetchOptions = { signal: patience.signal }
  const client = createPublicClient({ transport: http(url, { fetchOptions, retryCount: 0 }) })
  await expect(client.sendRawTransaction({ serializedTransaction })).rejects.toThrow('aborted')
  await expect(signer.sendRawTransaction({ serializedTransaction })).rejects.toThrow('already known')
  await devnet.mine()
  expect(await received(devnet, 'latest')).toBe(1)
})

test('a request is refused with a status', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.httpStatus({ status: 429, retryAfterSeconds: 3 })
  const { url } = await devnet.listen({ port: 0 })
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const ask = () => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3'])
  expect(await refused.json()).toMatchObject({ error: { code: -32016, message: 'over rate limit' } })
  expect((await ask()).status).toBe(200)
})

test('a request is refused with an error', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  await devnet.faults.rpcError({ method: 'eth_sendTransaction', code: -32000, message: 'txpool is full' })
  await expect(pay(devnet)).rejects.toMatchObject({ code: -32000, message: 'txpool is full' })
  expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  await pay(devnet)
  expect(await ask(devnet, 'txpool_status')).toEqual({ pending: '0x1', queued: '0x0' })
})

test('logs over too many blocks', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  for (let i = 0; i < 20; i++) await devnet.mine()
  await devnet.faults.logRange({ provider: 'alchemy', blocks: 10 })
  const logs = (fromBlock: string, toBlock: string) => ask(devnet, 'eth_getLogs', { fromBlock, toBlock })
  await expect(logs('0x1', '0x14')).rejects.toMatchObject({
    code: -32600,
    message: expect.stringContaining('this block range should work: [0x1, 0xa]'),
  })
  expect(await logs('0x1', '0xa')).toEqual([])
})

test('WebSockets are cut', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
  const { webSocketUrl } = await devnet.listen({ port: 0 })
  const client = await SocketClient.connect(webSocketUrl)
  await client.ask('eth_chainId')
  expect(devnet.faults.cutWebSockets()).toBe(1)
  expect(await client.closed).toMatchObject({ code: 1006 })
})

test('from Flashblocks to blocks of 200 ms', async () => {
  await using before = await createDevnet({ profile: 'base-flashblocks', rhythm: 'manual' })
  await using after = await createDevnet({ profile: 'base-denim', rhythm: 'manual' })
  const hashes = [await pay(before), await pay(after)]
  for (const devnet of [before, after]) await devnet.advance({ ms: 200 })
  expect(await seen(before)).toBe('latest 0 pending 1:2') // the deposit that opens each block, and the payment
  expect(await seen(after)).toBe('latest 1 pending -')
  const blockHash = async (devnet: Devnet, hash?: Hex) =>
    (await ask<{ blockHash: Hex }>(devnet, 'eth_getTransactionReceipt', hash)).blockHash
  expect(await blockHash(before, hashes[0])).toBe(ZERO_HASH)
  expect(await blockHash(after, hashes[1])).not.toBe(ZERO_HASH)
})
