/** The gas need that a run reports equals the one that a search finds. */
import { describe, expect, it } from 'vitest'
import { estimateGas } from '../../../src/engine/run/estimateGas.ts'
import { runCall } from '../../../src/engine/run/runCall.ts'
import { assemble, type Item } from '../../support/compilers/assembly.ts'
import { address, callOf, machine, sceneOf } from '../../support/engines/scenes.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const CONTRACT = address(0xc0de)
const OTHER = address(0xca11)

/** Instructions that take gas of all kinds: storage that is set, reset, cleared and left, memory, hashes, logs, calls. */
function someCode(random: Random): Item[] {
  const slot = () => random.below(3)
  const pieces: (() => Item[])[] = [
    () => [random.below(3), slot(), 'SSTORE'],
    () => [slot(), 'SLOAD', 'POP'],
    () => [random.below(2 ** 16), random.below(3_000), 'MSTORE'],
    () => [random.below(200), random.below(200), 'KECCAK256', 'POP'],
    () => [random.below(64), 0, 'LOG0'],
    () => [random.below(2 ** 16), random.below(300), 'EXP', 'POP'],
  ]
  const rare: (() => Item[])[] = [
    () => ['GAS', 'POP'],
    () => [0, 0, 0, 0, 0, OTHER, random.below(60_000), 'CALL', 'POP'],
    // Refused, since the contract has no ether: the stipend comes back after the call was paid.
    () => [0, 0, 0, 0, 1, OTHER, random.below(60_000), 'CALL', 'POP'],
    () => [0, 0, 0, 0, address(4), 'GAS', 'STATICCALL', 'POP'],
  ]
  const length = random.between(1, 8)
  return Array.from({ length }, () => random.pick(random.chance(0.1) ? rare : pieces)()).flat()
}

describe.each(['osaka', 'berlin', 'istanbul', 'petersburg', 'byzantium'] as const)('under %s', (hardfork) => {
  const evm = machine(hardfork)

  it(
    'the estimate is the least gas with which code succeeds, whatever it does',
    withRandom(async (random) => {
      for (let i = 0; i < 60; i++) {
        const code = assemble(...someCode(random), 'STOP')
        const storage = new Map([[0n, 1n]])
        const scene = sceneOf([
          { address: CONTRACT, code, storage },
          { address: OTHER, code: assemble(...someCode(random), 'STOP') },
        ])
        const estimate = await estimateGas(evm, scene, callOf({ to: CONTRACT }))
        if (estimate.kind !== 'estimate') throw new Error(`no estimate but ${estimate.kind}`)
        const ends = async (gas: bigint) => (await runCall(evm, scene, callOf({ to: CONTRACT, gas }))).kind
        expect(await ends(estimate.gas)).toBe('success')
        expect(await ends(estimate.gas - 1n)).not.toBe('success')
      }
    }),
  )

  it(
    'what is enough to send is enough',
    withRandom(async (random) => {
      for (let i = 0; i < 60; i++) {
        const scene = sceneOf([{ address: CONTRACT, code: assemble(...someCode(random), 'STOP') }])
        const estimate = await estimateGas(evm, scene, callOf({ to: CONTRACT }), 'enough')
        if (estimate.kind !== 'estimate') throw new Error(`no estimate but ${estimate.kind}`)
        const outcome = await runCall(evm, scene, callOf({ to: CONTRACT, gas: estimate.gas }))
        expect(outcome.kind).toBe('success')
      }
    }),
  )
})
