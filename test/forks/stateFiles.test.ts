/** State files of a chain that was forked from a network: they have what was fetched, so that no network is needed. */
import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Store } from '../../fixtures/contracts/Store.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'
import { askedOf, failure } from '../support/nodes/networkOf.ts'

const SECRET = 'very-secret-key'
/** Has ether on the network, and no code. */
const RICH = '0x00000000000000000000000000000000000f1c41'
/** Exists nowhere. */
const NOBODY = '0x0000000000000000000000000000000000000b0d'
/** Nobody asked for it. */
const UNTOUCHED = '0x00000000000000000000000000000000000000aa'

// Before Cancun `destroy` deletes contracts.
const OPTIONS = { rhythm: 'manual', chainId: 4242, hardfork: 'shanghai' } as const satisfies DevnetOptions

let network: Devnet
/** Two contracts with 5 in slot 1 and 6 in slot 2. */
let kept: Hex
let doomed: Hex
let fork: Devnet
let file: Uint8Array

const bytesOf = (pieces: Iterable<Uint8Array>) => new Uint8Array(Buffer.concat([...pieces]))
const dumpOf = (devnet: Devnet) => bytesOf(devnet.dump())

/** Calls a contract by a transaction of the first account, and mines it. */
async function transact(devnet: Devnet, to: Hex, data: Hex): Promise<Hex> {
  const from = devnet.accounts[0]!.address
  const hash = await ask<Hex>(devnet, 'eth_sendTransaction', { from, to, data, gas: '0x30000' })
  await devnet.mine()
  return hash
}

const set = (slot: bigint, value: bigint) =>
  encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [slot, value] })

/** What is on the chain: of each block from the fork block on, and of accounts after it. */
async function shownOf(devnet: Devnet) {
  const head = Number(await ask(devnet, 'eth_blockNumber'))
  const first = head - 4
  const numbers = Array.from({ length: 5 }, (_, i) => `0x${(first + i).toString(16)}`)
  return Promise.all(
    numbers.map(async (number) => ({
      block: await ask(devnet, 'eth_getBlockByNumber', number, true),
      receipts: number === numbers[0] ? [] : await ask(devnet, 'eth_getBlockReceipts', number),
      balances: await Promise.all(
        [RICH, NOBODY, devnet.accounts[0]!.address].map((at) => ask(devnet, 'eth_getBalance', at, 'latest')),
      ),
      codes: await Promise.all([kept, doomed].map((at) => ask(devnet, 'eth_getCode', at, 'latest'))),
      slots: await Promise.all(
        [0, 1, 2].map((slot) => ask(devnet, 'eth_getStorageAt', kept, `0x${slot}`, 'latest')),
      ),
    })),
  )
}

beforeAll(async () => {
  network = await createDevnet({ ...OPTIONS, balance: 10n ** 20n })
  kept = (await network.deploy(Store)).address
  doomed = (await network.deploy(Store)).address
  for (const at of [kept, doomed]) {
    await transact(network, at, set(1n, 5n))
    await transact(network, at, set(2n, 6n))
  }
  await ask(network, 'anvil_setBalance', RICH, '0x77')
  await network.mine()
  fork = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
  await transact(fork, kept, set(1n, 9n))
  await transact(fork, kept, encodeFunctionData({ abi: Store.abi, functionName: 'clear', args: [2n] }))
  const { address } = fork.accounts[1]!
  await transact(
    fork,
    doomed,
    encodeFunctionData({ abi: Store.abi, functionName: 'destroy', args: [address] }),
  )
  await fork.mine()
  // The fork block's transactions, logs and an older balance are the network's.
  await shownOf(fork)
  await ask(fork, 'eth_getLogs', { fromBlock: '0x1', toBlock: 'latest' })
  await ask(fork, 'eth_getBalance', fork.accounts[0]!.address, '0x1')
  // It waits in the pool.
  await ask(fork, 'eth_sendTransaction', { from: address, to: RICH, value: '0x1', gas: '0x5208' })
  file = dumpOf(fork)
})

afterAll(async () => {
  await fork.close()
  await network.close()
})

describe('a state file of a fork', () => {
  it('is loaded by a devnet without a network, and all that was touched answers', async () => {
    await using devnet = await createDevnet(OPTIONS)
    await devnet.load(file)
    expect(await shownOf(devnet)).toEqual(await shownOf(fork))
    const logs = [{ fromBlock: '0x1', toBlock: 'latest' }]
    expect(await ask(devnet, 'eth_getLogs', ...logs)).toEqual(await ask(fork, 'eth_getLogs', ...logs))
    const older = [fork.accounts[0]!.address, '0x1']
    expect(await ask(devnet, 'eth_getBalance', ...older)).toEqual(
      await ask(network, 'eth_getBalance', ...older),
    )
    expect(await ask(devnet, 'eth_getCode', doomed, 'latest')).toBe('0x')
    expect(await ask(devnet, 'hardhat_metadata')).toMatchObject({
      forkedNetwork: { chainId: 4242, forkBlockNumber: 7 },
    })
  })

  it('makes the chain go on with the same blocks', async () => {
    await using devnet = await createDevnet(OPTIONS)
    await devnet.load(file)
    const copy = fork.fork()
    for (const one of [devnet, copy]) {
      await one.mine()
      await transact(one, kept, set(2n, 1n))
    }
    const [theirs, ours] = await Promise.all(
      [copy, devnet].map((one) => ask<{ hash: string }>(one, 'eth_getBlockByNumber', 'latest', true)),
    )
    expect(ours).toEqual(theirs)
    await copy.close()
  })

  it('has the same bytes when it is made of what was loaded', async () => {
    await using devnet = await createDevnet(OPTIONS)
    await devnet.load(file)
    expect(Buffer.from(dumpOf(devnet)).toString()).toBe(Buffer.from(file).toString())
  })

  it('lacks what was not fetched, which an error names; the chain goes on', async () => {
    await using devnet = await createDevnet(OPTIONS)
    await devnet.load(file)
    const message = await failure(ask(devnet, 'eth_getBalance', UNTOUCHED, 'latest'))
    expect(message).toContain(`the network of the state file: not recorded: eth_getBalance(${UNTOUCHED}`)
    expect(message).toContain('--fork-url')
    expect(await failure(ask(devnet, 'eth_getBlockByNumber', '0x3', false))).toContain(
      'not recorded: eth_getBlockByNumber(0x3',
    )
    await devnet.send({ to: RICH, value: 1n })
    expect(BigInt(await ask(devnet, 'eth_getBalance', RICH, 'latest'))).toBe(0x79n)
  })

  it('is loaded by a fork of the same network, which fetches what the file lacks', async () => {
    const { provider, asked } = askedOf(network)
    await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider } })
    await devnet.load(file)
    asked.length = 0
    expect(await shownOf(devnet)).toEqual(await shownOf(fork))
    expect(asked).toEqual([])
    expect(await ask(devnet, 'eth_getBalance', UNTOUCHED, 'latest')).toBe('0x0')
    expect(asked.map(({ method }) => method)).toContain('eth_getBalance')
    // What was fetched since then is in the next file.
    await using offline = await createDevnet(OPTIONS)
    await offline.load(dumpOf(devnet))
    expect(await ask(offline, 'eth_getBalance', UNTOUCHED, 'latest')).toBe('0x0')
  })

  it('is loaded by a fork at another block, which goes on from that of the file', async () => {
    await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network, block: 2 } })
    await devnet.load(file)
    expect(await shownOf(devnet)).toEqual(await shownOf(fork))
    expect(await ask(devnet, 'eth_getBalance', UNTOUCHED, 'latest')).toBe('0x0')
    expect(await ask(devnet, 'hardhat_metadata')).toMatchObject({ forkedNetwork: { forkBlockNumber: 7 } })
  })

  it('is refused where the network does not have its block', async () => {
    await using other = await createDevnet({ ...OPTIONS, timestamp: 1 })
    await other.mine(9)
    await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: other } })
    expect(await failure(devnet.load(file))).toContain('no block to fork from')
    expect(Number(await ask(devnet, 'eth_blockNumber'))).toBe(9)
  })

  it('is refused if a line of it is left out', async () => {
    await using devnet = await createDevnet(OPTIONS)
    const lines = Buffer.from(file).toString().split('\n')
    const { createHash } = await import('node:crypto')
    const without = lines.filter(
      (line) => !line.includes(`"fetched":"eth_getCode","params":["${kept.toLowerCase()}`),
    )
    expect(without).toHaveLength(lines.length - 1)
    const body = `${without.slice(0, -2).join('\n')}\n`
    const end = { end: without.length - 2, sha256: createHash('sha256').update(body).digest('hex') }
    const text = `${body}${JSON.stringify(end)}\n`
    expect(await failure(devnet.load(new TextEncoder().encode(text)))).toContain(
      `expected the fetched value of account ${kept.toLowerCase()}, in an earlier line, got nothing`,
    )
  })
})

it('anvil_dumpState and anvil_loadState carry it, too', async () => {
  const state = await ask(fork, 'anvil_dumpState')
  await using devnet = await createDevnet(OPTIONS)
  expect(await ask(devnet, 'anvil_loadState', state)).toBe(true)
  expect(await shownOf(devnet)).toEqual(await shownOf(fork))
})

it('a file of a chain without a network replaces one on a network, and back', async () => {
  await using plain = await createDevnet(OPTIONS)
  await plain.mine()
  await using devnet = await createDevnet({ rhythm: 'manual', fork: { provider: network } })
  const snapshot = devnet.snapshot()
  await devnet.load(dumpOf(plain))
  expect(await ask(devnet, 'eth_getBalance', RICH, 'latest')).toBe('0x0')
  expect(await ask(devnet, 'hardhat_metadata')).toMatchObject({ forkedNetwork: null })
  await devnet.restore(snapshot)
  expect(await ask(devnet, 'eth_getBalance', RICH, 'latest')).toBe('0x77')
  expect(await ask(devnet, 'hardhat_metadata')).toMatchObject({ forkedNetwork: { forkBlockNumber: 7 } })
})

it('a network whose headers have members of their own is in the file by its hash', async () => {
  const hash = `0x${'fe'.repeat(32)}`
  const provider = {
    async request({ method, params }: { method: string; params: unknown[] }) {
      if (method === 'eth_getBlockByHash') return null
      const result = await network.request({ method, params } as never)
      const isBlock = method === 'eth_getBlockByNumber' && params[0] !== 'finalized'
      return isBlock ? { ...(result as object), hash, unknownMember: '0x1' } : result
    },
  }
  await using other = await createDevnet({
    rhythm: 'manual',
    fork: { provider: provider as never, block: 7 },
  })
  await other.mine()
  await using devnet = await createDevnet(OPTIONS)
  await devnet.load(dumpOf(other))
  expect(await ask(devnet, 'eth_getBlockByNumber', '0x8', false)).toMatchObject({ parentHash: hash })
})

it('no file shows the key in the URL of the node', async () => {
  const listener = await network.listen({ port: 0 })
  const url = `${listener.url}/?key=${SECRET}`
  await using devnet = await createDevnet({
    rhythm: 'manual',
    fork: { url, headers: { Authorization: SECRET } },
  })
  await devnet.mine()
  const text = Buffer.from(dumpOf(devnet)).toString()
  expect(text).toContain('"fetched"')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain(new URL(listener.url).host)
  await listener.close()
})
