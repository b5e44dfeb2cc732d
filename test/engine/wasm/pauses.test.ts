/** How often a run returns from the module, or from a precompile, so that others can have their turn. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Address, type Hash, toHex, toWord } from '../../../src/bytes/hex.ts'
import { keccakHash } from '../../../src/crypto/keccak.ts'
import { Evm } from '../../../src/engine/evm.ts'
import { precompilesUnder } from '../../../src/engine/precompiles/precompiles.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import { WasmEngine } from '../../../src/engine/wasm/wasmEngine.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { State } from '../../../src/state/state.ts'
import { EventLoop } from '../../../src/work/eventLoop.ts'
import { Work } from '../../../src/work/work.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { CONTEXT, callOf, sceneOf } from '../../support/engines/scenes.ts'

const SENDER: Address = `0x${'5'.repeat(40)}`
const CONTRACT: Address = `0x${'c'.repeat(40)}`
const RULES = createRules('osaka', 1n)

const ANSWER = [0, 'MSTORE', 32, 0, 'RETURN'] as const

/** Returns how many times a run of `code`, which returns `answer` if there is one, could have let others have their turn. */
async function pausesOf(code: Uint8Array, gas: bigint, answer?: Hash): Promise<number> {
  const instance = new Instance()
  instance.begin(RULES, {
    state: State.empty.with([{ address: CONTRACT, code }]),
    context: CONTEXT,
    message: { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined },
    watcher: undefined,
  })
  let pauses = 0
  const loop = new EventLoop({
    now: () => {
      pauses++
      return 0
    },
    soon: () => {},
  })
  const [from, to] = [instance.account(SENDER), instance.account(CONTRACT)]
  const work = new Work({ loop })
  pauses = 0
  const end = await instance.call({ from, to, codeAt: to, value: 0n, data: new Uint8Array(0), gas }, work)
  if (answer !== undefined) expect(toHex(end.output)).toBe(answer)
  return pauses
}

const loopOf = (...body: readonly Item[]) => assemble('JUMPDEST', ...body, 0, 'JUMP')

describe('a run may pause', () => {
  it.each([
    ['an empty loop', loopOf()],
    ['calls', loopOf(0, 0, 0, 0, 0, 'GAS', 'STATICCALL', 'POP')],
    // Each costs some 40,000 gas, which nothing but the creation itself uses, and decodes its code.
    ['creations', loopOf(0, 0, 0, 'CREATE', 'POP')],
    ['creations with long init code', loopOf(49_152, 0, 0, 'CREATE', 'POP')],
    ['creations with different init code', loopOf('GAS', 0, 'MSTORE', 49_152, 0, 0, 'CREATE', 'POP')],
  ])('after some 200,000 gas at the latest: %s', async (_, code) => {
    expect(await pausesOf(code, 50_000_000n)).toBeGreaterThanOrEqual(220)
  })

  it('while it undoes what a frame wrote that failed', async () => {
    // Writes 100,000 slots of transient storage in a frame, which then stops or reverts. A record of the journal has 40 bytes.
    const writes = (...end: readonly Item[]) =>
      assemble(100_000, 'JUMPDEST', 'DUP1', 'DUP1', 'TSTORE', 1, 'SWAP1', 'SUB', 'DUP1', 4, 'JUMPI', ...end)
    const gas = 20_000_000n
    const [stopped, reverted] = [
      await pausesOf(writes('STOP'), gas),
      await pausesOf(writes(0, 0, 'REVERT'), gas),
    ]
    expect(reverted - stopped).toBe(3)
  })

  it('within a hash of megabytes, which is the one that is computed at once', async () => {
    // A byte that is not zero at the beginning and at the end; the length is no multiple of a block.
    const length = 3_000_001
    const input = new Uint8Array(length)
    input[0] = 7
    input[length - 1] = 9
    const code = assemble(7, 0, 'MSTORE8', 9, length - 1, 'MSTORE8', length, 0, 'KECCAK256', ...ANSWER)
    expect(await pausesOf(code, 50_000_000n, keccakHash(input))).toBeGreaterThanOrEqual(5)
  })

  it('while it makes a long access list warm', async () => {
    let looks = 0
    const loop = new EventLoop({ now: () => looks++, soon: setImmediate })
    const storageKeys = Array.from({ length: 10_000 }, (_, i) => toHex(toWord(BigInt(i))))
    const call = callOf({ to: CONTRACT, gas: 30_000_000n, accessList: [{ address: CONTRACT, storageKeys }] })
    // The 10,000th slot is warm: SLOAD takes 100 gas and not 2,100.
    const code = assemble('GAS', 9_999, 'SLOAD', 'POP', 'GAS', 'SWAP1', 'SUB', ...ANSWER)
    const ran = await runCall(
      new Evm(new WasmEngine(createRules('prague', 1n))).for(new Work({ loop })),
      sceneOf([{ address: CONTRACT, code }]),
      call,
    )
    expect(ran).toMatchObject({ kind: 'success', returnData: toWord(100n + 3n + 2n + 2n) })
    expect(looks).toBeGreaterThanOrEqual(10)
  })

  it('before each piece of code of some 30,000 bytes that it has to decode', async () => {
    // More than 20 creations have the gas. Their init code, the end of the code, is one long run of JUMPDESTs.
    const creates = loopOf(49_152, 'DUP1', 'CODESIZE', 'SUB', 0, 'CODECOPY', 49_152, 0, 0, 'CREATE', 'POP')
    const code = Uint8Array.of(...creates, ...new Uint8Array(49_152).fill(0x5b))
    expect(await pausesOf(code, 2_400_000n)).toBeGreaterThan(20)
  })
})

describe('a hash of megabytes', () => {
  const input = new Uint8Array(3 * 1024 * 1024 + 5).fill(7)

  it.each([
    ['sha256', 2, 64],
    ['ripemd160', 3, 40],
  ] as const)('is computed in parts (%s)', (name, number, digits) => {
    const precompile = precompilesUnder(RULES).get(`0x${number.toString(16).padStart(40, '0')}`)!
    const parts = precompile.runInParts!(input, RULES)
    let pauses = 0
    let step = parts.next()
    for (; !step.done; step = parts.next()) pauses++
    expect(pauses).toBe(6)
    const expected = createHash(name).update(input).digest('hex')
    expect(toHex(step.value!).slice(-digits)).toBe(expected)
    expect(precompile.run(input, RULES)).toEqual(step.value)
  })
})
