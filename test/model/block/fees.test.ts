import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../../src/bytes/hex.ts'
import {
  blobBaseFee,
  blobGasOf,
  encodeFeeParameters,
  maxBlobGas,
  nextBaseFee,
  nextExcessBlobGas,
  nextGasLimit,
} from '../../../src/model/block/fees.ts'
import type { Header } from '../../../src/model/block/header.ts'
import { type AnyHardfork, createRules } from '../../../src/model/hardfork/hardfork.ts'
import { randomHeader, theirCommon, toEthereumJsHeader } from '../../support/chains/headers.ts'
import { Random, withRandom } from '../../support/random/random.ts'

const LONDON = createRules('london', 1n)

/** The vectors of op-geth (`eip1559_optimism_test.go`), and the rules of Jovian. */
describe('nextBaseFee of an L2', () => {
  const L2 = createRules('prague', 1n, { l2: 'op' })
  const parentWith = (fields: Partial<Header>): Header => ({
    ...randomHeader(new Random(1), 'prague'),
    ...{ gasLimit: 30_000_000n, baseFeePerGas: 10_000_000n, blobGasUsed: 0n },
    ...fields,
  })
  const holocene = (denominator: number, elasticity: number) =>
    fromHex(`0x00${toDigits(denominator, 8)}${toDigits(elasticity, 8)}`)
  const jovian = (denominator: number, elasticity: number, floor: number) =>
    fromHex(`0x01${toDigits(denominator, 8)}${toDigits(elasticity, 8)}${toDigits(floor, 16)}`)
  const toDigits = (value: number, width: number) => value.toString(16).padStart(width, '0')

  it.each([
    [15_000_000n, 10_000_000n, 10, 2],
    [10_000_000n, 9_666_667n, 10, 2],
    [20_000_000n, 10_333_333n, 10, 2],
    [3_000_000n, 10_000_000n, 2, 10],
    [1_000_000n, 6_666_667n, 2, 10],
    [30_000_000n, 55_000_000n, 2, 10],
  ])('after %d gas is %d with the parameters in the header', (gasUsed, expected, denominator, elasticity) => {
    const parent = parentWith({ gasUsed, extraData: holocene(denominator, elasticity) })
    expect(nextBaseFee(L2, parent)).toBe(expected)
    // On Ethereum extra data means nothing.
    expect(nextBaseFee(LONDON, parent)).toBe(nextBaseFee(LONDON, { ...parent, extraData: fromHex('0x') }))
  })

  it.each([
    ['at the target', 1n, 10_000_000n, 1_000_000_000, 1_000_000_000n],
    ['above it', 1n, 11_000_000n, 1_000_000_000, 1_000_000_000n],
    ['above it and above the minimum', 2_000_000_000n, 20_000_000n, 1_000_000_000, 2_040_000_000n],
    ['below it', 1_000_000_000n, 9_000_000n, 1_000_000_000, 1_000_000_000n],
    ['below it and above the minimum', 2_000_000_000n, 9_000_000n, 1_000_000_000, 1_996_000_000n],
    ['without a minimum', 1_000_000_000n, 9_000_000n, 0, 998_000_000n],
  ])('has a minimum since Jovian: %s', (_, baseFeePerGas, gasUsed, floor, expected) => {
    const parent = parentWith({ gasUsed, baseFeePerGas, extraData: jovian(50, 3, floor) })
    expect(nextBaseFee(L2, parent)).toBe(expected)
  })

  it('counts the data of the block since Jovian', () => {
    const extraData = jovian(50, 3, 1_000_000_000)
    const high = parentWith({
      gasUsed: 1n,
      baseFeePerGas: 2_000_000_000n,
      extraData,
      blobGasUsed: 15_000_000n,
    })
    expect(nextBaseFee(L2, high)).toBe(2_020_000_000n)
  })

  it('has its parameters in the extra data, and the minimum since Jovian', () => {
    const parameters = { denominator: 250n, elasticity: 6n, minBaseFee: 1_000_000_000n }
    expect(toHex(encodeFeeParameters('isthmus', parameters))).toBe('0x00000000fa00000006')
    expect(toHex(encodeFeeParameters('jovian', parameters))).toBe('0x01000000fa00000006000000003b9aca00')
  })

  it.each([
    '0x',
    '0x00',
    // Zeros are no parameters, and there is no version 2.
    '0x000000000000000000',
    '0x0200000032000000060000000000000000',
  ] as const)('is Ethereum’s with the extra data %s', (extraData) => {
    const parent = parentWith({ gasUsed: 30_000_000n, extraData: fromHex(extraData) })
    expect(nextBaseFee(L2, parent)).toBe(nextBaseFee(LONDON, parent))
  })
})

describe('nextBaseFee', () => {
  it(
    'is what @ethereumjs/block computes',
    withRandom((random) => {
      for (let i = 0; i < 300; i++) {
        const parent = randomHeader(random, 'london')
        expect(nextBaseFee(LONDON, parent)).toBe(toEthereumJsHeader(parent, 'london').calcNextBaseFee())
      }
    }),
  )

  // EIP-1559: an eighth up or down at most, and up by at least one wei.
  it.each([
    ['stays at the target', 1000n, 500n, 1000n],
    ['rises by an eighth when the block is full', 1000n, 1000n, 1125n],
    ['falls by an eighth when the block is empty', 1000n, 0n, 875n],
    ['rises by one wei at least', 1n, 501n, 2n],
    ['rises from zero', 0n, 1000n, 1n],
    ['stays at zero while blocks are empty', 0n, 0n, 0n],
  ])('%s', (_, baseFeePerGas, gasUsed, expected) => {
    const parent = { ...randomHeader(new Random(1), 'london'), gasLimit: 1000n, gasUsed, baseFeePerGas }
    expect(nextBaseFee(LONDON, parent)).toBe(expected)
  })

  it('stays where the gas limit leaves no target', () => {
    const parent = { ...randomHeader(new Random(1), 'london'), gasLimit: 1n, gasUsed: 1n, baseFeePerGas: 9n }
    expect(nextBaseFee(LONDON, parent)).toBe(9n)
  })

  it('begins with 1 gwei after a block that had none, however full that was (EIP-1559)', () => {
    for (const gasUsed of [0n, 1000n]) {
      const parent = { ...randomHeader(new Random(1), 'berlin'), gasLimit: 1000n, gasUsed }
      expect(nextBaseFee(LONDON, parent)).toBe(1_000_000_000n)
    }
  })

  it('does not exist before London', () => {
    expect(nextBaseFee(createRules('berlin', 1n), randomHeader(new Random(1), 'berlin'))).toBeUndefined()
  })
})

describe('nextGasLimit', () => {
  // EIP-1559: the elasticity multiplier of 2 makes the target what the limit was.
  it('is the parent’s, twice that with the first base fee', () => {
    const [berlin, london] = (['berlin', 'london'] as const).map((hardfork) => ({
      ...randomHeader(new Random(1), hardfork),
      gasLimit: 1000n,
    })) as [Header, Header]
    expect(nextGasLimit(createRules('berlin', 1n), berlin)).toBe(1000n)
    expect(nextGasLimit(LONDON, berlin)).toBe(2000n)
    expect(nextGasLimit(LONDON, london)).toBe(1000n)
  })
})

/** The hardforks that changed what blobs cost. */
const BLOB_HARDFORKS = ['cancun', 'prague', 'osaka', 'bpo1', 'bpo2'] as const

describe('blobBaseFee', () => {
  it.each(BLOB_HARDFORKS)('is what @ethereumjs/block computes in %s', (hardfork) =>
    withRandom((random) => {
      const rules = createRules(hardfork, 1n)
      for (let i = 0; i < 60; i++) {
        const header = randomHeader(random, hardfork)
        expect(blobBaseFee(rules, header.excessBlobGas)).toBe(
          toEthereumJsHeader(header, hardfork).getBlobGasPrice(),
        )
      }
    })(),
  )

  // EIP-4844: one wei, and e times as much for each update fraction of excess. The fractions: EIP-4844, 7691, 7892.
  it.each([
    ['cancun', 3_338_477n],
    ['prague', 5_007_716n],
    ['osaka', 5_007_716n],
    ['bpo1', 8_346_193n],
    ['bpo2', 11_684_671n],
  ] as const)(
    'is one wei without excess and grows by e for each update fraction: %s',
    (hardfork, fraction) => {
      const rules = createRules(hardfork, 1n)
      expect(blobBaseFee(rules, 0n)).toBe(1n)
      expect(blobBaseFee(rules, 10n * fraction)).toBe(BigInt(Math.floor(Math.E ** 10)))
    },
  )

  it('does not exist before Cancun', () => {
    expect(blobBaseFee(createRules('shanghai', 1n), undefined)).toBeUndefined()
    expect(blobBaseFee(createRules('shanghai', 1n), 0n)).toBeUndefined()
  })
})

describe('nextExcessBlobGas', () => {
  const BLOB = 131_072n

  /** A parent at whose numbers all rules matter: around the targets, and around the reserve price. */
  function randomParent(random: Random, hardfork: AnyHardfork): Header {
    const header = randomHeader(random, hardfork)
    if (header.excessBlobGas === undefined) return header
    return {
      ...header,
      baseFeePerGas: random.pick([random.bigint(6), random.bigint(12), random.bigint(40)]),
      blobGasUsed: BigInt(random.below(22)) * BLOB,
      excessBlobGas: random.pick([0n, BigInt(random.below(22)) * BLOB, random.bigint(28)]),
    }
  }

  it.each([
    ['shanghai', 'cancun'],
    ['cancun', 'cancun'],
    ['cancun', 'prague'],
    ['prague', 'prague'],
    ['prague', 'osaka'],
    ['osaka', 'osaka'],
    ['osaka', 'bpo1'],
    ['bpo1', 'bpo1'],
    ['bpo1', 'bpo2'],
    ['bpo2', 'bpo2'],
  ] as const)('is what @ethereumjs/block computes after a block of %s, in %s', (before, hardfork) =>
    withRandom((random) => {
      const rules = createRules(hardfork, 1n)
      for (let i = 0; i < 60; i++) {
        const parent = randomParent(random, before)
        const theirs = toEthereumJsHeader(parent, before).calcNextExcessBlobGas(theirCommon(hardfork))
        expect(nextExcessBlobGas(rules, parent)).toBe(theirs)
      }
    })(),
  )

  // Worked out by hand from the EIPs, in blobs. 16 wei is where 8,192 gas of execution cost as much as a blob's 131,072 at 1 wei.
  it.each<[string, AnyHardfork, used: bigint, excess: bigint, baseFee: bigint, expected: bigint]>([
    ['is what goes beyond the target of 3 (EIP-4844)', 'cancun', 6n, 2n, 16n, 5n],
    ['is nothing below the target', 'cancun', 1n, 1n, 16n, 0n],
    ['is nothing at the target', 'cancun', 3n, 0n, 16n, 0n],
    ['is what goes beyond the target of 6 (EIP-7691)', 'prague', 9n, 2n, 1_000n, 5n],
    ['falls while execution costs no more than blobs (EIP-7918)', 'osaka', 6n, 2n, 16n, 2n],
    ['rises by a third of what was used while it costs more', 'osaka', 6n, 2n, 17n, 4n],
    ['is nothing below the target, whatever execution costs', 'osaka', 5n, 0n, 10n ** 12n, 0n],
    ['is what goes beyond the target of 10 (EIP-7892)', 'bpo1', 15n, 3n, 16n, 8n],
    ['rises by 5 of each 15 that were used', 'bpo1', 12n, 3n, 17n, 7n],
    ['is what goes beyond the target of 14', 'bpo2', 21n, 3n, 16n, 10n],
    ['rises by 7 of each 21 that were used', 'bpo2', 18n, 3n, 17n, 9n],
  ])('%s: %s', (_, hardfork, used, excess, baseFeePerGas, expected) => {
    const parent = {
      ...randomHeader(new Random(1), hardfork),
      baseFeePerGas,
      blobGasUsed: used * BLOB,
      excessBlobGas: excess * BLOB,
    }
    expect(nextExcessBlobGas(createRules(hardfork, 1n), parent)).toBe(expected * BLOB)
  })

  it('stays as it is on a chain that allows no blobs', () => {
    const blobs = { osaka: { target: 0, max: 0, baseFeeUpdateFraction: 1n } }
    const parent = {
      ...randomHeader(new Random(1), 'osaka'),
      baseFeePerGas: 10n ** 9n,
      blobGasUsed: 0n,
      excessBlobGas: 0n,
    }
    expect(nextExcessBlobGas(createRules('osaka', 1n, { blobs }), parent)).toBe(0n)
  })

  it('counts from nothing after a block without blob gas', () => {
    // With a target of 0 nothing is subtracted.
    const blobs = { cancun: { target: 0, max: 6, baseFeeUpdateFraction: 3_338_477n } }
    const parent = randomHeader(new Random(1), 'shanghai')
    expect([parent.excessBlobGas, parent.blobGasUsed]).toEqual([undefined, undefined])
    expect(nextExcessBlobGas(createRules('cancun', 1n, { blobs }), parent)).toBe(0n)
  })

  it('does not exist before Cancun', () => {
    expect(nextExcessBlobGas(createRules('shanghai', 1n), randomHeader(new Random(1), 'shanghai'))).toBe(
      undefined,
    )
  })
})

describe('blobGasOf', () => {
  // EIP-4844: GAS_PER_BLOB is 2 ** 17.
  it('is 131,072 for each blob', () => {
    expect(blobGasOf({})).toBe(0n)
    expect(blobGasOf({ blobVersionedHashes: [] })).toBe(0n)
    expect(blobGasOf({ blobVersionedHashes: ['0x01', '0x02', '0x03'] })).toBe(393_216n)
  })
})

describe('maxBlobGas', () => {
  // EIP-4844, EIP-7691, EIP-7892.
  it.each([
    ['shanghai', 0n],
    ['cancun', 786_432n],
    ['prague', 1_179_648n],
    ['osaka', 1_179_648n],
    ['bpo1', 1_966_080n],
    ['bpo2', 2_752_512n],
  ] as const)('of %s is %i', (hardfork, expected) => {
    expect(maxBlobGas(createRules(hardfork, 1n))).toBe(expected)
  })
})
