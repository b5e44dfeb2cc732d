/** Variables of generated contracts, compared with the events that contain them. hundredContracts.test.ts has more of them. */
import { expect, it } from 'vitest'
import { comparedVariables } from '../../support/compilers/emittedVariables.ts'
import { withRandom } from '../../support/random/random.ts'

const PATIENCE = Number(process.env.PRESEAL_PATIENCE ?? 1)

it(
  'variables of generated contracts have the values that their events contain, with and without the optimizer',
  withRandom(async (random) => {
    for (const options of [{}, { optimizer: true }]) {
      const { right, wrong } = await comparedVariables(random, 1, options)
      expect(wrong).toEqual([])
      expect(right).toBeGreaterThan(0)
    }
  }),
  60_000 * PATIENCE,
)
