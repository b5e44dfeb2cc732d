/** The memory of code and its decoded instructions in an instance is bounded, however many programs run. */
import { expect, it } from 'vitest'
import type { Address } from '../../../src/bytes/hex.ts'
import { Instance } from '../../../src/engine/wasm/instance.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { type AccountChange, State } from '../../../src/state/state.ts'
import { URGENT } from '../../../src/work/work.ts'
import { assemble } from '../../support/compilers/assembly.ts'
import { address, CONTEXT } from '../../support/engines/scenes.ts'

/** Decoded, all of them would take more than `MOST_BYTES`. */
const PROGRAMS = 10_000
const MOST_BYTES = 128 * 1024 * 1024
const SENDER = address(0x5e)
const RULES = createRules('osaka', 1n)

const RETURNS = assemble('CALLDATASIZE', 'POP', 0, 'MSTORE', 32, 0, 'RETURN')

/** A program that returns `i`, followed by a kilobyte of instructions that do not run: each takes much when it is decoded. */
function program(i: number): Uint8Array {
  const code = new Uint8Array(4 + RETURNS.length + 1024).fill(0x5b)
  code.set([0x62, i >> 16, (i >> 8) & 0xff, i & 0xff])
  code.set(RETURNS, 4)
  return code
}

const placeOf = (i: number): Address => address(0x10000 + i)
const account = (i: number): AccountChange => ({ address: placeOf(i), code: program(i) })

it.each<[where: string, states: () => (i: number) => State]>([
  ['each on a state of its own', () => (i) => State.empty.with([account(i)])],
  [
    'all on one state',
    () => {
      const state = State.empty.with(Array.from({ length: PROGRAMS }, (_, i) => account(i)))
      return () => state
    },
  ],
])('10,000 different programs, %s, leave an instance small enough to be kept', async (_, states) => {
  const instance = new Instance()
  const stateOf = states()
  for (let i = 0; i < PROGRAMS; i++) {
    instance.begin(RULES, {
      state: stateOf(i),
      context: CONTEXT,
      message: { from: SENDER, gasPrice: 0n, blobVersionedHashes: [], movedPrecompiles: undefined },
      watcher: undefined,
    })
    const to = instance.account(placeOf(i))
    const frame = {
      from: instance.account(SENDER),
      to,
      codeAt: to,
      value: 0n,
      data: new Uint8Array(),
      gas: 10_000n,
    }
    const { output } = await instance.call(frame, URGENT)
    instance.drop()
    if (output[31] !== (i & 0xff)) throw new Error(`program ${i} returned ${output}`)
  }
  expect(instance.memoryBytes).toBeLessThan(MOST_BYTES)
})
