/** Code is decoded when it is first run, and what is decoded is bounded: runs answer the same, however much is dropped. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toQuantity } from '../../../src/bytes/hex.ts'
import { loadSecp256k1 } from '../../../src/crypto/secp256k1.ts'
import type { Engine, Outcome } from '../../../src/engine/engine.ts'
import { EthereumjsEngine } from '../../../src/engine/ethereumjs/ethereumjsEngine.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { collectHits, reportHits } from '../../../src/engine/hits.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import { WasmEngine } from '../../../src/engine/wasm/wasmEngine.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { State } from '../../../src/state/state.ts'
import { URGENT, Work } from '../../../src/work/work.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { agreed, CONTRACT, SENDER, wordsOf } from '../../support/engines/agreement.ts'
import { CollectedHits } from '../../support/engines/collectedHits.ts'
import { address, CONTEXT, callOf, sceneOf } from '../../support/engines/scenes.ts'

beforeAll(async () => {
  await loadSecp256k1()
})

afterEach(() => collectHits(undefined))

const MEGABYTE = 1024 * 1024
const LONG = address(0x1000)

it('400 contracts of 12 KB in turn return what they should, and the memory stops growing', async () => {
  const returns = assemble(0, 'MSTORE', 32, 0, 'RETURN')
  const code = (i: number) => {
    // Runs 4 KB of PUSH2 and POP, and returns `i` at the end of 12 KB.
    const bytes = new Uint8Array(12 * 1024)
    for (let at = 0; at < 4096; at += 4) bytes.set([0x61, i >> 8, i & 0xff, 0x50], at)
    const jump = bytes.length - 20
    bytes.set([0x61, jump >> 8, jump & 0xff, 0x56], 4096)
    bytes.set([0x5b, 0x61, i >> 8, i & 0xff, ...returns], jump)
    return bytes
  }
  const accounts = Array.from({ length: 400 }, (_, i) => ({ address: address(0x1000 + i), code: code(i) }))
  const state = State.empty.with(accounts)
  const instance = new Instance()
  const sizes: number[] = []
  for (let round = 0; round < 3; round++) {
    for (const [i, { address: callee }] of accounts.entries()) {
      instance.begin(createRules('osaka', 1n), {
        state,
        context: CONTEXT,
        message: { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined },
        watcher: undefined,
      })
      const [from, to] = [instance.account(SENDER), instance.account(callee)]
      const frame = { from, to, codeAt: to, value: 0n, data: new Uint8Array(), gas: 100_000n }
      const { output } = await instance.call(frame, URGENT)
      expect(Number(toQuantity(output)), `contract ${i}`).toBe(i)
    }
    sizes.push(instance.memoryBytes)
  }
  expect(sizes[2]).toBe(sizes[0])
  expect(sizes[0]).toBeLessThan(64 * MEGABYTE)
})

/** Decoded, each JUMPDEST takes some 50 bytes. */
const LONG_CODE = new Uint8Array(MEGABYTE).fill(0x5b)
/** Calls itself with a longer input, from the sixth frame on the long code; then counts to three, and adds up. */
const CALLS_DEEP: readonly Item[] = [
  ...([32, 0, 32, 'CALLDATASIZE', 'ADD', 64, 0, 'CALLDATASIZE', 160, 'GT'] as const),
  ...([BigInt(CONTRACT) - BigInt(LONG), 'MUL', BigInt(LONG), 'ADD', 'GAS', 'CALL', 3] as const),
]
const DEEP = assemble(
  ...CALLS_DEEP,
  ...(['JUMPDEST', 1, 'SWAP1', 'SUB', 'DUP1', assemble(...CALLS_DEEP).length, 'JUMPI'] as const),
  ...(['ADD', 0, 'MLOAD', 'ADD', 'CALLDATASIZE', 'ADD', 0, 'MSTORE', 32, 0, 'RETURN'] as const),
)
const DROPPED = { code: DEEP, accounts: [{ address: LONG, code: LONG_CODE }], gas: 10_000_000n }

describe('frames whose decoded code is dropped while they wait for a call', () => {
  it('go on after it', async () => {
    // Each of the six frames adds 1 for its call and the length of its input.
    expect(await wordsOf(DROPPED)).toEqual([6n + 32n * (1n + 2n + 3n + 4n + 5n)])
  })

  it('fail after it where they lack gas', async () => {
    const { gas } = await agreed(DROPPED)
    for (const missing of [1n, 3n, 20n, 100n]) {
      expect((await agreed({ ...DROPPED, gas: gas - missing })).outcome.kind).not.toBe('revert')
    }
  })

  it('are counted for coverage once', async () => {
    const rules = createRules('osaka', 1n)
    const hits = new CollectedHits()
    collectHits(hits)
    const scene = sceneOf([{ address: CONTRACT, code: DEEP }, ...DROPPED.accounts])
    await runCall(new Evm(new WasmEngine(rules)).withCoverage, scene, callOf({ to: CONTRACT }))
    reportHits()
    const times = Object.values(hits.of(DEEP))
    expect([Math.min(...times), Math.max(...times)]).toEqual([6, 18])
    expect(new Set(Object.values(hits.of(LONG_CODE)))).toEqual(new Set([1]))
  })
})

it.each([
  [20 * 33, 'success'],
  [20 * 33 - 1, 'halt'],
  [20 * 33 + 1, 'halt'],
] as const)('a jump over %d bytes that all look like a PUSH32 is a %s', async (length, kind) => {
  const target = 4 + length
  const code = [0x61, target >> 8, target & 0xff, 0x56, ...new Uint8Array(length).fill(0x7f), 0x5b]
  expect((await agreed({ code: Uint8Array.from(code) })).outcome.kind).toBe(kind)
})

describe('init code of 11 MB', () => {
  /** Pushes 11 MB of constants, some of them with a JUMPDEST in it, between jumps to the next one; deploys its first word. */
  const initCode = new Uint8Array(11 * MEGABYTE)
  for (let at = 0; at + 128 < initCode.length; at += 128) {
    // JUMPDEST, PUSH32 …, POP; PUSH3, JUMP to the next one.
    const next = at + 128
    initCode.set([0x5b, 0x7f], at)
    initCode.fill(0x5b, at + 2, at + 34)
    initCode.set([0x50, 0x62, next >> 16, (next >> 8) & 0xff, next & 0xff, 0x56, 0x76], at + 34)
  }
  initCode.set([0x5b, ...assemble(32, 0, 0, 'CODECOPY', 32, 0, 'RETURN')], initCode.length - 128)

  it.each([
    ['byzantium', undefined],
    ['osaka', 6_000_000],
  ] as const)(
    'runs under %s with the code size limit %s as in EthereumJS',
    async (hardfork, codeSizeLimit) => {
      const rules = createRules(hardfork, 1n, codeSizeLimit === undefined ? {} : { codeSizeLimit })
      const call = callOf({ data: initCode, gas: 2n ** 30n })
      const scene = sceneOf([], [], { gasLimit: 2n ** 30n })
      const work = new Work({ memoryLimit: 128 * MEGABYTE })
      const run = async (engine: Engine) => (await runCall(new Evm(engine).for(work), scene, call)) as Outcome
      const ran = await run(new WasmEngine(rules))
      expect(ran).toMatchObject({ kind: 'success', returnData: initCode.slice(0, 32) })
      expect(await run(new EthereumjsEngine(rules))).toMatchObject({
        kind: 'success',
        returnData: initCode.slice(0, 32),
        gasUsed: ran.gasUsed,
      })
    },
  )
})
