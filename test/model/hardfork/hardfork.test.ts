import { paramsBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { getActivePrecompiles, paramsEVM } from '@ethereumjs/evm'
import { paramsTx } from '@ethereumjs/tx'
import { describe, expect, it } from 'vitest'
import {
  type AnyHardfork,
  type BlobSchedule,
  createRules,
  isSince,
} from '../../../src/model/hardfork/hardfork.ts'
import { PARAMETERS, type ParameterName } from '../../../src/model/hardfork/ruleTables.ts'

const ALL: readonly AnyHardfork[] = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'muirGlacier',
  'berlin',
  'london',
  'arrowGlacier',
  'grayGlacier',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'bpo1',
  'bpo2',
  'bpo3',
  'bpo4',
  'bpo5',
]

describe('the hardforks', () => {
  it('follow each other in the order in which mainnet had them', () => {
    for (const [i, hardfork] of ALL.entries()) {
      const rules = createRules(hardfork, 1n)
      expect(ALL.map((first) => rules.since(first))).toEqual(ALL.map((_, j) => j <= i))
      expect(ALL.map((first) => isSince(hardfork, first))).toEqual(ALL.map((_, j) => j <= i))
    }
  })

  // Each from its EIP, or from the meta EIP of its hardfork.
  it.each<[eip: number, first: AnyHardfork]>([
    [2930, 'berlin'],
    [2929, 'berlin'],
    [1559, 'london'],
    [3529, 'london'],
    [3541, 'london'],
    [4399, 'paris'],
    [3651, 'shanghai'],
    [3855, 'shanghai'],
    [3860, 'shanghai'],
    [4895, 'shanghai'],
    [1153, 'cancun'],
    [4788, 'cancun'],
    [4844, 'cancun'],
    [6780, 'cancun'],
    [7516, 'cancun'],
    [2935, 'prague'],
    [6110, 'prague'],
    [7002, 'prague'],
    [7251, 'prague'],
    [7623, 'prague'],
    [7685, 'prague'],
    [7702, 'prague'],
    [7825, 'osaka'],
    [7883, 'osaka'],
    [7918, 'osaka'],
    [7939, 'osaka'],
  ])('have EIP-%i in force from %s on', (eip, first) => {
    expect(ALL.map((hardfork) => createRules(hardfork, 1n).has(eip))).toEqual(
      ALL.map((hardfork) => isSince(hardfork, first)),
    )
  })
})

describe.each(ALL)('the tables of %s', (hardfork) => {
  const rules = createRules(hardfork, 1n)
  const theirs = commonOf(hardfork)

  it('have the EIPs that EthereumJS has', () => {
    const eips = Array.from({ length: 10_000 }, (_, eip) => eip).filter((eip) => !META_EIPS.includes(eip))
    expect(eips.filter((eip) => rules.has(eip))).toEqual(eips.filter((eip) => theirs.isActivatedEIP(eip)))
  })

  it('have the parameters that EthereumJS has', () => {
    for (const name of Object.keys(PARAMETERS) as ParameterName[]) {
      expect([name, orUndefined(() => rules.param(name))]).toEqual([
        name,
        orUndefined(() => theirs.param(name)),
      ])
    }
  })

  it('have the precompiles that EthereumJS has', () => {
    expect([...rules.precompiles].map((address) => address.slice(2)).sort()).toEqual(
      [...getActivePrecompiles(theirs).keys()].sort(),
    )
  })
})

/** EthereumJS has each hardfork before Berlin as one EIP. */
const META_EIPS = [1, 606, 607, 608, 609, 1013, 1716, 1679, 2384]

/** The hardfork in EthereumJS's form, where "blob parameter only" hardforks have Osaka's rules. */
function commonOf(hardfork: AnyHardfork): Common {
  const name = hardfork === 'frontier' ? 'chainstart' : hardfork.startsWith('bpo') ? 'osaka' : hardfork
  const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork: name, params: paramsTx })
  common.updateParams(paramsBlock)
  common.updateParams(paramsEVM)
  return common
}

/** The value, or `undefined` where it is refused. */
function orUndefined(value: () => bigint): bigint | undefined {
  try {
    return value()
  } catch {
    return undefined
  }
}

describe('the limit of init code', () => {
  it('is twice the limit of code that the chain has', () => {
    expect(createRules('osaka', 1n, { codeSizeLimit: 100 }).param('maxInitCodeSize')).toBe(200n)
  })
})

describe('the blob schedule', () => {
  const schedules = (blobs?: Partial<Record<AnyHardfork, BlobSchedule>>) =>
    ALL.slice(ALL.indexOf('shanghai')).map((hardfork) => {
      const schedule = createRules(hardfork, 1n, blobs === undefined ? {} : { blobs }).blobs
      return schedule && [schedule.target, schedule.max, schedule.baseFeeUpdateFraction]
    })
  const CANCUN = [3, 6, 3_338_477n] // EIP-4844
  const PRAGUE = [6, 9, 5_007_716n] // EIP-7691
  const BPO1 = [10, 15, 8_346_193n] // EIP-7892
  const BPO2 = [14, 21, 11_684_671n]

  it('is mainnet’s on a chain that names none, and stays where a hardfork says nothing', () => {
    expect(schedules()).toEqual([undefined, CANCUN, PRAGUE, PRAGUE, BPO1, BPO2, BPO2, BPO2, BPO2])
  })

  it('is the chain’s own from the hardfork on that it is for, until one that has another', () => {
    const prague = { target: 4, max: 8, baseFeeUpdateFraction: 99n }
    const bpo3 = { target: 20, max: 30, baseFeeUpdateFraction: 77n }
    expect(schedules({ prague, bpo3 })).toEqual([
      undefined,
      CANCUN,
      [4, 8, 99n],
      [4, 8, 99n],
      BPO1,
      BPO2,
      [20, 30, 77n],
      [20, 30, 77n],
      [20, 30, 77n],
    ])
  })

  it('does not bring blobs to a hardfork that has none', () => {
    const cancun = { target: 1, max: 2, baseFeeUpdateFraction: 3n }
    expect(schedules({ cancun }).slice(0, 3)).toEqual([undefined, [1, 2, 3n], PRAGUE])
  })
})

describe('the deposit contract', () => {
  it('is what the chain names, or nothing', () => {
    const depositContract = `0x${'dd'.repeat(20)}` as const
    expect(createRules('prague', 1n, { depositContract }).depositContract).toBe(depositContract)
    expect(createRules('prague', 1n).depositContract).toBeUndefined()
  })
})
