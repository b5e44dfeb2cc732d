import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Address, toHex, toWord } from '../../src/bytes/hex.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { AccountChange } from '../../src/state/state.ts'
import { twinDevnets } from '../support/chains/forkedDevnets.ts'
import { assemble } from '../support/compilers/assembly.ts'

/** Returns the balance of the caller's slot at any call, and adds one to it where it is sent as a transaction. */
const COUNTER: Address = `0x${'c0'.repeat(20)}`
const NOBODY: Address = `0x${'ab'.repeat(20)}`
const RICH: Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const counter: AccountChange = {
  address: COUNTER,
  nonce: 1n,
  balance: 5n,
  // slot[calldata] + 1 is stored, logged and returned.
  code: assemble(
    ...([1, 0, 'CALLDATALOAD', 'SLOAD', 'ADD', 'DUP1', 0, 'CALLDATALOAD', 'SSTORE'] as const),
    ...([0, 'MSTORE', 32, 0, 'LOG0', 32, 0, 'RETURN'] as const),
  ),
  storage: [
    [3n, 100n],
    [4n, 200n],
  ],
}

const devnets: Devnet[] = []
afterEach(async () => {
  for (const devnet of devnets.splice(0)) await devnet.close()
})

async function twins() {
  const both = await twinDevnets({ systemContracts: true }, [counter])
  devnets.push(both.here, both.there)
  return both
}

/** Asks a devnet; an error comes as its code and message. */
async function ask(devnet: Devnet, method: string, ...params: unknown[]): Promise<unknown> {
  try {
    return await devnet.request({ method, params } as never)
  } catch (error) {
    const { code, message } = error as { code: number; message: string }
    return { code, message }
  }
}

const word = (value: bigint) => toHex(toWord(value))
const call = { from: RICH, to: COUNTER, data: word(3n) }

describe('a request for what was not fetched', () => {
  it.each<[method: string, ...params: unknown[]]>([
    ['eth_getBalance', COUNTER, 'latest'],
    ['eth_getCode', COUNTER, 'latest'],
    ['eth_getTransactionCount', RICH, 'pending'],
    ['eth_getStorageAt', COUNTER, '0x3', 'latest'],
    ['eth_getBalance', NOBODY, 'latest'],
    ['eth_call', call, 'latest'],
    ['eth_call', call, 'latest', { [COUNTER]: { stateDiff: { [word(3n)]: word(7n) } } }],
    ['eth_call', call, 'latest', { [COUNTER]: { state: { [word(4n)]: word(7n) } } }],
    ['eth_estimateGas', call],
    ['eth_estimateGas', { from: RICH, to: NOBODY, value: '0x1' }],
    ['eth_createAccessList', call, 'latest'],
    ['debug_traceCall', call, 'latest', {}],
    ['debug_traceCall', call, 'latest', { tracer: 'prestateTracer' }],
    ['debug_traceCall', call, 'latest', { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
    ['debug_traceCall', call, 'latest', { tracer: 'callTracer' }],
    ['trace_call', call, ['trace', 'stateDiff'], 'latest'],
    [
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [call, { ...call, data: word(4n) }] }], traceTransfers: true },
      'latest',
    ],
  ])('is answered as with everything in memory: %s', async (...request) => {
    const { here, there } = await twins()
    // Hashes of simulated blocks have a state root in them, which is a stand-in there.
    const rooted = /"(hash|parentHash|stateRoot|blockHash)":"0x[0-9a-f]*"/g
    const plain = (answer: unknown) => JSON.parse(JSON.stringify(answer).replace(rooted, '"$1":""'))
    expect(plain(await ask(there, ...request))).toEqual(plain(await ask(here, ...request)))
  })

  it('takes one round for an account or a slot', async () => {
    const { there, remote } = await twins()
    await ask(there, 'eth_getStorageAt', COUNTER, '0x3', 'latest')
    await ask(there, 'eth_getBalance', COUNTER, 'latest')
    await ask(there, 'eth_getBalance', NOBODY, 'latest')
    expect(remote.questions).toHaveLength(2)
  })

  it('that cannot be fetched is one error, and the devnet goes on', async () => {
    const { there, remote } = await twins()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    remote.beforeAnswer = () => {
      throw new Error('no network')
    }
    expect(await ask(there, 'eth_getBalance', COUNTER, 'latest')).toMatchObject({ code: expect.any(Number) })
    expect(await ask(there, 'eth_call', call, 'latest')).toMatchObject({ code: expect.any(Number) })
    remote.beforeAnswer = () => {}
    expect(await ask(there, 'eth_getBalance', COUNTER, 'latest')).toBe('0x5')
    expect(await ask(there, 'eth_call', call, 'latest')).toBe(word(101n))
    printed.mockRestore()
  })
})

describe('what a state on a remote one cannot have', () => {
  it.each<[method: string, ...params: unknown[]]>([
    ['eth_getProof', COUNTER, [], 'latest'],
    ['eth_getAccount', COUNTER, 'latest'],
  ])('is said by the error of %s', async (...request) => {
    const { there } = await twins()
    const answer = await ask(there, ...request)
    expect(answer).toMatchObject({ message: expect.stringContaining('forked from a network') })
  })
})

describe('transactions', () => {
  it('leave the same receipts, traces and state as with everything in memory', async () => {
    const { here, there } = await twins()
    const results = await Promise.all(
      [here, there].map(async (devnet) => {
        const hash = await ask(devnet, 'eth_sendTransaction', { ...call, gas: '0x20000' })
        await ask(devnet, 'evm_mine')
        const receipt = (await ask(devnet, 'eth_getTransactionReceipt', hash)) as Record<string, unknown>
        return {
          hash,
          receipt: {
            ...receipt,
            blockHash: '',
            logs: JSON.stringify(receipt.logs).replace(/"blockHash":"0x[0-9a-f]*"/g, ''),
          },
          trace: await ask(devnet, 'debug_traceTransaction', hash, { tracer: 'prestateTracer' }),
          slots: [await ask(devnet, 'eth_getStorageAt', COUNTER, '0x3', 'latest')],
        }
      }),
    )
    expect(results[1]).toEqual(results[0])
    expect(results[0]!.slots).toEqual([word(101n)])
  })

  it('go on in a fork of the devnet, whose state reads from the same place', async () => {
    const { there, remote } = await twins()
    await ask(there, 'eth_call', call, 'latest')
    const fork = await there.fork()
    devnets.push(fork)
    const before = remote.questions.length
    expect(await ask(fork, 'eth_call', call, 'latest')).toBe(word(101n))
    expect(remote.questions).toHaveLength(before)
    expect(await ask(fork, 'eth_getStorageAt', COUNTER, '0x4', 'latest')).toBe(word(200n))
  })
})
