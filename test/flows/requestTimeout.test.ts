/** A request that takes longer than it may is ended, and nobody has to wait for it meanwhile. */
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts'
import { assemble } from '../support/compilers/assembly.ts'

const LOOPER = `0x${'ab'.repeat(20)}`
/** Hashes 16 kB in each round: few gas for the time that it takes. */
const LOOP = `0x${Buffer.from(assemble('JUMPDEST', 16_384, 0, 'KECCAK256', 'POP', 0, 'JUMP')).toString('hex')}`
/** A loop that only ends when the gas does, which takes minutes. */
const CALL = { to: LOOPER, gas: '0x174876e800' }

const devnets: Devnet[] = []
afterEach(async () => {
  await Promise.all(devnets.splice(0).map((devnet) => devnet.close()))
})

async function devnetWith(options: DevnetOptions): Promise<Devnet> {
  const devnet = await createDevnet({
    rhythm: 'manual',
    gasLimit: 100_000_000_000n,
    hardfork: 'prague',
    ...options,
  })
  devnets.push(devnet)
  await devnet.request({ method: 'anvil_setCode', params: [LOOPER, LOOP] })
  return devnet
}

const request = (method: string, params: readonly unknown[], id: number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

async function answer(devnet: Devnet, message: unknown) {
  return JSON.parse((await devnet.respond(JSON.stringify(message)))!)
}

const TIMED_OUT = {
  code: -32002,
  message:
    'request timed out: it was not finished within 30 ms and was stopped; request less, or raise the limit (option requestTimeoutMs, --request-timeout; 0: none)',
}

describe('a request that takes longer than requestTimeoutMs', () => {
  it.each<[string, readonly unknown[]]>([
    ['eth_call', [CALL]],
    ['eth_estimateGas', [CALL]],
    ['eth_createAccessList', [CALL]],
    ['debug_traceCall', [CALL, 'latest', { tracer: 'callTracer' }]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [CALL] }] }]],
    ['eth_sendTransaction', [{ to: LOOPER }]],
  ])('is ended with an error that names the limit (%s)', async (method, params) => {
    const devnet = await devnetWith({ requestTimeoutMs: 30 })
    expect(await answer(devnet, request(method, params))).toEqual({ jsonrpc: '2.0', id: 1, error: TIMED_OUT })
  })

  it.each([
    ['hardhat_mine', ['0xf4240']],
    ['evm_mine', [{ blocks: 1_000_000 }]],
    ['evm_mine_detailed', [{ blocks: 1_000_000 }]],
  ])('says how many blocks %s has mined, which stay, and mines no more', async (method, params) => {
    const devnet = await devnetWith({ requestTimeoutMs: 30 })
    const { error } = await answer(devnet, request(method, params))
    const [, blocks] = /stopped after (\d+) of 1000000 blocks; request less/.exec(error.message)!
    expect(Number(blocks)).toBeGreaterThan(0)
    expect(error.code).toBe(-32002)
    for (let i = 0; i < 50; i++) await turn()
    expect(Number(await devnet.request({ method: 'eth_blockNumber' }))).toBe(Number(blocks))
  })

  it('does not go on working', async () => {
    const devnet = await devnetWith({ requestTimeoutMs: 30 })
    await answer(devnet, request('eth_call', [CALL]))
    const before = process.cpuUsage()
    for (let i = 0; i < 50; i++) await turn()
    const { user } = process.cpuUsage(before)
    // A loop that went on would have used up a slice in each of these turns: two seconds.
    expect(user / 1_000).toBeLessThan(1_000)
  })

  it('is one in process, where there is no limit but that of the test', async () => {
    const devnet = await devnetWith({ requestTimeoutMs: 1 })
    const small = { ...CALL, gas: '0x3d0900' }
    await expect(devnet.request({ method: 'eth_call', params: [small] })).rejects.toMatchObject({
      code: -32003,
    })
  })

  it('ends when the devnet is closed', async () => {
    const devnet = await devnetWith({})
    const answering = answer(devnet, request('eth_call', [CALL]))
    await turn()
    await devnet.close()
    expect((await answering).error).toEqual({ code: 4900, message: 'the devnet is closed' })
  })
})

describe('a call that takes longer than callTimeoutMs', () => {
  const CALL_TIMED_OUT = {
    code: -32002,
    message:
      'call timed out: it was not finished within 30 ms and was stopped; request less, or raise the limit (option callTimeoutMs, --call-timeout; 0: none)',
  }
  const METHODS: [string, readonly unknown[]][] = [
    ['eth_call', [CALL]],
    ['eth_estimateGas', [CALL]],
    ['eth_createAccessList', [CALL]],
    ['debug_traceCall', [CALL, 'latest', { tracer: 'callTracer' }]],
    ['trace_call', [CALL, ['trace']]],
    ['eth_simulateV1', [{ blockStateCalls: [{ calls: [CALL] }] }]],
  ]

  it.each(METHODS)('is ended with an error that names the limit (%s)', async (method, params) => {
    const devnet = await devnetWith({ callTimeoutMs: 30, requestTimeoutMs: 0 })
    expect(await answer(devnet, request(method, params))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: CALL_TIMED_OUT,
    })
    await expect(devnet.request({ method, params } as never)).rejects.toMatchObject(CALL_TIMED_OUT)
  })

  it('is ended with geth’s words in its dialect', async () => {
    for (const [callTimeoutMs, text] of [
      [30, '30ms'],
      [1_500, '1.5s'],
    ] as const) {
      const devnet = await devnetWith({ callTimeoutMs, requestTimeoutMs: 0, dialect: 'geth' })
      expect((await answer(devnet, request('eth_call', [CALL]))).error).toEqual({
        code: -32000,
        message: `execution aborted (timeout = ${text})`,
      })
    }
  })

  it('is ended by the limit of the request if that is earlier', async () => {
    const devnet = await devnetWith({ callTimeoutMs: 10_000, requestTimeoutMs: 30 })
    expect((await answer(devnet, request('eth_call', [CALL]))).error).toEqual(TIMED_OUT)
  })

  it('is not ended where the limit is 0, nor is a transaction', async () => {
    const devnet = await devnetWith({ callTimeoutMs: 0, requestTimeoutMs: 30 })
    expect((await answer(devnet, request('eth_call', [CALL]))).error).toEqual(TIMED_OUT)
    const limited = await devnetWith({ callTimeoutMs: 1 })
    const [from] = (await answer(limited, request('eth_accounts', []))).result
    const sent = await answer(
      limited,
      request('eth_sendTransaction', [{ from, to: LOOPER, gas: '0x989680' }]),
    )
    await limited.mine()
    const receipt = await answer(limited, request('eth_getTransactionReceipt', [sent.result]))
    expect(receipt.result).toMatchObject({ status: '0x0', gasUsed: '0x989680' })
  })
})

describe('a batch that takes longer than requestTimeoutMs', () => {
  it('is answered in full, with what was done in time', async () => {
    const devnet = await devnetWith({ requestTimeoutMs: 100 })
    const answers = await answer(devnet, [
      request('eth_chainId', [], 1),
      ...Array.from({ length: 50 }, (_, i) => request('eth_call', [CALL], i + 2)),
      request('eth_blockNumber', [], 99),
    ])
    expect(answers).toHaveLength(52)
    expect(answers[0]).toMatchObject({ id: 1, result: '0x7a69' })
    for (const { error } of answers.slice(1, 51)) expect(error).toMatchObject({ code: -32002 })
  })
})

describe('while a request takes long', () => {
  it.each<[string, readonly unknown[]]>([
    ['eth_call', [CALL]],
    ['debug_traceCall', [CALL, 'latest', { tracer: 'callTracer' }]],
    ['eth_estimateGas', [CALL]],
  ])('others are answered and ticks are made (%s)', async (method, params) => {
    const devnet = await devnetWith({ rhythm: 'interval', tickMs: 20, requestTimeoutMs: 1_000 })
    let isDone = false
    let asked = 0
    let sealed = 0
    devnet.on('sealed', () => sealed++)
    const long = answer(devnet, request(method, params)).then(() => {
      isDone = true
    })
    while (!isDone) {
      await turn()
      await answer(devnet, request('eth_blockNumber', []))
      asked++
    }
    await long
    // Without pauses there would be one turn, and no tick.
    expect(asked).toBeGreaterThan(1)
    expect(sealed).toBeGreaterThan(0)
  })
})
