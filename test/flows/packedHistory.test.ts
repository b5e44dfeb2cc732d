import { encodeFunctionData } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Address } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'

/** More blocks than a chain keeps as objects. */
const LATER = 80
const TOPIC = `0x${'5e'.repeat(32)}` as const

/** What clients ask about the first blocks of a chain, and what they are answered. */
type Answers = Record<string, unknown>

interface Sent {
  readonly hashes: readonly string[]
  readonly emitter: string
}

/** Ten blocks with transactions of several kinds, some in two slices, some that fail. */
async function firstBlocks(devnet: Devnet): Promise<Sent> {
  const [from, other] = devnet.accounts.map(({ address }) => address) as [Address, Address]
  const hashes: string[] = []
  const send = async (request: Record<string, string>) => {
    hashes.push((await devnet.request({ method: 'eth_sendTransaction', params: [request] })) as string)
  }
  const emitMany = (count: bigint) =>
    encodeFunctionData({ abi: Emitter.abi, functionName: 'emitMany', args: [count, TOPIC] })
  await send({ from, data: Emitter.bytecode, gas: '0x300000' })
  await devnet.mine()
  const receipt = await devnet.request({ method: 'eth_getTransactionReceipt', params: [hashes[0]!] })
  const emitter = (receipt as { contractAddress: string }).contractAddress
  for (let i = 1; i < 10; i++) {
    await send({ from, to: emitter, data: emitMany(BigInt(i)), gas: '0x100000' })
    if (i % 2 === 0) await devnet.tick()
    await send({
      from: other,
      to: `0x${'bb'.repeat(19)}0${i}`,
      value: `0x${i}`,
      gas: '0x5208',
      type: i % 2 ? '0x0' : '0x2',
    })
    // No function has this selector: it reverts.
    await send({ from: other, to: emitter, data: '0xffffffff', gas: '0x30000' })
    await devnet.mine()
  }
  return { hashes, emitter }
}

async function answers(devnet: Devnet, { hashes, emitter }: Sent): Promise<Answers> {
  const found: Answers = {}
  const ask = async (method: string, ...params: unknown[]) => {
    found[`${method} ${JSON.stringify(params)}`] = await devnet.request({ method, params })
  }
  for (let number = 0; number <= 10; number++) {
    const at = `0x${number.toString(16)}`
    await ask('eth_getBlockByNumber', at, true)
    await ask('eth_getBlockByNumber', at, false)
    await ask('eth_getBlockReceipts', at)
    await ask('preseal_getSlices', at)
    await ask('eth_getBalance', devnet.accounts[0]!.address, at)
    await ask('eth_getProof', devnet.accounts[0]!.address, [], at)
    await ask('eth_getBlockTransactionCountByNumber', at)
    await ask('debug_getRawBlock', at)
    await ask('debug_getRawReceipts', at)
  }
  for (const hash of hashes) {
    await ask('eth_getTransactionByHash', hash)
    await ask('eth_getTransactionReceipt', hash)
    await ask('debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig: { withLog: true } })
  }
  const { hash } = (await devnet.request({ method: 'eth_getBlockByNumber', params: ['0x5', false] })) as {
    hash: string
  }
  await ask('eth_getBlockByHash', hash, true)
  await ask('eth_getLogs', { blockHash: hash, topics: [] })
  await ask('eth_getLogs', { fromBlock: '0x0', toBlock: '0xa', address: emitter })
  await ask('eth_getLogs', { fromBlock: '0x3', toBlock: '0x7', topics: [null, TOPIC] })
  await ask('eth_getLogs', { fromBlock: '0x0', toBlock: '0xa' })
  await ask('eth_feeHistory', 5, '0x8', [10, 90])
  await ask('eth_simulateV1', { blockStateCalls: [{ calls: [{ to: emitter, data: '0x' }] }] }, '0x6')
  return found
}

describe('a chain whose first blocks are kept as bytes', () => {
  let devnet: Devnet
  let sent: Sent
  let before: Answers

  beforeAll(async () => {
    devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
    sent = await firstBlocks(devnet)
    before = await answers(devnet, sent)
    for (let block = 0; block < LATER; block++) await devnet.mine()
  })

  it('answers as when they were new', async () => {
    expect(await answers(devnet, sent)).toEqual(before)
  })

  it('answers so in a fork, and after a snapshot is restored', async () => {
    const snapshot = devnet.snapshot()
    const fork = await devnet.fork()
    for (let block = 0; block < LATER; block++) await fork.mine()
    expect(await answers(fork, sent)).toEqual(before)
    await devnet.mine()
    await devnet.restore(snapshot)
    expect(await answers(devnet, sent)).toEqual(before)
  })

  it('does not find what is not there', async () => {
    for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt']) {
      expect(await devnet.request({ method, params: [`0x${'77'.repeat(32)}`] })).toBeNull()
    }
    expect(
      await devnet.request({ method: 'eth_getBlockByHash', params: [`0x${'77'.repeat(32)}`, false] }),
    ).toBeNull()
  })
})
