/** Where in Solidity code failed, in the errors of a devnet that knows what its contracts were compiled from. */
import type { Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import {
  type DevnetOptions,
  frameText,
  ProviderRpcError,
  Reverted,
  type SolidityStackTrace,
  type SourcePosition,
} from '../../src/index.ts'
import { ask, STRANGER, started } from '../support/clients/clients.ts'
import { artifactOf, bankRun, creationOf, frameAt, openBank } from '../support/compilers/bank.ts'
import { framesOf, rejection, solidityLines } from '../support/compilers/stackTraces.ts'

const TOO_POOR = [
  frameAt('Token.requireFunds', 'contracts/Token.sol', 'if (has < needs)', 'TooPoor('),
  frameAt('Token._spend', 'contracts/Token.sol', 'Checks.requireFunds'),
  frameAt('Token.transfer', 'contracts/Token.sol', '_spend(msg.sender'),
]
const BY_BANK = [...TOO_POOR, frameAt('Bank.pay', 'contracts/Bank.sol', 'token.transfer(to')]

async function bankAt(options: DevnetOptions = {}) {
  const devnet = await started({ rhythm: 'manual', ...options })
  devnet.artifacts.add(bankRun())
  return { devnet, ...(await openBank(devnet)) }
}

interface TracedCall {
  readonly to: string
  readonly source: SourcePosition
  readonly calls: readonly TracedCall[]
}

function textAt(name: string, { file, line, column }: SourcePosition): string {
  return `${name} (${file}:${line}:${column})`
}

/** What `preseal_explain` and JSON-RPC errors call a stack trace. */
interface Explained {
  readonly stackTrace: SolidityStackTrace
}

describe('an error has the Solidity frames above those of JavaScript', () => {
  it.each(['wasm', 'ethereumjs'] as const)(
    'of a transaction that was not sent, and of one that was (%s)',
    async (engine) => {
      const { devnet, bank } = await bankAt({ engine })
      const pay = { ...bank, functionName: 'pay', args: [STRANGER, 5n] }
      for (const fields of [{}, { gas: 300_000n }, { gas: 300_000n, until: 'preconfirmed' as const }]) {
        const error = await rejection(async () => await devnet.write({ ...pay, ...fields }))
        expect(error).toBeInstanceOf(Reverted)
        expect(error.message).toMatch(/^pay reverted: TooPoor\(account: 0x\w{40}, has: 0, needs: 5\)$/)
        expect(error.stack).toMatch(/^Reverted: pay reverted: TooPoor\(.*\)\n {4}at Token\.requireFunds \(/)
        expect(solidityLines(error)).toEqual(BY_BANK)
        expect(framesOf(error)[BY_BANK.length]).toContain('solidityStacks.test.ts')
      }
    },
  )

  it('of a read, of a request, and of one through the provider', async () => {
    const { devnet, bank } = await bankAt()
    const asks = { ...bank, functionName: 'ask', args: [bank.address] }
    const frames = [
      frameAt('Bank.<unknown>', 'contracts/Bank.sol', 'contract Bank'),
      frameAt('Bank.ask', 'contracts/Bank.sol', 'return Token(whom)', 'Token('),
    ]
    const read = await rejection(async () => await devnet.read(asks))
    expect(solidityLines(read)).toEqual(frames)
    const data = `0xa24835d1${'00'.repeat(12)}${bank.address.slice(2)}`
    for (const request of [devnet.request.bind(devnet), devnet.provider.request.bind(devnet.provider)]) {
      const error = await rejection(
        async () => await request({ method: 'eth_call', params: [{ to: bank.address, data }] }),
      )
      expect(error).toBeInstanceOf(ProviderRpcError)
      expect(error.message).toBe('execution reverted')
      expect(error.stack).toMatch(
        /^ProviderRpcError: execution reverted: the contract has no function .*\n {4}at Bank/,
      )
      expect(solidityLines(error).at(-1)).toMatch(/^Bank\./)
    }
  })

  it('of deployments: by a transaction, and by a contract', async () => {
    const { devnet, bank } = await bankAt()
    const created = frameAt('Token.constructor', 'contracts/Token.sol', 'require(supply')
    const deploying = await rejection(async () => await devnet.deploy(artifactOf('Token'), { args: [0n] }))
    expect(deploying.message).toBe('deploy reverted: nothing to own')
    expect(solidityLines(deploying)).toEqual([created])
    const opening = await rejection(
      async () => await devnet.write({ ...bank, functionName: 'open', args: [0n] }),
    )
    expect(solidityLines(opening)).toEqual([
      created,
      frameAt('Bank.open', 'contracts/Bank.sol', 'return new Token', 'new Token'),
    ])
  })

  it('of modifiers, of panics, and of code behind a proxy', async () => {
    const { devnet, token, proxy } = await bankAt()
    const burn = { ...token, functionName: 'burnAll' }
    const [owner, other] = devnet.accounts.map(({ address }) => address)
    const foreign = await rejection(async () => await devnet.write({ ...burn, args: [owner], from: other! }))
    expect(solidityLines(foreign)[0]).toBe(
      frameAt('Token.onlyOwner', 'contracts/Token.sol', 'require(msg.sender'),
    )
    const panic = await rejection(async () => await devnet.write({ ...burn, args: [owner] }))
    expect(panic.message).toBe('burnAll reverted: arithmetic underflow or overflow')
    expect(solidityLines(panic)).toEqual([
      frameAt('Token.burnAll', 'contracts/Token.sol', 'total -= balances'),
    ])
    const behind = await rejection(
      async () => await devnet.write({ ...proxy, functionName: 'transfer', args: [STRANGER, 5n] }),
    )
    expect(solidityLines(behind)).toEqual([
      ...TOO_POOR,
      frameAt('Proxy.<fallback>', 'contracts/Proxy.sol', 'let success', 'delegatecall'),
    ])
  })

  it('of code that runs out of gas', async () => {
    const { devnet, token } = await bankAt({ gasLimit: 2_000_000 })
    const loop = { ...token, functionName: 'loop' }
    const error = await rejection(async () => await devnet.write({ ...loop, gas: 100_000n }))
    expect(error.message).toBe('loop failed: out of gas')
    expect(solidityLines(error)).toEqual([
      frameAt('Token.loop', 'contracts/Token.sol', 'while (true)', 'total++'),
    ])
    const estimated = await rejection(async () => await devnet.write(loop))
    expect(estimated.message).toMatch(/^gas required exceeds allowance/)
    expect(solidityLines(estimated)).toHaveLength(1)
  })

  it('in the state and the block that the request names, with its overrides', async () => {
    const { devnet, token } = await bankAt()
    await devnet.write({ ...token, functionName: 'transfer', args: [STRANGER, 100n] })
    const number = Number(await ask(devnet, 'eth_blockNumber'))
    const from = devnet.accounts[0]!.address
    const data = `0xa9059cbb${STRANGER.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
    const call = (...more: unknown[]) => ask(devnet, 'eth_call', { from, to: token.address, data }, ...more)
    expect(solidityLines(await rejection(() => call('latest')))).toEqual(TOO_POOR)
    expect(await call(`0x${(number - 1).toString(16)}`)).toBe('0x')
    const elsewhere = { [STRANGER]: { code: '0x5f5ffd' } }
    expect(solidityLines(await rejection(() => call('latest', elsewhere)))).toEqual(TOO_POOR)
    const empty = { [token.address]: { code: '0xfe' } }
    expect(solidityLines(await rejection(() => call('latest', empty)))).toEqual([])
  })
})

describe('the typed member', () => {
  it('has kind, words and frames; JSON-RPC answers and preseal_explain have the same', async () => {
    const { devnet, token } = await bankAt()
    const burn = { ...token, functionName: 'burnAll', args: [devnet.accounts[0]!.address], gas: 100_000n }
    const error = (await rejection(async () => await devnet.write(burn))) as Reverted
    const [text] = solidityLines(error)
    const [, file, line, column] = /\((.*):(\d+):(\d+)\)$/.exec(text!)!
    const stackTrace: SolidityStackTrace = {
      kind: 'panic',
      message: 'panic 0x11: arithmetic underflow or overflow',
      frames: [
        {
          contract: 'Token',
          function: 'burnAll',
          isModifier: false,
          position: { file: file!, line: Number(line), column: Number(column) },
          file: file!,
          address: token.address.toLowerCase(),
        },
      ],
    }
    expect(error.solidityStack).toEqual(stackTrace)
    expect(await ask<Explained>(devnet, 'preseal_explain', error.hash)).toMatchObject({
      status: 'sealed',
      failure: 'execution reverted: arithmetic underflow or overflow',
      stackTrace,
    })
  })

  it('is absent where nothing is known of the code, and the error is what it is', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { bank } = await openBank(devnet)
    const error = await rejection(
      async () => await devnet.write({ ...bank, functionName: 'pay', args: [STRANGER, 5n] }),
    )
    expect(error).not.toHaveProperty('solidityStack')
    expect(solidityLines(error)).toEqual([])
  })
})

describe('results that tell of failures', () => {
  it('have the stack trace: calls of eth_simulateV1 on the state that others left, and eth_createAccessList', async () => {
    const { devnet, token } = await bankAt()
    const from = devnet.accounts[0]!.address
    const transfer = (amount: number) => {
      const input = `0xa9059cbb${STRANGER.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
      return { from, to: token.address, input }
    }
    const blocks = { blockStateCalls: [{ calls: [transfer(60), transfer(60)] }, { calls: [transfer(41)] }] }
    const [first, second] = await ask<{ calls: { error?: Explained }[] }[]>(devnet, 'eth_simulateV1', blocks)
    const failures = [...first!.calls, ...second!.calls].map(({ error }) => error?.stackTrace)
    expect(failures.map((each) => each?.message)).toEqual([
      undefined,
      expect.stringMatching(/has: 40, needs: 60\)$/),
      expect.stringMatching(/has: 40, needs: 41\)$/),
    ])
    expect(failures[1]!.frames.map(frameText)).toEqual(TOO_POOR)
    const list = await ask<Explained>(devnet, 'eth_createAccessList', transfer(101))
    expect(list.stackTrace.frames.map(frameText)).toEqual(TOO_POOR)
    expect(await ask(devnet, 'eth_createAccessList', transfer(1))).not.toHaveProperty('stackTrace')
  })

  it.each(['wasm', 'ethereumjs'] as const)(
    'of callTracer say where each call was made, if that is asked for (%s)',
    async (engine) => {
      const { devnet, bank, token } = await bankAt({ engine })
      const data = `0xc4076876${STRANGER.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
      const { hash } = await devnet.send({
        to: bank.address,
        data: data as Hex,
        gas: 200_000n,
        until: 'accepted',
      })
      await devnet.mine()
      const trace = (tracerConfig: object) =>
        ask<TracedCall>(devnet, 'debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig })
      const { source, calls } = await trace({ withSource: true })
      expect(textAt('Bank.pay', source)).toBe(frameAt('Bank.pay', 'contracts/Bank.sol', 'function pay('))
      expect(calls[0]!.to).toBe(token.address.toLowerCase())
      expect(textAt('Bank.pay', calls[0]!.source)).toBe(BY_BANK.at(-1))
      expect(JSON.stringify(await trace({}))).not.toContain('source')
      const creation = { data: creationOf('Bank') + '00'.repeat(32) }
      const created = await ask<TracedCall>(devnet, 'debug_traceCall', creation, 'latest', {
        tracer: 'callTracer',
        tracerConfig: { withSource: true },
      })
      expect(textAt('Bank', created.source)).toBe(frameAt('Bank', 'contracts/Bank.sol', 'constructor(Token'))
    },
  )
})

describe('a fork of a network', () => {
  it('fetches what the run that is watched needs', async () => {
    const { devnet: network, bank } = await bankAt()
    const { url } = await network.listen({ port: 0 })
    const devnet = await started({ fork: { url, cache: false }, rhythm: 'manual' })
    devnet.artifacts.add(bankRun())
    const pay = { ...bank, functionName: 'pay', args: [STRANGER, 5n] }
    for (const fields of [{}, { gas: 300_000n }]) {
      const error = await rejection(async () => await devnet.write({ ...pay, ...fields }))
      expect(solidityLines(error)).toEqual(BY_BANK)
    }
  })
})

describe('a defect in what looks for frames', () => {
  it('is told, and the error is what it is without them', async () => {
    const { devnet, bank } = await bankAt()
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    await devnet.artifacts.load()
    vi.spyOn(devnet.artifacts.known!, 'find').mockImplementation(() => {
      throw new RangeError('lost')
    })
    const error = await rejection(
      async () => await devnet.write({ ...bank, functionName: 'pay', args: [STRANGER, 5n] }),
    )
    expect(error.message).toMatch(/^pay reverted: TooPoor/)
    expect(told).not.toHaveBeenCalled()
    expect(solidityLines(error)).toEqual([])
    expect(told).toHaveBeenCalledWith(
      expect.stringContaining('a Solidity stack trace failed'),
      expect.any(RangeError),
    )
    told.mockRestore()
  })
})
