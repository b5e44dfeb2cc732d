/** Code that takes more memory than it may: a call fails and says why, a transaction is dropped, and the chain goes on. */
import { afterEach, describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { assemble } from '../support/compilers/assembly.ts'

const CONTRACT = `0x${'ab'.repeat(20)}`
/** Writes to transient storage as long as there is gas. */
const WRITES = toHex(assemble('JUMPDEST', 'GAS', 'GAS', 'TSTORE', 0, 'JUMP'))
/** Takes 1.5 GB of memory, for 4,800,000,000,000 gas. */
const TAKES = toHex(assemble(1, 1_500_000_000, 'MSTORE8'))
const CALL = { to: CONTRACT, gas: '0x3b9aca00' }
const GAS_OF_GIGABYTES = '0x48c27395000'

const devnets: Devnet[] = []
afterEach(async () => {
  await Promise.all(devnets.splice(0).map((devnet) => devnet.close()))
})

async function devnetWith(code: string, options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await createDevnet({
    rhythm: 'manual',
    gasLimit: 10_000_000_000_000n,
    // Without a limit of the gas of one transaction.
    hardfork: 'prague',
    balance: 10n ** 30n,
    engine: 'wasm',
    ...options,
  })
  devnets.push(devnet)
  await devnet.request({ method: 'anvil_setCode', params: [CONTRACT, code] })
  return devnet
}

describe('a call that takes more than callMemoryLimit', () => {
  it.each<[method: string, params: readonly unknown[]]>([
    ['eth_call', [CALL]],
    ['eth_estimateGas', [CALL]],
    ['eth_createAccessList', [CALL]],
    ['debug_traceCall', [CALL, 'latest', { tracer: 'callTracer' }]],
    ['trace_call', [CALL, ['trace']]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [CALL] }] }]],
  ])('fails with an error that names the limit (%s)', async (method, params) => {
    const devnet = await devnetWith(WRITES, { callMemoryLimit: 1_000_000 })
    await expect(devnet.request({ method, params } as never)).rejects.toMatchObject({
      code: -32000,
      message:
        'out of memory: the code used more than 1000000 bytes and was stopped; give it less gas, or raise the limit (option callMemoryLimit, --call-memory-limit)',
    })
  })

  it('is one that the default does not let take gigabytes', async () => {
    const devnet = await devnetWith(TAKES)
    const params = [{ ...CALL, gas: GAS_OF_GIGABYTES }]
    await expect(devnet.request({ method: 'eth_call', params } as never)).rejects.toMatchObject({
      message: expect.stringContaining('used more than 134217728 bytes'),
    })
  })
})

it('a transaction that takes more than a gigabyte is dropped with the reason, and the chain goes on', async () => {
  const devnet = await devnetWith(TAKES)
  const [from, to] = devnet.accounts.map(({ address }) => address)
  const send = (transaction: object) =>
    devnet.request({ method: 'eth_sendTransaction', params: [transaction] } as never)
  const reasons: unknown[] = []
  devnet.on('dropped', (_, reason) => reasons.push(reason))
  const taking = await send({ from, to: CONTRACT, gas: GAS_OF_GIGABYTES })
  const transfer = await send({ from: to, to: from, value: '0x1' })
  await devnet.mine()
  const receipts = [taking, transfer].map((hash) =>
    devnet.request({ method: 'eth_getTransactionReceipt', params: [hash] } as never),
  )
  expect(await Promise.all(receipts)).toMatchObject([null, { status: '0x1' }])
  expect(reasons).toEqual([{ kind: 'outOfMemory', limitBytes: 1024 * 1024 * 1024 }])
})
