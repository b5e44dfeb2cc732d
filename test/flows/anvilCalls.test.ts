/** Calls and estimates beside anvil's, on the same random chain. */
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import type { Mixture } from '../support/chains/mixture.ts'
import { ROOMY, Walk } from '../support/chains/walk.ts'
import {
  type Answer,
  Beside,
  isAnvilHere,
  type Json,
  type Question,
  quantity,
} from '../support/nodes/besideAnvil.ts'
import { withRandom } from '../support/random/random.ts'

describe.skipIf(!isAnvilHere)('beside anvil', () => {
  it(
    'calls answer the same, and estimates are what anvil’s EVM needs and no gas more',
    withRandom(async (random) => {
      await using beside = await Beside.start('osaka')
      const walk = await Walk.start(random, 'osaka', beside)
      for (let i = 0; i < 12; i++) await walk.mine(await walk.draw(10))
      // anvil estimates beyond the gas limit of blocks.
      await walk.mine([], ROOMY)
      for (let i = 0; i < 80; i++) await expectSameCall(beside, walk.mixture)
    }),
  )
})

/** A call like those that transactions make. */
async function expectSameCall(beside: Beside, mixture: Mixture): Promise<void> {
  const { from, to, data, value, gasLimit } = mixture.call()
  const call = { from, to, data: toHex(data), value: quantity(value), gas: quantity(gasLimit) }
  const { ours, theirs } = await beside.ask(
    { method: 'eth_call', params: [call, 'latest'] },
    { method: 'eth_estimateGas', params: [call, 'latest'] },
  )
  expect({ call, ...endOf(ours[0]!) }).toEqual({ call, ...endOf(theirs[0]!) })
  const estimate = ours[1]!
  if ('error' in estimate) {
    // A call that fails has no estimate. anvil has one where there is neither data nor code, precompile or not.
    if (data.length > 0) expect(endOf(estimate)).toEqual(endOf(theirs[1]!))
    return
  }
  // anvil's own estimate is not exact, but its EVM is.
  const withGas = (gas: bigint): Question => ({
    method: 'eth_call',
    params: [{ ...call, gas: quantity(gas) }, 'latest'],
  })
  const gas = BigInt(estimate.result as string)
  const [enough, tooLittle] = (await beside.ask(withGas(gas), withGas(gas - 1n))).theirs.map(endOf)
  expect({ call, enough, tooLittle }).toMatchObject({
    enough: { kind: 'success' },
    tooLittle: { kind: expect.stringMatching(/revert|halt/) },
  })
}

/** How running code has ended. Each has words of its own for it (CONTRACT 4): what counts is what came back. */
function endOf(answer: Answer): { kind: 'success' | 'revert' | 'halt'; data?: Json } {
  if ('result' in answer) return { kind: 'success', data: answer.result }
  const { data } = answer.error
  return data === undefined ? { kind: 'halt' } : { kind: 'revert', data }
}
