/**
 * Variables of a hundred generated contracts, compared with the events that contain them. The compiler needs most of the time:
 * `PRESEAL_CONTRACTS=5` plays a short form.
 */
import { expect, it } from 'vitest'
import { comparedVariables } from '../../support/compilers/emittedVariables.ts'
import { withRandom } from '../../support/random/random.ts'

const PATIENCE = Number(process.env.PRESEAL_PATIENCE ?? 1)

const CONTRACTS = Number(process.env.PRESEAL_CONTRACTS ?? 100)

const SETTINGS = [
  { name: 'without optimizer', options: {}, count: CONTRACTS, least: 0.99 },
  { name: 'with the optimizer', options: { optimizer: true }, count: CONTRACTS, least: 0.9 },
  { name: 'via IR', options: { viaIR: true }, count: Math.min(CONTRACTS, 10), least: 0.2 },
  {
    name: 'with the optimizer via IR',
    options: { optimizer: true, viaIR: true },
    count: Math.min(CONTRACTS, 10),
    least: 0.05,
  },
]

for (const { name, options, count, least } of SETTINGS) {
  it(
    `${count} contracts ${name} have at least ${100 * least} % of the values of their events, and no other value`,
    withRandom(async (random) => {
      const { right, unknown, wrong } = await comparedVariables(random, count, options)
      console.log(`${name}: ${right} right, ${unknown.length} unknown, ${wrong.length} wrong`)
      expect(wrong).toEqual([])
      expect(right / (right + unknown.length)).toBeGreaterThanOrEqual(least)
      for (const reason of new Set(unknown)) expect(reason.split(' ').length).toBeLessThanOrEqual(5)
    }),
    900_000 * PATIENCE,
  )
}
