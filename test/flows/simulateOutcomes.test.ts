/** How the calls of eth_simulateV1 end: gas, logs, reverts and halts, and precompiles that were moved. */
import { encodeDeployData, encodeFunctionData, getContractAddress, type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { Reverter } from '../../fixtures/contracts/Reverter.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { toHex } from '../../src/bytes/hex.ts'
import { buy, openShop, SHOP } from '../support/chains/shop.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { answering, assemble } from '../support/compilers/assembly.ts'
import { CODE, manual, OTHER, resultsOf } from '../support/engines/simulatedCalls.ts'
import { simulate } from '../support/engines/simulation.ts'

const word = (value: bigint | number): Hex => numberToHex(value, { size: 32 })

describe('what came of a simulated call', () => {
  it('is the contract that it creates, which is there for the next', async () => {
    const { devnet, from } = await manual()
    const input = encodeDeployData({ abi: Store.abi, bytecode: Store.bytecode })
    const store = getContractAddress({ from, nonce: 0n })
    const get = encodeFunctionData({ abi: Store.abi, functionName: 'get', args: [1n] })
    const set = encodeFunctionData({ abi: Store.abi, functionName: 'set', args: [1n, 8n] })
    const results = await resultsOf(devnet, [
      { from, input },
      { from, to: store, input: set },
      { from, to: store, input: get },
    ])
    expect(results.map(({ returnData }) => returnData)).toEqual([Store.deployedBytecode, '0x', word(8)])
  })

  it('are its logs, with the hash of a block that they are in', async () => {
    const { devnet, from } = await manual()
    const code = toHex(assemble(7, 0, 'MSTORE', 9, 32, 0, 'LOG1', 0, 0, 'LOG0'))
    const [block] = await simulate(devnet, [
      {
        stateOverrides: { [CODE]: { code } },
        calls: [
          { from, to: CODE },
          { from, to: CODE },
        ],
      },
    ])
    const place = (index: number) => ({
      address: CODE,
      blockHash: block!.hash,
      blockNumber: block!.number,
      blockTimestamp: block!.timestamp,
      transactionHash: block!.transactions[index],
      transactionIndex: numberToHex(index),
      removed: false,
    })
    expect(block!.calls.map(({ logs }) => logs)).toEqual(
      [0, 1].map((index) => [
        { ...place(index), topics: [word(9)], data: word(7), logIndex: numberToHex(2 * index) },
        { ...place(index), topics: [], data: '0x', logIndex: numberToHex(2 * index + 1) },
      ]),
    )
    // Address and topic set bits of it (Yellow Paper 4.3.1).
    expect(block!.logsBloom).not.toBe(`0x${'00'.repeat(256)}`)
  })

  it('is what it needed on the way where less was paid in the end', async () => {
    const { devnet, from } = await manual()
    // A slot that is cleared gives 4,800 gas back (EIP-3529): 21,000 + 5,000 for SSTORE + 2 × 3 for PUSH1.
    const code = toHex(assemble(0, 1, 'SSTORE'))
    const stateOverrides = { [CODE]: { code, stateDiff: { [word(1)]: word(5) } } }
    const [result] = await resultsOf(devnet, [{ from, to: CODE }], { stateOverrides })
    expect(result).toMatchObject({ maxUsedGas: numberToHex(26_006), gasUsed: numberToHex(26_006 - 4_800) })
  })

  it('is at least what its data costs, with and without refunds (EIP-7623)', async () => {
    const { devnet, from } = await manual()
    const [result] = await resultsOf(devnet, [{ from, to: STRANGER, input: `0x${'11'.repeat(1000)}` }])
    const floor = numberToHex(21_000 + 40 * 1000)
    expect(result).toMatchObject({ gasUsed: floor, maxUsedGas: floor })
  })

  it('is an error where it reverts, and the others go on', async () => {
    const { devnet, from } = await manual()
    const fail = (
      functionName: 'writeThenRevertString' | 'writeThenPanicDivide' | 'writeThenInvalidOpcode',
    ) => ({
      from,
      to: CODE,
      gas: '0x186a0',
      input: encodeFunctionData({ abi: Reverter.abi, functionName }),
    })
    const results = await resultsOf(
      devnet,
      [
        fail('writeThenRevertString'),
        fail('writeThenPanicDivide'),
        { from, to: OTHER },
        fail('writeThenInvalidOpcode'),
        { from, to: STRANGER, value: '0x1' },
      ],
      {
        stateOverrides: {
          [CODE]: { code: Reverter.deployedBytecode },
          [OTHER]: { code: toHex(assemble(0, 0, 'REVERT')) },
        },
      },
    )
    expect(results.map(({ status, returnData, logs }) => [status, returnData, logs])).toEqual([
      ['0x0', '0x', []],
      ['0x0', '0x', []],
      ['0x0', '0x', []],
      ['0x0', '0x', []],
      ['0x1', '0x', []],
    ])
    expect(results.map(({ error }) => error)).toEqual([
      {
        code: 3,
        message: expect.stringMatching(/^execution reverted: ./),
        // Error(string)
        data: expect.stringMatching(/^0x08c379a0/),
      },
      // Panic(0x12): division by zero.
      {
        code: 3,
        message: expect.stringMatching(/^execution reverted/),
        data: `0x4e487b71${word(0x12).slice(2)}`,
      },
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: -32015, message: 'vm execution error: EVM error: InvalidFEOpcode' },
      undefined,
    ])
  })

  it.each([
    ['base', 'out of gas: gas required exceeds: 25000'],
    ['geth', 'out of gas'],
  ] as const)('is an error where gas runs out, in the words of %s', async (dialect, message) => {
    const { devnet, from } = await manual({ dialect })
    const code = toHex(assemble('JUMPDEST', 0, 'JUMP'))
    const [result] = await resultsOf(devnet, [{ from, to: CODE, gas: '0x61a8' }], {
      stateOverrides: { [CODE]: { code } },
    })
    expect(result).toEqual({
      returnData: '0x',
      logs: [],
      gasUsed: '0x61a8',
      maxUsedGas: '0x61a8',
      status: '0x0',
      error: { code: -32015, message: `vm execution error: ${message}` },
    })
  })

  it('keeps of a failed one what was paid, its nonce, and nothing else', async () => {
    const { devnet, from } = await manual()
    const code = toHex(assemble(1, 1, 'SSTORE', 0, 0, 'REVERT'))
    const stateOverrides = { [CODE]: { code } }
    const calls = [
      { from, to: CODE, value: '0x5', gasPrice: '0x2' },
      { input: toHex(answering(CODE, 'BALANCE')) },
      { input: toHex(answering(from, 'BALANCE')) },
    ]
    const [failed, ...balances] = await resultsOf(devnet, calls, { stateOverrides })
    expect(failed!.status).toBe('0x0')
    const paid = 2n * BigInt(failed!.gasUsed)
    expect(balances.map(({ returnData }) => BigInt(returnData))).toEqual([0n, 10n ** 22n - paid])
  })

  it('is told to those who listen, where Solidity says something', async () => {
    const { devnet, from } = await openShop()
    const said: string[] = []
    devnet.on('console', ({ text }) => said.push(text))
    const calls = [1n, 2n].map((count) => ({ from, to: SHOP, input: buy(count) }))
    await simulate(devnet, [{ calls }])
    expect(said).toEqual([`${from} wants 1`, `${from} wants 2`])
  })
})

describe('precompiles', () => {
  const SHA256: Hex = '0x0000000000000000000000000000000000000002'
  /** SHA-256 of no bytes. */
  const HASH: Hex = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

  it('are elsewhere for one block', async () => {
    const { devnet } = await manual()
    const calls = [{ to: SHA256 }, { to: OTHER }]
    const moving = { stateOverrides: { [SHA256]: { movePrecompileToAddress: OTHER } }, calls }
    const blocks = await simulate(devnet, [{ calls }, moving, { calls }])
    expect(blocks.map((block) => block.calls.map(({ returnData }) => returnData))).toEqual([
      [HASH, '0x'],
      ['0x', HASH],
      [HASH, '0x'],
    ])
  })

  it('may be moved where another was', async () => {
    const { devnet } = await manual()
    const identity: Hex = '0x0000000000000000000000000000000000000004'
    const stateOverrides = { [SHA256]: { movePrecompileToAddress: identity } }
    const results = await resultsOf(devnet, [{ to: identity }, { to: SHA256 }], { stateOverrides })
    expect(results.map(({ returnData }) => returnData)).toEqual([HASH, '0x'])
  })

  it('cost those who call them what they did, and where they are now what a stranger costs (EIP-2929)', async () => {
    const { devnet } = await manual()
    // GAS, STATICCALL, and how much less gas there is.
    const asking = (to: Hex) =>
      toHex(answering('GAS', 0, 0, 0, 0, to, 0xffff, 'STATICCALL', 'POP', 'GAS', 'SWAP1', 'SUB'))
    const stateOverrides = {
      [SHA256]: { movePrecompileToAddress: OTHER },
      [CODE]: { code: asking(SHA256) },
      [STRANGER]: { code: asking(OTHER) },
    }
    const [there, here] = await resultsOf(devnet, [{ to: CODE }, { to: STRANGER }], { stateOverrides })
    // An account that is warm costs 100, another one 2,600; SHA-256 of nothing 60.
    const [warm, cold] = [there, here].map((result) => Number(result!.returnData)) as [number, number]
    expect(cold - warm).toBe(2_500 + 60)
  })
})
