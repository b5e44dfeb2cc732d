/** Traces, access lists and storage ranges through a devnet: which moment they are of, and what is refused. */
import { encodeFunctionData, type Hex, keccak256, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import type { Devnet } from '../../src/index.ts'
import { ask, STRANGER, started, ZERO_HASH } from '../support/clients/clients.ts'
import { assemble } from '../support/compilers/assembly.ts'

const CALL = { tracer: 'callTracer' }
const CODE = '0x000000000000000000000000000000000000c0de'

interface Frame {
  type: string
  from: Hex
  to?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  value?: Hex
  error?: string
  revertReason?: string
  calls?: Frame[]
}

const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })
const set = (slot: bigint, value: bigint): Hex =>
  encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [slot, value] })

/** A devnet with a `Store`, deployed in block 1. */
async function stored(): Promise<{ devnet: Devnet; from: Hex; store: Hex }> {
  const devnet = await started({ rhythm: 'manual' })
  const from = devnet.accounts[0]!.address
  const hash = await ask(devnet, 'eth_sendTransaction', { from, data: Store.bytecode, gas: '0x200000' })
  await devnet.mine()
  const { contractAddress } = await ask<{ contractAddress: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
  return { devnet, from, store: contractAddress }
}

async function send(devnet: Devnet, from: Hex, store: Hex, slot: bigint, value: bigint): Promise<Hex> {
  return ask(devnet, 'eth_sendTransaction', { from, to: store, data: set(slot, value), gas: '0x20000' })
}

describe('a trace of a transaction', () => {
  it('runs on what the transactions before it in its block have left', async () => {
    const { devnet, from, store } = await stored()
    const hashes = []
    for (const value of [5n, 6n, 7n]) hashes.push(await send(devnet, from, store, 1n, value))
    await devnet.mine()
    const diffs = []
    for (const hash of hashes) {
      const request = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
      const { pre, post } = await ask<Record<'pre' | 'post', Record<Hex, { storage?: object }>>>(
        devnet,
        'debug_traceTransaction',
        hash,
        request,
      )
      diffs.push([pre[store]?.storage, post[store]?.storage])
    }
    const slot = word(1)
    expect(diffs).toEqual([
      [undefined, { [slot]: word(5) }],
      [{ [slot]: word(5) }, { [slot]: word(6) }],
      [{ [slot]: word(6) }, { [slot]: word(7) }],
    ])
  })

  it('is the same before its block is sealed and after', async () => {
    const { devnet, from, store } = await stored()
    await send(devnet, from, store, 1n, 5n)
    const hash = await send(devnet, from, store, 1n, 6n)
    await devnet.tick()
    expect(await ask(devnet, 'eth_getTransactionByHash', hash)).toMatchObject({ blockHash: null })
    const before = await ask<Frame>(devnet, 'debug_traceTransaction', hash, CALL)
    expect(before).toMatchObject({ type: 'CALL', to: store, input: set(1n, 6n), value: '0x0' })
    await devnet.mine()
    expect(await ask(devnet, 'debug_traceTransaction', hash, CALL)).toEqual(before)
    const { gasUsed } = await ask<{ gasUsed: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
    expect(before.gasUsed).toBe(gasUsed)
  })

  it('stands in that of its block, by number and by hash', async () => {
    const { devnet, from, store } = await stored()
    const hashes = [await send(devnet, from, store, 1n, 5n), await send(devnet, from, store, 2n, 6n)]
    await devnet.mine()
    const expected = []
    for (const txHash of hashes) {
      expected.push({ txHash, result: await ask(devnet, 'debug_traceTransaction', txHash) })
    }
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    expect(await ask(devnet, 'debug_traceBlockByNumber', 'latest')).toEqual(expected)
    expect(await ask(devnet, 'debug_traceBlockByHash', hash)).toEqual(expected)
  })

  it('has the shape of execution-apis without a tracer', async () => {
    const { devnet, from, store } = await stored()
    const hash = await send(devnet, from, store, 1n, 5n)
    await devnet.mine()
    const trace = await ask<{ structLogs: object[] }>(devnet, 'debug_traceTransaction', hash)
    expect(trace).toMatchObject({ gas: expect.any(Number), failed: false, returnValue: '0x' })
    expect(trace.structLogs[0]).toEqual({
      pc: 0,
      op: 'PUSH1',
      gas: expect.any(Number),
      gasCost: 3,
      depth: 1,
      refund: 0,
      stack: [],
    })
    expect(trace.structLogs).toContainEqual(
      expect.objectContaining({ op: 'SSTORE', storage: { [word(1)]: word(5) } }),
    )
  })

  it('of the first block is empty', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const { hash } = await ask<{ hash: string }>(devnet, 'eth_getBlockByNumber', '0x0', false)
    expect(await ask(devnet, 'debug_traceBlockByNumber', '0x0')).toEqual([])
    expect(await ask(devnet, 'debug_traceBlockByHash', hash)).toEqual([])
    expect(await ask(devnet, 'trace_block', '0x0')).toEqual([])
    expect(await ask(devnet, 'trace_replayBlockTransactions', '0x0', ['trace'])).toEqual([])
  })

  it('is refused where there is no such transaction or block', async () => {
    const devnet = await started({ rhythm: 'manual' })
    await expect(ask(devnet, 'debug_traceTransaction', ZERO_HASH)).rejects.toMatchObject({
      code: -32001,
      message: `transaction not found: hash ${ZERO_HASH}`,
    })
    await expect(ask(devnet, 'debug_traceBlockByHash', ZERO_HASH)).rejects.toMatchObject({ code: -32001 })
  })

  it('names the tracers that exist to who asks for another', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const request = { tracer: 'bigramTracer' }
    await expect(ask(devnet, 'debug_traceCall', {}, 'latest', request)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'params[2].tracer: expected one of callTracer, prestateTracer, flatCallTracer, erc7562Tracer, 4byteTracer, noopTracer, soliditySource, muxTracer, an object in JavaScript, or none',
      ),
    })
    await expect(
      ask(devnet, 'debug_traceCall', {}, 'latest', { tracer: 'callTracer', tracerConfig: { withLog: 1 } }),
    ).rejects.toMatchObject({ message: expect.stringContaining('params[2].tracerConfig.withLog') })
    await expect(ask(devnet, 'debug_traceCall', {}, 'latest', { limit: '0x1' })).rejects.toMatchObject({
      message: expect.stringContaining('params[2].limit'),
    })
  })

  it('is refused where the sender cannot pay any more, with what it needs and has', async () => {
    const { devnet, from, store } = await stored()
    const hash = await send(devnet, from, store, 1n, 5n)
    await devnet.tick()
    await ask(devnet, 'anvil_setBalance', from, '0x0')
    await expect(ask(devnet, 'debug_traceTransaction', hash, CALL)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(
        /^transaction 0x.{64} cannot be run again: it needs nonce (\d+) and [1-9]\d+ wei, 0x.{40} has nonce \1 and 0 wei in the state before it$/,
      ),
    })
  })

  it('is refused where it uses other gas than its receipt says, with both, and no guess why', async () => {
    const { devnet, from, store } = await stored()
    const hash = await send(devnet, from, store, 1n, 5n)
    await devnet.tick()
    await ask(devnet, 'anvil_setCode', store, '0x')
    await expect(ask(devnet, 'debug_traceTransaction', hash, CALL)).rejects.toMatchObject({
      code: -32000,
      message: expect.stringMatching(
        /^transaction 0x.{64} cannot be run again: in the state before it, it uses (\d+) gas, its receipt says (?!\1$)\d+$/,
      ),
    })
  })
})

describe('a trace of a call', () => {
  it('tells who called whom, and why it failed', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const overrides = { [CODE]: { code: Reverter.deployedBytecode } }
    const data = encodeFunctionData({ abi: Reverter.abi, functionName: 'revertString' })
    const trace = await ask<Frame>(devnet, 'debug_traceCall', { to: CODE, data }, 'latest', {
      ...CALL,
      stateOverrides: overrides,
    })
    expect(trace).toEqual({
      type: 'CALL',
      from: `0x${'00'.repeat(20)}`,
      to: CODE,
      value: '0x0',
      gas: '0x2faf080',
      gasUsed: expect.any(String),
      input: data,
      output: expect.stringMatching(/^0x08c379a0/),
      error: 'execution reverted',
      revertReason: 'Something went wrong',
    })
  })

  it('sees the block that is overridden', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const code = assemble('NUMBER', 0, 'MSTORE', 32, 0, 'RETURN')
    const trace = await ask<Frame>(devnet, 'debug_traceCall', { to: CODE }, 'latest', {
      ...CALL,
      stateOverrides: { [CODE]: { code: `0x${Buffer.from(code).toString('hex')}` } },
      blockOverrides: { number: '0x99' },
    })
    expect(trace.output).toBe(word(0x99))
  })

  it('is refused under the rules of eth_call', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const payment = { from: STRANGER, to: CODE, value: '0x1' }
    await expect(ask(devnet, 'debug_traceCall', payment, 'latest', CALL)).rejects.toMatchObject({
      code: -32003,
    })
  })

  it('shows accounts that were empty to who asks for them', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const trace = (includeEmpty: boolean) =>
      ask(devnet, 'debug_traceCall', { from: STRANGER, to: CODE }, 'latest', {
        tracer: 'prestateTracer',
        tracerConfig: { includeEmpty },
      })
    expect(await trace(false)).not.toHaveProperty(CODE)
    expect(await trace(true)).toMatchObject({ [CODE]: { balance: '0x0' }, [STRANGER]: { balance: '0x0' } })
  })

  it('may leave out codes and storage', async () => {
    const { devnet, from, store } = await stored()
    const request = { tracer: 'prestateTracer', tracerConfig: { disableCode: true, disableStorage: true } }
    const call = { from, to: store, data: set(1n, 2n) }
    const trace = await ask<Record<Hex, object>>(devnet, 'debug_traceCall', call, 'latest', request)
    expect(trace[store]).toEqual({ balance: '0x0', nonce: 1, codeHash: expect.stringMatching(/^0x.{64}$/) })
  })

  it('is flat by flatCallTracer, with the place of its transaction', async () => {
    const { devnet, from, store } = await stored()
    const hash = await send(devnet, from, store, 1n, 5n)
    await devnet.mine()
    const { blockHash } = await ask<{ blockHash: Hex }>(devnet, 'eth_getTransactionReceipt', hash)
    const request = { tracer: 'flatCallTracer' }
    const [frame] = await ask<object[]>(devnet, 'debug_traceTransaction', hash, request)
    expect(frame).toMatchObject({
      type: 'call',
      action: { callType: 'call', from: from.toLowerCase(), to: store, input: set(1n, 5n), value: '0x0' },
      subtraces: 0,
      traceAddress: [],
      blockHash,
      transactionHash: hash,
      transactionPosition: 0,
    })
    const call = { from, to: store, data: set(1n, 5n) }
    const [called] = await ask<object[]>(devnet, 'debug_traceCall', call, 'latest', request)
    expect(called).toMatchObject({ blockHash: null, blockNumber: 0, transactionHash: null })
  })

  it('has the traces of several tracers by muxTracer, each as that tracer alone answers', async () => {
    const { devnet, from, store } = await stored()
    const hash = await send(devnet, from, store, 1n, 5n)
    await devnet.mine()
    const tracers = {
      callTracer: { withLog: true },
      prestateTracer: { diffMode: true },
      flatCallTracer: null,
      '4byteTracer': {},
    }
    const expected: Record<string, unknown> = {}
    for (const [tracer, tracerConfig] of Object.entries(tracers))
      expected[tracer] = await ask(devnet, 'debug_traceTransaction', hash, { tracer, tracerConfig })
    const request = { tracer: 'muxTracer', tracerConfig: tracers }
    expect(await ask(devnet, 'debug_traceTransaction', hash, request)).toEqual(expected)
    await expect(
      ask(devnet, 'debug_traceTransaction', hash, {
        tracer: 'muxTracer',
        tracerConfig: { bigramTracer: {} },
      }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('bigramTracer') })
  })

  it('of the noop tracer is nothing', async () => {
    const devnet = await started({ rhythm: 'manual' })
    expect(await ask(devnet, 'debug_traceCall', {}, 'latest', { tracer: 'noopTracer' })).toEqual({})
  })
})

describe('eth_createAccessList', () => {
  it('names the slots of the destination, and not the destination alone', async () => {
    const { devnet, from, store } = await stored()
    const call = { from, to: store, data: set(7n, 1n) }
    const made = await ask<{ accessList: object[]; gasUsed: Hex }>(devnet, 'eth_createAccessList', call)
    expect(made.accessList).toEqual([{ address: store, storageKeys: [word(7)] }])
    // It is what the call costs with the list: nobody has to run it again to know.
    const { gasUsed } = await ask<Frame>(
      devnet,
      'debug_traceCall',
      { ...call, accessList: made.accessList },
      'latest',
      CALL,
    )
    expect(made.gasUsed).toBe(gasUsed)
    expect(await ask(devnet, 'eth_createAccessList', { from, to: STRANGER })).toEqual({
      accessList: [],
      gasUsed: '0x5208',
    })
  })

  it('names others that are called, but no precompile and not the coinbase', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const touching = assemble(
      ...(['COINBASE', 'BALANCE', 'CALLER', 'BALANCE', STRANGER, 'BALANCE'] as const),
      ...([0, 0, 0, 0, 2, 5000, 'STATICCALL'] as const),
    )
    const overrides = { [CODE]: { code: `0x${Buffer.from(touching).toString('hex')}` } }
    const made = await ask(devnet, 'eth_createAccessList', { to: CODE }, 'latest', overrides)
    expect(made).toMatchObject({ accessList: [{ address: STRANGER, storageKeys: [] }] })
    expect(made).not.toHaveProperty('error')
  })

  it('keeps what was named, and says beside it that the call fails', async () => {
    const devnet = await started({ rhythm: 'manual' })
    const code = assemble(3, 'SLOAD', 0, 0, 'REVERT')
    const overrides = { [CODE]: { code: `0x${Buffer.from(code).toString('hex')}` } }
    const named = { address: STRANGER, storageKeys: [word(1)] }
    const call = { to: CODE, accessList: [named] }
    expect(await ask(devnet, 'eth_createAccessList', call, 'latest', overrides)).toMatchObject({
      accessList: [named, { address: CODE, storageKeys: [word(3)] }],
      error: 'execution reverted',
    })
  })
})

describe('debug_storageRangeAt', () => {
  it('lists slots in the order of their hashes, as they were before a transaction', async () => {
    const { devnet, from, store } = await stored()
    for (const slot of [1n, 2n, 3n]) await send(devnet, from, store, slot, slot * 10n)
    await devnet.mine()
    const { hash } = await ask<{ hash: Hex }>(devnet, 'eth_getBlockByNumber', 'latest', false)
    const range = (index: number, start: Hex, limit: number) =>
      ask<{ storage: Record<Hex, object>; nextKey: Hex | null }>(
        devnet,
        'debug_storageRangeAt',
        hash,
        index,
        store,
        start,
        limit,
      )
    const entry = (slot: number): [Hex, object] => [
      keccak256(word(slot)),
      { key: word(slot), value: word(slot * 10) },
    ]
    const two = [entry(1), entry(2)].sort(([a], [b]) => (a < b ? -1 : 1))
    expect(await range(0, '0x', 10)).toEqual({ storage: {}, nextKey: null })
    expect(await range(2, '0x', 10)).toEqual({ storage: Object.fromEntries(two), nextKey: null })
    expect(await range(2, '0x', 1)).toEqual({
      storage: Object.fromEntries(two.slice(0, 1)),
      nextKey: two[1]![0],
    })
    expect(await range(2, two[1]![0], 1)).toEqual({
      storage: Object.fromEntries(two.slice(1)),
      nextKey: null,
    })
    await expect(range(3, '0x', 1)).rejects.toMatchObject({
      message: 'transaction index 3 out of range: the block has 3 transactions',
    })
  })
})
