/** The gas that a run needs to take the same course, compared with EthereumJS's runs with that gas and with one less. */
import { expect, it } from 'vitest'
import type { FrameExit } from '../../../src/engine/engine.ts'
import { Evm, loadEngine } from '../../../src/engine/evm.ts'
import { contextFor, toRunnable } from '../../../src/engine/run/runCall.ts'
import { simulate } from '../../../src/engine/run/runMessage.ts'
import { createRules } from '../../../src/model/hardfork/hardfork.ts'
import { assemble, creationOf, type Item } from '../../support/compilers/assembly.ts'
import { address, callOf, sceneOf } from '../../support/engines/scenes.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const CONTRACTS = [1, 2, 3, 4].map((number) => address(0xc0de00 + number))
const GAS = 1_000_000n
const rules = createRules('osaka', 31_337n)

/** Random code that calls the contracts after the one with this index. */
function someCode(random: Random, index: number): Item[] {
  const gas = () => (random.below(3) === 0 ? random.between(3_000, 200_000) : 'GAS')
  const callee = () => random.pick([address(4), address(0xdead), ...CONTRACTS.slice(index + 1)])
  const pieces: (() => Item[])[] = [
    () => [random.below(3), random.below(3), 'SSTORE'],
    () => [random.below(2 ** 16), random.below(3_000), 'MSTORE'],
    () => [random.below(64), 0, 'LOG0'],
    () => [0, 32, random.below(100), 0, random.below(2), callee(), gas(), 'CALL', 'POP'],
    () => [0, 0, random.below(100), 0, callee(), gas(), 'DELEGATECALL', 'POP'],
    () => [0, 0, 0, 0, callee(), gas(), 'STATICCALL', 'POP'],
    () => {
      const init = creationOf(assemble(...random.list(random.below(3), () => random.below(2 ** 16))))
      const word = `0x${Buffer.from(init).toString('hex').padEnd(64, '0').slice(0, 64)}` as const
      return [word, 0, 'MSTORE', random.between(1, Math.min(init.length, 32)), 0, 0, 'CREATE', 'POP']
    },
  ]
  const end: Item[] = random.below(4) === 0 ? [random.below(40), 0, 'REVERT'] : ['STOP']
  return [...random.list(random.between(1, 4), () => random.pick(pieces)()).flat(), ...end]
}

it(
  'a run takes the same course with the gas that it needs, and another one with less',
  withRandom(async (random) => {
    const wasm = new Evm((await loadEngine('wasm'))(rules))
    const reference = new Evm((await loadEngine('ethereumjs'))(rules))
    let known = 0
    for (let i = 0; i < 300; i++) {
      const scene = sceneOf([
        { address: address(0xa11ce), balance: 10n },
        ...CONTRACTS.map((at, index) => {
          const code = assemble(...(index === 0 ? someCode(random, 0).slice(0, -1) : someCode(random, index)))
          return { address: at, balance: 2n, code, storage: new Map([[0n, 1n]]) }
        }),
      ])
      const call = callOf({ from: address(0xa11ce), to: CONTRACTS[0]! })
      const context = contextFor(scene, call)
      const run = async (evm: Evm, gas: bigint) => {
        const exits: Pick<FrameExit, 'failure' | 'isPrecompile'>[] = []
        const exit = ({ failure, isPrecompile }: FrameExit) => void exits.push({ failure, isPrecompile })
        const runnable = toRunnable(rules, scene, call, gas)
        return { outcome: await simulate(evm, scene.state, context, runnable, undefined, { exit }), exits }
      }
      const { outcome } = await run(wasm, GAS)
      if (outcome.kind !== 'success' || outcome.gasNeeded === undefined) continue
      known++
      const atCap = await run(reference, GAS)
      const same = await run(reference, outcome.gasNeeded)
      expect(same.exits).toEqual(atCap.exits)
      expect(same.outcome.gasUsed).toBe(outcome.gasUsed)
      const less = await run(reference, outcome.gasNeeded - 1n)
      expect(less.exits).not.toEqual(atCap.exits)
      if (!outcome.mayNeedLess) expect(less.outcome.kind).not.toBe('success')
    }
    expect(known).toBeGreaterThan(100)
  }),
)
