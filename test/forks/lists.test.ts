/** Lists over all blocks of a fork, and requests about older ones, are answered as by its network, where both went on with the same transactions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet } from '../../src/index.ts'

const BOB = '0x0000000000000000000000000000000000000b0b'
/** Of one of which only some transactions tell. */
const CAROL = '0x0000000000000000000000000000000000000ca2'
/** The fork block, and the newest one. */
const [FORK, HEAD] = [5, 9]

let network: Devnet
let fork: Devnet
let alice: string

const hex = (number: number) => `0x${number.toString(16)}`

/** Asks a devnet; an error comes as its code and message. Hashes of blocks contain roots, which stand in for others on a fork. */
async function ask(devnet: Devnet, method: string, ...params: readonly unknown[]): Promise<unknown> {
  try {
    const answer = await devnet.request({ method, params } as never)
    const text = JSON.stringify(answer).replace(
      /"(blockHash|stateRoot|hash|parentHash)":"0x[0-9a-f]{64}"/g,
      '"$1":""',
    )
    return JSON.parse(text)
  } catch (error) {
    const { code, message } = error as { code: number; message: string }
    return { code, message }
  }
}

/** Mines a block with two transfers, on each of the chains. */
async function step(number: number, ...devnets: Devnet[]): Promise<void> {
  for (const devnet of devnets) {
    await devnet.request({ method: 'evm_setNextBlockTimestamp', params: [1_800_000_000 + number] } as never)
    for (const to of [BOB, number % 3 === 0 ? CAROL : alice]) {
      await devnet.request({
        method: 'eth_sendTransaction',
        params: [{ from: alice, to, value: hex(number) }],
      } as never)
      await devnet.tick()
    }
    await devnet.mine()
  }
}

beforeAll(async () => {
  network = await createDevnet({ rhythm: 'manual', ticksPerBlock: 100 })
  alice = network.accounts[0]!.address.toLowerCase()
  for (let number = 1; number <= FORK; number++) await step(number, network)
  fork = await createDevnet({ rhythm: 'manual', ticksPerBlock: 100, fork: { provider: network } })
  for (let number = FORK + 1; number <= HEAD; number++) await step(number, network, fork)
})

afterAll(async () => {
  await fork.close()
  await network.close()
})

async function expectSame(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const ours = await ask(fork, method, ...params)
  expect(ours, `${method} ${JSON.stringify(params)}`).toEqual(await ask(network, method, ...params))
  return ours
}

describe('trace_filter', () => {
  it.each([
    {},
    { fromBlock: hex(2), toBlock: hex(4) },
    { fromBlock: hex(2), toBlock: hex(FORK) },
    { fromBlock: hex(FORK), toBlock: hex(FORK + 1) },
    { fromBlock: hex(FORK + 1), toBlock: 'latest' },
    { fromBlock: 'earliest', toBlock: 'pending', toAddress: [CAROL] },
    { toAddress: [BOB], fromAddress: [CAROL] },
    { fromBlock: hex(7), toBlock: hex(3) },
    { fromBlock: hex(3), toBlock: hex(HEAD + 7) },
    { fromBlock: hex(3), toBlock: hex(HEAD), mode: 'nonsense' },
  ])('of %j lists the traces of both sides', async (filter) => {
    await expectSame('trace_filter', filter)
  })

  it('counts what it leaves out, and what it lists, through both sides', async () => {
    for (let after = 0; after <= 12; after++) {
      for (const count of [undefined, 0, 1, 3, 20]) {
        await expectSame('trace_filter', { fromBlock: hex(3), toBlock: hex(HEAD), after, count })
      }
    }
  })
})

describe.each(['ots_searchTransactionsBefore', 'ots_searchTransactionsAfter'])('%s', (method) => {
  it('has the pages that it has without a fork', async () => {
    for (const address of [BOB, CAROL]) {
      for (let block = 0; block <= HEAD + 2; block++) {
        for (const size of [1, 2, 3, 4, 20]) await expectSame(method, address, block, size)
      }
    }
  })

  it('names wrong parameters', async () => {
    expect(await expectSame(method, BOB, -1, 5)).toMatchObject({ code: -32602 })
  })
})

describe('block numbers as JSON numbers, as Otterscan sends them,', () => {
  it.each([['ots_getBlockDetails'], ['erigon_getHeaderByNumber'], ['ots_getBlockTransactions', 0, 5]])(
    'name blocks of both sides: %s',
    async (method, ...others) => {
      for (const number of [FORK - 1, FORK, FORK + 1]) await expectSame(method, number, ...others)
    },
  )
})

describe('requests about blocks of the network', () => {
  const call = { from: BOB, to: CAROL, value: '0x1' }
  // Returns the number of the block.
  const code = { [CAROL]: { code: '0x435f5260205ff3' } }
  it.each([
    ['eth_call', call, hex(3), code],
    ['eth_call', call, { blockNumber: hex(3) }, code, { number: '0x63' }],
    ['eth_estimateGas', call, hex(4)],
    ['eth_createAccessList', call, hex(3)],
    ['eth_simulateV1', { blockStateCalls: [{ stateOverrides: code, calls: [call] }] }, hex(3)],
    ['debug_traceCall', call, hex(3), { stateOverrides: code }],
    ['debug_traceBlockByNumber', hex(3), { tracer: 'callTracer' }],
    ['debug_traceBlockByNumber', hex(3), { tracer: 'prestateTracer' }],
    ['trace_block', hex(FORK)],
    ['trace_replayBlockTransactions', hex(3), ['trace', 'stateDiff']],
    ['trace_call', call, ['trace'], hex(3)],
    ['eth_getBlockReceipts', hex(FORK)],
    ['eth_getUncleCountByBlockNumber', hex(FORK)],
    ['eth_getUncleByBlockNumberAndIndex', hex(FORK), '0x0'],
    ['debug_getRawBlock', hex(3)],
    ['eth_getTransactionByBlockNumberAndIndex', hex(3), '0x1'],
  ] as const)('are answered as by its node: %s %j', async (method, ...params) => {
    const answer = await expectSame(method, ...params)
    expect(JSON.stringify(answer)).not.toContain('not found')
  })
})
