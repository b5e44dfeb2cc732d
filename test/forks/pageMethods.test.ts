/** The methods that the page is made of, on a fork: about blocks, transactions and contracts of its network, and where both meet. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { bankRun, openBank } from '../support/compilers/bank.ts'
import { askedOf } from '../support/nodes/networkOf.ts'

// biome-ignore lint/suspicious/noExplicitAny: the forms of answers are what the expectations state.
type Answered = any

const BOB = '0x0000000000000000000000000000000000000b0b'
const hex = (number: number | bigint) => `0x${number.toString(16)}`

let network: Devnet
let fork: Devnet
/** The number of the fork block, which has one transaction. */
let forkNumber: number
/** A transaction of the network that succeeded, one that failed, and one of the fork. */
let theirs: string
let failed: string
let ours: string
let token: string
let bank: string

async function ask<T = Answered>(method: string, ...params: readonly unknown[]): Promise<T> {
  return (await fork.request({ method, params } as never)) as T
}

const pay = (devnet: Devnet, wei: bigint) =>
  devnet.send({ from: devnet.accounts[1]!.address, to: BOB, value: wei })

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', ticksPerBlock: 5 })
  const opened = await openBank(network)
  bank = opened.bank.address
  token = opened.token.address
  const data = `0xc4076876${BOB.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}` as const
  const reverted = await network
    .send({ to: opened.bank.address, data, gas: 300_000n })
    .catch((error) => error)
  failed = reverted.hash
  theirs = (await pay(network, 5n)).hash
  forkNumber = Number(await network.request({ method: 'eth_blockNumber' }))
  fork = await createDevnet({ rhythm: 'manual', ticksPerBlock: 5, fork: { provider: network } })
  fork.artifacts.add(bankRun())
  ours = (await pay(fork, 7n)).hash
})

afterAll(async () => {
  await fork.close()
  await network.close()
})

describe('blocks', () => {
  it('are listed back to the fork block, of which the network knows the transactions', async () => {
    const first = await ask('preseal_listBlocks', { limit: 1 })
    expect(first).toMatchObject({ latest: hex(forkNumber + 1), first: hex(forkNumber) })
    expect(first.blocks).toMatchObject([{ number: hex(forkNumber + 1), transactionCount: '0x1' }])
    const rest = await ask('preseal_listBlocks', { after: first.next })
    expect(rest.blocks).toMatchObject([{ number: hex(forkNumber), transactionCount: '0x1', slices: null }])
    expect(rest.next).toBeNull()
    const before = await ask('preseal_listBlocks', { after: hex(forkNumber) })
    expect(before).toMatchObject({ blocks: [], next: null })
  })

  it('are listed without the count of the fork block where the network does not tell it', async () => {
    const { provider } = askedOf(network, ({ method }) => {
      if (method === 'eth_getBlockTransactionCountByHash') {
        throw Object.assign(new Error('the method does not exist'), { code: -32601 })
      }
    })
    await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider, block: 1n } })
    const { blocks } = (await devnet.request({
      method: 'preseal_listBlocks',
      params: [],
    } as never)) as Answered
    expect(blocks).toMatchObject([{ number: '0x1', transactionCount: null }])
  })

  it('of the network have no slices', async () => {
    const { hash } = await ask('eth_getBlockByNumber', '0x1', false)
    for (const block of ['0x1', hash, hex(forkNumber)])
      expect(await ask('preseal_getSlices', block)).toEqual([])
    const after = ask('eth_getBalance', BOB, { blockNumber: '0x1', slice: '0x1' })
    await expect(after).rejects.toThrow('slice not found: block 0x1 has slices up to 0, got 1')
    expect(await ask('preseal_getSlices', hex(forkNumber + 1))).toMatchObject([{ transactions: [ours] }])
  })
})

describe('a transaction', () => {
  it('of the network is sealed there', async () => {
    const { blockHash } = await ask('eth_getTransactionByHash', theirs)
    expect(await ask('preseal_getTimeline', theirs)).toEqual([
      { step: 'sealed', blockNumber: hex(forkNumber), blockHash, transactionIndex: '0x0' },
    ])
    const where = `it is sealed in block ${forkNumber}, transaction 0 of the network that the chain was forked from`
    expect(await ask('preseal_explain', theirs)).toEqual({ status: 'sealed', reason: where })
    expect(await ask('preseal_explain', failed)).toMatchObject({
      status: 'sealed',
      reason: expect.stringMatching(/, and failed$/),
    })
  })

  it('that the network included after the fork block is unknown', async () => {
    const { hash } = await pay(network, 9n)
    expect(await ask('preseal_getTimeline', hash)).toEqual([])
    expect(await ask('preseal_explain', hash)).toMatchObject({ status: 'unknown' })
  })

  it('of the fork has its own life', async () => {
    const steps = await ask<{ step: string }[]>('preseal_getTimeline', ours)
    expect(steps.map(({ step }) => step)).toEqual(['pooled', 'preconfirmed', 'sealed'])
    expect(await ask('preseal_explain', ours)).toMatchObject({
      reason: expect.stringContaining(`it is sealed in block ${forkNumber + 1}, transaction 0`),
    })
  })
})

describe('a contract of the network', () => {
  it('is known by its artifact, before the fork block as at it', async () => {
    const { hash } = await ask('eth_getBlockByNumber', '0x1', false)
    for (const block of ['pending', 'latest', hex(forkNumber), '0x1', 'earliest', hash]) {
      expect(await ask('preseal_getContract', token, block)).toMatchObject({
        name: 'Token',
        code: { match: 'exact' },
      })
      const [own] = await ask('preseal_getSources', bank, block)
      expect(own).toMatchObject({ path: 'contracts/Bank.sol', isOwn: true })
      expect(await ask('preseal_getSource', bank, own.path, block)).toMatchObject({ path: own.path })
    }
  })

  it('has its variables from the fork block on, and before it an error that names that block', async () => {
    for (const block of ['pending', hex(forkNumber)]) {
      const { contract, entries, isPartial } = await ask('preseal_getStorage', token, block)
      expect({ contract, isPartial }).toEqual({ contract: 'Token', isPartial: true })
      expect(entries).toMatchObject([{ slot: hex(0n).padEnd(66, '0'), variables: [{ name: 'total' }] }])
      expect(await ask('preseal_getVariable', token, 'total', block)).toMatchObject({ name: 'total' })
    }
    const message = `block not found: 0x1 is before the block at which the chain was forked; this method is available from block ${hex(forkNumber)} on`
    await expect(ask('preseal_getStorage', token, '0x1')).rejects.toThrow(message)
    await expect(ask('preseal_getVariable', token, 'total', '0x1')).rejects.toThrow(message)
    await expect(ask('preseal_listContracts', '0x1')).rejects.toThrow(message)
    const { hash } = await ask('eth_getBlockByNumber', '0x1', false)
    await expect(ask('preseal_getStorage', token, hash)).rejects.toThrow(`block not found: ${hash} is before`)
  })

  it('is not listed until its account changes', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
    const listed = () =>
      devnet.request({ method: 'preseal_listContracts', params: [] } as never) as Promise<Answered>
    expect((await listed()).contracts).toEqual([])
    await devnet.deal(token as `0x${string}`, { wei: 1n })
    expect((await listed()).contracts).toMatchObject([{ address: token.toLowerCase() }])
  })
})

it('the history of an account begins after the fork block, with the balance of the network', async () => {
  const { changes, next } = await ask('preseal_getAccountHistory', BOB)
  expect(changes).toMatchObject([
    { blockNumber: hex(forkNumber + 1), transactions: [ours], balance: { before: '0x5', after: '0xc' } },
  ])
  expect(next).toBeNull()
  expect(await ask('preseal_getAccountHistory', BOB, { before: hex(forkNumber) })).toEqual({
    changes: [],
    next: null,
  })
})

it('the rhythm is that of the fork, which ticks, seals and waits by itself', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 5, fork: { provider: network } })
  const own = (method: string, ...params: unknown[]) =>
    devnet.request({ method, params } as never) as Promise<Answered>
  const number = Number(await own('eth_blockNumber'))
  await devnet.send({ from: devnet.accounts[1]!.address, to: BOB, value: 1n, until: 'accepted' })
  expect(await own('preseal_searchTransactions', { state: 'waiting' })).toMatchObject({
    total: '0x1',
    transactions: [{ to: BOB }],
  })
  expect(await own('preseal_tick')).toMatchObject({ blockNumber: hex(number + 1), slice: '0x1' })
  expect(await own('preseal_getRhythm')).toMatchObject({
    rhythm: 'manual',
    openBlock: { blockNumber: hex(number + 1), transactionCount: '0x1' },
  })
  expect(await own('preseal_seal')).toMatchObject({ blockNumber: hex(number + 1) })
  expect(await own('preseal_setRhythm', { rhythm: 'instant' })).toMatchObject({ rhythm: 'instant' })
})
