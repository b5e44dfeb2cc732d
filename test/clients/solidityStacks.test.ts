/** What clients see of where Solidity failed: viem over each way, ethers, and plain JSON-RPC. All else of their errors is as without. */
import { BrowserProvider, Contract, isError, JsonRpcProvider } from 'ethers'
import {
  type BaseError,
  ContractFunctionRevertedError,
  createClient,
  custom,
  ExecutionRevertedError,
  http,
  publicActions,
  type Transport,
  walletActions,
} from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type Devnet,
  type DevnetOptions,
  frameText,
  replay,
  type SolidityStackTrace,
} from '../../src/index.ts'
import { assertThat } from '../../src/testing/index.ts'
import { devnetChain, STRANGER, started } from '../support/clients/clients.ts'
import { bankRun, openBank } from '../support/compilers/bank.ts'
import { framesOf, rejection, solidityLines } from '../support/compilers/stackTraces.ts'

/** The outermost function that failed and the file, over each way. */
const PAY = /^Bank\.pay \(contracts\/Bank\.sol:\d+:\d+\)$/

async function bankAt(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  const bank = await openBank(devnet)
  return { devnet, ...bank, learn: () => devnet.artifacts.add(bankRun()) }
}

function viemAt(devnet: Devnet, transport: Transport) {
  return createClient({ account: devnet.accounts[0]!.address, chain: devnetChain, transport, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

/** What of viem's error must not depend on whether artifacts are known. */
function shapeOf(error: Error) {
  const whole = error as BaseError
  const reverted = whole.walk((one) => one instanceof ContractFunctionRevertedError)
  const executed = whole.walk((one) => one instanceof ExecutionRevertedError)
  return {
    name: error.name,
    shortMessage: whole.shortMessage,
    reverted: (reverted as ContractFunctionRevertedError | null)?.data,
    executed: executed !== null,
  }
}

describe.each(['base', 'geth'] as const)('viem in the dialect %s', (dialect) => {
  it('through transport() has the frames in its outermost error, which is what it was', async () => {
    const { devnet, bank, learn } = await bankAt({ dialect })
    const client = viemAt(devnet, devnet.transport())
    const pay = { ...bank, functionName: 'pay', args: [STRANGER, 5n] } as const
    const data = '0x12345678'
    const calls = [
      async () => await client.writeContract(pay),
      async () => await client.simulateContract(pay),
      async () => await client.readContract({ ...bank, functionName: 'ask', args: [STRANGER] }),
      async () => await client.call({ to: bank.address, data }),
      async () => await client.estimateGas({ to: bank.address, data }),
      async () => await client.sendTransaction({ to: bank.address, data }),
    ]
    const plain = []
    for (const call of calls) plain.push(await rejection(call))
    learn()
    for (const [i, call] of calls.entries()) {
      const error = await rejection(call)
      expect(solidityLines(plain[i]!)).toEqual([])
      expect(solidityLines(error).at(-1), String(call)).toMatch(/^Bank\./)
      expect(framesOf(error).join(), String(call)).toContain('solidityStacks.test.ts')
      expect(shapeOf(error), String(call)).toEqual(shapeOf(plain[i]!))
    }
  })

  it.each(['custom', 'http'] as const)('over %s decodes errors as without', async (way) => {
    const { devnet, bank, learn } = await bankAt({ dialect })
    const { url } = await devnet.listen({ port: 0 })
    const transport = way === 'http' ? http(url) : custom(devnet.provider, { retryCount: 0 })
    const client = viemAt(devnet, transport)
    const pay = async () =>
      await client.writeContract({ ...bank, functionName: 'pay', args: [STRANGER, 5n] } as never)
    const plain = await rejection(pay)
    learn()
    const error = await rejection(pay)
    expect(shapeOf(error)).toEqual(shapeOf(plain))
    expect(error.message).toBe(plain.message)
    const asserted = await rejection(async () => await assertThat(pay).not.toRevert())
    expect(solidityLines(asserted).at(-1)).toMatch(PAY)
  })
})

describe('ethers', () => {
  it.each(['browser', 'port'] as const)(
    'has the same errors, and matchers have the frames (%s)',
    async (way) => {
      const { devnet, bank, learn } = await bankAt()
      const { url } = await devnet.listen({ port: 0 })
      // Answers are not kept: the same is asked before and after artifacts are known.
      const options = { cacheTimeout: -1 }
      const provider =
        way === 'port'
          ? new JsonRpcProvider(url, undefined, options)
          : new BrowserProvider(devnet.provider, undefined, options)
      onTestFinished(() => provider.destroy())
      const contract = new Contract(bank.address, bank.abi as never, await provider.getSigner())
      const pay = () => contract.getFunction('pay')(STRANGER, 5n)
      const asks = () => contract.getFunction('pay').staticCall(STRANGER, 5n)
      const calls = [pay, asks]
      const plain = [await rejection(pay), await rejection(asks)]
      learn()
      for (const [i, call] of calls.entries()) {
        const error = await rejection(call)
        if (!isError(error, 'CALL_EXCEPTION')) throw error
        // Of a transaction over a port ethers keeps the whole of the JSON-RPC error.
        const { stackTrace } = (error.info?.error ?? {}) as { stackTrace?: SolidityStackTrace }
        const isKept = way === 'port' && call === pay
        expect(stackTrace && frameText(stackTrace.frames.at(-1)!)).toEqual(
          isKept ? expect.stringMatching(PAY) : undefined,
        )
        expect(error.message).toBe(plain[i]!.message)
        const asserted = await rejection(async () => await assertThat(call()).not.toRevert({ devnet }))
        expect(solidityLines(asserted).at(-1)).toMatch(PAY)
      }
    },
  )
})

describe('JSON-RPC', () => {
  interface Refusal {
    readonly error: {
      readonly code: number
      readonly message: string
      readonly data: string
      readonly stackTrace?: SolidityStackTrace
    }
  }

  async function refusal(url: string, to: string): Promise<Refusal['error']> {
    const params = [{ to, data: '0x12345678' }, 'latest']
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return ((await response.json()) as Refusal).error
  }

  it('has stackTrace beside data, which is as without', async () => {
    const { devnet, bank, learn } = await bankAt()
    const { url } = await devnet.listen({ port: 0 })
    const plain = await refusal(url, bank.address)
    expect(plain).toEqual({ code: -32000, message: 'execution reverted', data: '0x' })
    learn()
    const { stackTrace, ...rest } = await refusal(url, bank.address)
    expect(rest).toEqual(plain)
    expect(stackTrace).toMatchObject({
      kind: 'unrecognizedFunctionWithoutFallback',
      message: expect.stringContaining('0x12345678'),
      frames: [{ contract: 'Bank', position: { file: 'contracts/Bank.sol' } }],
    })
  })

  it('has none in strict mode, whose errors are those of the seed', async () => {
    const { devnet, bank, learn } = await bankAt({ strict: true })
    learn()
    const { url } = await devnet.listen({ port: 0 })
    const error = { code: -32000, message: 'execution reverted', data: '0x' }
    expect(await refusal(url, bank.address)).toEqual(error)
  })

  it('is in recordings, which are compared without it where nothing is known of the code', async () => {
    const { devnet, bank, learn } = await bankAt()
    learn()
    const recording = await devnet.record()
    const call = { to: bank.address, data: '0x12345678' } as const
    const error = await rejection(async () => await devnet.request({ method: 'eth_call', params: [call] }))
    expect(solidityLines(error)).toHaveLength(1)
    await devnet.request({ method: 'eth_createAccessList', params: [call] })
    const blocks = { blockStateCalls: [{ calls: [{ to: bank.address, input: '0x12345678' }] }] }
    await devnet.request({ method: 'eth_simulateV1', params: [blocks] })
    const { hash } = await devnet.send({ ...call, gas: 100_000n, until: 'accepted' })
    await devnet.mine()
    await devnet.request({ method: 'preseal_explain', params: [hash] })
    expect(recording.text.match(/"stackTrace"/g)).toHaveLength(3)
    expect((await replay(recording.text)).difference).toBeUndefined()
  })
})
