/** Random programs run equally in the engine, in both readings of code, and in EthereumJS. */
import { describe, expect, it } from 'vitest'
import type { AnyHardfork } from '../../../src/model/hardfork/hardfork.ts'
import { withRandom } from '../../support/random/random.ts'
import { type Asked, alone, type Given, ours } from './alone.ts'
import { CONTRACTS, program, SENDER } from './programs.ts'

const HARDFORKS: readonly AnyHardfork[] = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
]
const RUNS = Number(process.env.PRESEAL_RUNS ?? 25)

describe.each(HARDFORKS)('under %s', (hardfork) => {
  it(
    'has the outcome, gas, refund, output, logs and accounts of EthereumJS, in both readings',
    withRandom(async (random) => {
      for (let run = 0; run < RUNS; run++) {
        const given: Given[] = [
          ...CONTRACTS.map((address) => ({
            address,
            nonce: 1n,
            balance: BigInt(random.below(2_000)),
            code: program(random),
            storage: new Map([
              [0n, 7n],
              [1n, 2n ** 200n],
            ]),
          })),
          { address: SENDER, nonce: 3n, balance: 10n ** 18n, code: new Uint8Array(0), storage: new Map() },
        ]
        const gas = BigInt(random.below(10) === 0 ? random.below(3_000) : 20_000 + random.below(400_000))
        const data = new Uint8Array(random.below(80)).fill(0xab)
        const asked: Asked = { from: SENDER, to: CONTRACTS[0]!, value: BigInt(random.below(2)), data, gas }
        const expected = await alone(hardfork, given, asked)
        const context = { run, codes: given.map(({ code }) => Buffer.from(code).toString('hex')), gas }
        expect({ ...context, ...(await ours(hardfork, given, asked)) }).toEqual({ ...context, ...expected })
        expect({ ...context, ...(await ours(hardfork, given, asked, true)) }).toEqual({
          ...context,
          ...expected,
        })
      }
    }),
  )
})
