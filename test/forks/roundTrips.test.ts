/** How often the node of a network is asked for what one call needs: in batches, and not once for each slot. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withBook } from '../../scripts/bench/network/latency.ts'
import { type SlowNode, slowNode } from '../../scripts/bench/network/slowNode.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { forgetForks } from '../../src/upstream/sharedForks.ts'
import { temporaryFolder } from '../support/processes/files.ts'

let network: Devnet
let node: SlowNode
/** A purchase that goes through three contracts and 40 slots, and what it returns on the network. */
let call: Awaited<ReturnType<typeof withBook>>
let expected: unknown
/** The number of the fork block. */
let block: number

const ask = (devnet: Devnet, method: string, ...params: unknown[]): Promise<unknown> =>
  devnet.request({ method, params } as never)

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', chainId: 4_242 })
  call = await withBook(network)
  node = await slowNode(network, 0)
  expected = await ask(network, 'eth_call', call, 'latest')
  block = Number(await ask(network, 'eth_blockNumber'))
  const { accessList } = (await ask(network, 'eth_createAccessList', call, 'latest')) as {
    accessList: { storageKeys: unknown[] }[]
  }
  expect(accessList.map(({ storageKeys }) => storageKeys.length)).toEqual([35, 3, 2])
})

afterAll(async () => {
  await node.close()
  await network.close()
  forgetForks()
})

/** Runs the call on a new fork. Returns how often the node was asked for the beginning, and for the call. */
async function trips(
  fork: Omit<NonNullable<DevnetOptions['fork']>, 'url'>,
): Promise<{ begin: number; call: number }> {
  const before = node.exchanges
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { url: node.url, ...fork } })
  const begun = node.exchanges
  expect(await ask(devnet, 'eth_call', call, 'latest')).toBe(expected)
  return { begin: begun - before, call: node.exchanges - begun }
}

it('a call through three contracts and 40 slots takes two round trips where the node makes access lists', async () => {
  expect(await trips({ cache: false })).toEqual({ begin: 3, call: 2 })
})

it('it takes four where the node makes none', async () => {
  node.lacks = new Set(['eth_createAccessList'])
  expect((await trips({ cache: false })).call).toBeLessThanOrEqual(4)
  node.lacks = new Set()
})

it('the first block of an L2 takes two round trips more than its beginning', async () => {
  await using l2 = await createDevnet({ rhythm: 'manual', l2: 'op', chainId: 901 })
  await l2.mine(2)
  const its = await slowNode(l2, 0)
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { url: its.url, cache: false } })
  // Block and chain id, hardfork, kind of L2, accounts: of the development and of L2s in two batches at once.
  expect(its.exchanges).toBe(5)
  await devnet.mine()
  expect(its.exchanges).toBeLessThanOrEqual(7)
  const [from, to] = devnet.accounts.map(({ address }) => address)
  await ask(devnet, 'eth_sendTransaction', { from, to, value: '0x1' })
  await devnet.mine()
  expect(its.exchanges).toBeLessThanOrEqual(7)
  await its.close()
})

it('the second devnet of a process asks nothing', async () => {
  const at = await temporaryFolder()
  const fork = { cache: at('.'), block }
  await trips(fork)
  expect(await trips(fork)).toEqual({ begin: 0, call: 0 })
})

it('without the network, guesses that were not recorded are no failure', async () => {
  const at = await temporaryFolder()
  const cache = at('book.jsonl')
  forgetForks()
  // The access list names all slots at once, so that nothing is guessed.
  await trips({ cache, block })
  forgetForks()
  const asked = node.exchanges
  await using offline = await createDevnet({
    rhythm: 'manual',
    fork: { url: node.url, cache, block, offline: true },
  })
  // Another call: there is no access list of it.
  const less = { ...call, gas: '0x100000' }
  expect(await ask(offline, 'eth_call', less, 'latest')).toBe(expected)
  const other = { ...call, data: call.data.replace(/.{16}$/, '0de0b6b3a7640001') }
  expect(await ask(offline, 'eth_call', other, 'latest')).toBe(
    await ask(network, 'eth_call', other, 'latest'),
  )
  expect(node.exchanges).toBe(asked)
})
