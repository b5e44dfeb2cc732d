/** A devnet may begin before a transaction of a network, within its block. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { ask } from '../support/clients/clients.ts'

type Block = { number: string; timestamp: string; miner: string; mixHash: string; transactions: string[] }
type Receipt = { status: string; gasUsed: string; effectiveGasPrice: string; blockNumber: string }

const COINBASE = '0x00000000000000000000000000000000000c01fe'
const TAKER = '0x000000000000000000000000000000000000ba5e'

let network: Devnet
/** Three transactions of the last block but one. */
let hashes: string[]

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', coinbase: COINBASE })
  await network.mine(2)
  const from = network.accounts[0]!.address
  const sending = [1n, 2n, 3n].map((value) =>
    ask(network, 'eth_sendTransaction', { from, to: TAKER, value: `0x${value.toString(16)}` }),
  )
  hashes = (await Promise.all(sending)) as string[]
  await network.increaseTime(77)
  await network.mine(2)
})

afterAll(() => network.close())

it('runs those before it again, in a block with the values of theirs', async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    fork: { provider: network, block: hashes[2] as `0x${string}` },
  })
  const theirs = (await ask(network, 'eth_getBlockByNumber', '0x3', false)) as Block
  const ours = (await ask(devnet, 'eth_getBlockByNumber', 'latest', false)) as Block
  expect(theirs.transactions).toEqual(hashes)
  expect(ours.transactions).toEqual(hashes.slice(0, 2))
  for (const name of ['number', 'timestamp', 'miner', 'mixHash'] as const)
    expect(ours[name]).toBe(theirs[name])
  for (const hash of hashes.slice(0, 2)) {
    const [there, here] = (await Promise.all(
      [network, devnet].map((one) => ask(one, 'eth_getTransactionReceipt', hash)),
    )) as Receipt[]
    for (const name of ['status', 'gasUsed', 'effectiveGasPrice', 'blockNumber'] as const) {
      expect(here![name]).toBe(there![name])
    }
  }
  expect(await ask(devnet, 'eth_getBalance', TAKER, 'latest')).toBe('0x3')
  expect(await ask(devnet, 'eth_getTransactionByHash', hashes[2])).toBeNull()
  await devnet.mine()
  const next = (await ask(devnet, 'eth_getBlockByNumber', 'latest', false)) as Block
  expect(Number(next.timestamp)).toBeGreaterThanOrEqual(Number(ours.timestamp))
})

it('makes an empty block where it is the first of its block', async () => {
  await using devnet = await createDevnet({
    rhythm: 'manual',
    fork: { provider: network, block: hashes[0] as `0x${string}` },
  })
  expect(await ask(devnet, 'eth_blockNumber')).toBe('0x3')
  expect(await ask(devnet, 'eth_getBalance', TAKER, 'latest')).toBe('0x0')
})

it('is refused where no block and no transaction has the hash', async () => {
  const block = `0x${'12'.repeat(32)}` as const
  await expect(
    createDevnet({ rhythm: 'manual', fork: { provider: network, block, retries: 0 } }),
  ).rejects.toThrow(block)
})
