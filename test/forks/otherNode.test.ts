/** `anvil_setRpcUrl` puts another node of the same network in the place of the one that a fork asks. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf, failure } from '../support/nodes/networkOf.ts'
import { type UpstreamNode, upstreamNode } from '../support/nodes/upstreamNode.ts'

const RICH = '0x00000000000000000000000000000000000f1c41'
const OTHER = '0x00000000000000000000000000000000000f1c42'
const SECRET = 'very-secret-key'

let network: Devnet
/** Another node of the same network, which does not know the newest block. */
let mirror: Devnet
let url: string
const nodes: UpstreamNode[] = []

/** Returns a node of another chain or another block, by what it answers. */
async function nodeThat(chainId: string, hash: string): Promise<string> {
  const block = (await ask(network, 'eth_getBlockByNumber', '0x2', false)) as object
  const node = await upstreamNode(undefined, ({ method }) => ({
    result: method === 'eth_chainId' ? chainId : { ...block, hash },
  }))
  nodes.push(node)
  return `${node.url}${SECRET}`
}

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual' })
  await ask(network, 'anvil_setBalance', RICH, '0x77')
  await network.mine(2)
  mirror = network.fork()
  await network.mine()
  url = `${(await mirror.listen({ port: 0 })).url}/?key=${SECRET}`
})

afterAll(async () => {
  await Promise.all([network.close(), mirror.close(), ...nodes.map((node) => node.close())])
})

it('from then on the other node is asked, and the state stays', async () => {
  const { provider, asked } = askedOf(network)
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider, block: 2 } })
  await devnet.send({ to: RICH, value: 1n })
  const { hash } = devnet.latest
  await ask(devnet, 'anvil_setRpcUrl', url)
  asked.length = 0
  expect(devnet.latest.hash).toBe(hash)
  expect(await ask(devnet, 'eth_getBalance', RICH, 'latest')).toBe('0x78')
  expect(await ask(devnet, 'eth_getBalance', OTHER, 'latest')).toBe('0x0')
  expect(await ask(devnet, 'eth_getBlockByNumber', '0x1', false)).toEqual(
    await ask(network, 'eth_getBlockByNumber', '0x1', false),
  )
  expect(asked).toEqual([])
  expect(await ask(devnet, 'anvil_nodeInfo')).toMatchObject({
    forkConfig: { forkUrl: new URL(url).host, forkBlockNumber: 2, proofs: false },
  })
  // A reset begins by the new node, too.
  await ask(devnet, 'anvil_reset', { forking: { blockNumber: 1 } })
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x1')
  expect(asked).toEqual([])
})

it('a chain that was loaded from a file gets a node for what the file lacks', async () => {
  await using fork = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: 2 } })
  const file = Buffer.concat([...fork.dump()])
  await using devnet = await createDevnet({ rhythm: 'manual' })
  await devnet.load(file)
  expect(await failure(ask(devnet, 'eth_getBalance', RICH, 'latest'))).toContain('not recorded')
  await ask(devnet, 'anvil_setRpcUrl', url)
  expect(await ask(devnet, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
})

it('is refused for another chain, another block and no node; the node before stays, and no key is shown', async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    fork: { provider: network, block: 2, retries: 0 },
  })
  const hash = `0x${'12'.repeat(32)}`
  const ours = await ask<{ hash: string }>(network, 'eth_getBlockByNumber', '0x2', false)
  for (const [other, message] of [
    [await nodeThat('0x5', ours.hash), 'it has the chain id 5; name a node of the chain 31337'],
    [await nodeThat('0x7a69', hash), `its block 2 has the hash ${hash}`],
    [`http://127.0.0.1:9/${SECRET}`, '127.0.0.1:9'],
    [`node.example/${SECRET}`, 'expected a URL of http, https, ws or wss'],
  ] as const) {
    const refusal = await failure(ask(devnet, 'anvil_setRpcUrl', other))
    expect(refusal).toContain(message)
    expect(refusal).not.toContain(SECRET)
  }
  expect(await ask(devnet, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
})

it('that is not there is said so after two attempts, however many others there may be', async () => {
  const silent = await upstreamNode(() => ({ kind: 'reset' }))
  nodes.push(silent)
  await using devnet = await createDevnet({
    rhythm: 'manual',
    fork: { provider: network, block: 2, retries: 9 },
  })
  expect(await failure(ask(devnet, 'anvil_setRpcUrl', silent.url))).toMatch(
    /no answer to eth_chainId\(\): the connection was reset \(2 attempts\)/,
  )
  expect(silent.exchanges).toHaveLength(2)
  expect(await ask(devnet, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
})

it('is refused without a network', async () => {
  await using devnet = await createDevnet({ rhythm: 'manual' })
  expect(await failure(ask(devnet, 'anvil_setRpcUrl', url))).toContain('this devnet is on no network')
})

it('headers, which may be keys, go to no other host', async () => {
  const block = await ask(network, 'eth_getBlockByNumber', '0x2', false)
  const answers = (method: string) =>
    method === 'eth_chainId' ? '0x7a69' : method === 'eth_getCode' ? '0x' : '0x0'
  const answering = ({ method }: { method: string }) => ({
    result: method.startsWith('eth_getBlock') ? block : answers(method),
  })
  const [first, second] = await Promise.all([1, 2].map(() => upstreamNode(undefined, answering)))
  nodes.push(first!, second!)
  const fork = { url: first!.url, block: 2, headers: { authorization: SECRET } }
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  expect(first!.headers.every(({ authorization }) => authorization === SECRET)).toBe(true)
  await ask(devnet, 'anvil_setRpcUrl', second!.url)
  await ask(devnet, 'anvil_reset', { forking: { jsonRpcUrl: `${second!.url}else` } })
  expect(second!.headers.length).toBeGreaterThan(0)
  expect(second!.headers.some(({ authorization }) => authorization !== undefined)).toBe(false)
})
