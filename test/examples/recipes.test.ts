/** Examples of the pages in docs/, each a test. */
import express from 'express'
import { createDevnet, type Devnet, replay, rpcMiddleware } from 'preseal'
import { expect, test, testWith } from 'preseal/vitest'
import { Token } from '../../fixtures/contracts/Token.ts'

test('what happens on a fork stays there', async ({ devnet, accounts }) => {
  const bob = accounts[1]!.address
  const balance = (on: Devnet) => on.request({ method: 'eth_getBalance', params: [bob, 'pending'] })
  const before = await balance(devnet)

  await using fork = devnet.fork() // independent from here on; costs microseconds whatever is on the chain
  await fork.send({ to: bob, value: 5n })
  expect(await balance(fork)).not.toBe(before)
  expect(await balance(devnet)).toBe(before)
})

test('a snapshot can be gone back to as often as you like', async ({ devnet, accounts }) => {
  const bob = accounts[1]!.address
  const balance = () => devnet.request({ method: 'eth_getBalance', params: [bob, 'pending'] })
  const before = await balance()
  const mark = devnet.snapshot()
  for (const value of [1n, 2n, 3n]) {
    await devnet.send({ to: bob, value })
    await devnet.restore(mark)
  }
  expect(await balance()).toBe(before)
})

test('a year passes', async ({ devnet }) => {
  const now = () => Number(devnet.latest.header.timestamp)
  const before = now()
  await devnet.increaseTime({ days: 365 }) // moves the clock; makes no tick and no block
  await devnet.mine()
  expect(now()).toBeGreaterThanOrEqual(before + 365 * 86_400)

  await devnet.setTime(new Date('2033-05-18T03:33:20Z')) // or seconds since 1970
  await devnet.mine()
  expect(now()).toBe(2_000_000_000)
})

test('time passes tick by tick', async ({ devnet }) => {
  const sealed: bigint[] = []
  devnet.on('sealed', ({ block }) => sealed.push(block.header.number))
  await devnet.advance({ seconds: 1 }) // five ticks of 200 ms: the first opens block 1, each of the others seals one
  expect(sealed).toEqual([1n, 2n, 3n, 4n])
})

test('somebody else sends', async ({ devnet, accounts }) => {
  const whale = '0x47ac0fb4f2d84898e4d9e7b4dab3c24507a6d503'
  await devnet.deal(whale, { wei: 10n ** 18n }) // it pays its own gas
  await using sender = await devnet.impersonate(whale) // until the end of this block, or sender.stop()
  const sent = devnet.send({ from: sender.address, to: accounts[1]!.address, value: 5n })
  await expect(sent).toChangeBalance(devnet, whale, -5n)
})

test('anybody has tokens', async ({ devnet, accounts }) => {
  const bob = accounts[1]!.address
  const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  await devnet.deal(bob, { token: address, amount: 7n }) // wherever the token keeps its balances
  const question = { abi: Token.abi, address, functionName: 'balanceOf', args: [bob] } as const
  expect(await devnet.read(question)).toBe(7n)
})

test('a log is told before its block is sealed', async ({ devnet, accounts }) => {
  const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const told: string[] = []
  devnet.on('message', ({ data }) => told.push((data.result as { blockHash: string }).blockHash))
  await devnet.request({ method: 'eth_subscribe', params: ['pendingLogs', { address }] })

  const mint = { abi: Token.abi, address, functionName: 'mint', args: [accounts[1]!.address, 5n] } as const
  await devnet.write({ ...mint, until: 'preconfirmed' })
  expect(told).toEqual([`0x${'00'.repeat(32)}`]) // there is no block yet that could have a hash

  const logs = { method: 'eth_getLogs', params: [{ address, fromBlock: 'pending', toBlock: 'pending' }] }
  expect(await devnet.request(logs)).toHaveLength(1)
})

test('one subscription tells what becomes of a transaction', async ({ devnet, accounts }) => {
  const kinds: string[] = []
  const bySeal = new Promise<void>((resolve) => {
    devnet.on('message', ({ data }) => {
      kinds.push(...(data.result as { kind: string }[]).map(({ kind }) => kind))
      if (kinds.includes('sealed')) resolve()
    })
  })
  await devnet.request({ method: 'eth_subscribe', params: ['presealEvents'] })
  await devnet.send({ to: accounts[1]!.address, value: 1n, until: 'preconfirmed' })
  await devnet.seal()
  await bySeal
  expect(kinds).toEqual(['accepted', 'preconfirmed', 'sealed'])
})

const testOnBase = testWith({ profile: 'base-flashblocks' })

testOnBase('a block grows in ten slices, and each can be looked at', async ({ devnet, accounts }) => {
  const bob = accounts[1]!.address
  const balanceAt = (slice: string) =>
    devnet.request({ method: 'eth_getBalance', params: [bob, { blockNumber: '0x1', slice }] })

  await devnet.advance({ ms: 200 }) // the first slice
  await devnet.send({ to: bob, value: 5n, until: 'accepted' })
  await devnet.advance({ ms: 200 }) // the second, in which bob is paid
  expect(BigInt(String(await balanceAt('0x2'))) - BigInt(String(await balanceAt('0x1')))).toBe(5n)
})

test('a transaction says what became of it', async ({ devnet, accounts }) => {
  const { hash } = await devnet.send({ to: accounts[1]!.address, value: 1n, until: 'accepted' })
  const explain = { method: 'preseal_explain', params: [hash] }
  expect(await devnet.request(explain)).toMatchObject({ status: 'waiting' })
  await devnet.mine()
  expect(await devnet.request(explain)).toMatchObject({ status: 'sealed' })
  const timeline = await devnet.request({ method: 'preseal_getTimeline', params: [hash] })
  expect(timeline).toMatchObject([
    { step: 'pooled' },
    { step: 'preconfirmed', slice: '0x1' },
    { step: 'sealed' },
  ])
})

test('a pre-confirmed payment is lost, and the client has to notice', async ({ devnet, accounts }) => {
  await devnet.faults.dropTransaction({ lands: 'never' })
  const { hash } = await devnet.send({ to: accounts[1]!.address, value: 1n, until: 'preconfirmed' })
  await devnet.seal() // the block, without it
  const lost = await devnet.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  expect(lost).toBeNull()
})

test('what was asked is asked again', async ({ devnet, accounts }) => {
  const recording = await devnet.record()
  await devnet.send({ to: accounts[1]!.address, value: 5n, until: 'preconfirmed' })
  await devnet.request({ method: 'eth_getBlockByNumber', params: ['pending', false] })
  recording.end()

  const again = await replay(recording.text)
  expect(again.difference).toBeUndefined()
  const elsewhere = await replay(recording.text, { options: { pendingHash: 'real' } })
  expect(elsewhere.difference).toMatchObject({ method: 'eth_getBlockByNumber', path: 'result.hash' })
})

test('a devnet lives in an Express app', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  const app = express().use('/rpc', rpcMiddleware(devnet))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const answer = await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
  })
  expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' })
  await new Promise((resolve) => server.close(resolve))
})

test('an error of a contract comes decoded', async ({ devnet, accounts }) => {
  const [alice, bob] = accounts
  const { address } = await devnet.deploy(Token, { args: ['Gold', 'GOLD'] })
  const call = { abi: Token.abi, address, functionName: 'transfer', args: [bob!.address, 5n] } as const
  const error = await devnet.write(call).catch((error) => error)
  expect(error.message).toBe(
    `transfer reverted: InsufficientBalance(account: ${alice!.address}, have: 0, want: 5)`,
  )
  expect(error.reason).toEqual({ name: 'InsufficientBalance', args: [alice!.address, 0n, 5n] })
})
