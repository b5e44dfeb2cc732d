import { describe, expect, it } from 'vitest'
import { blobBaseFee, nextBaseFee } from '../../src/model/fees.ts'
import { createRules } from '../../src/model/hardfork.ts'
import { randomHeader, toEthereumJsHeader } from '../support/headers.ts'
import { Random, withRandom } from '../support/random.ts'

describe('nextBaseFee', () => {
  it(
    'is what @ethereumjs/block computes',
    withRandom((random) => {
      for (let i = 0; i < 300; i++) {
        const parent = randomHeader(random, 'london')
        expect(nextBaseFee(parent)).toBe(toEthereumJsHeader(parent, 'london').calcNextBaseFee())
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
    expect(nextBaseFee(parent)).toBe(expected)
  })

  it('stays where the gas limit leaves no target', () => {
    const parent = { ...randomHeader(new Random(1), 'london'), gasLimit: 1n, gasUsed: 1n, baseFeePerGas: 9n }
    expect(nextBaseFee(parent)).toBe(9n)
  })

  it('does not exist before London', () => {
    expect(nextBaseFee(randomHeader(new Random(1), 'berlin'))).toBeUndefined()
  })
})

describe('blobBaseFee', () => {
  it.each(['cancun', 'prague', 'osaka'] as const)('is what @ethereumjs/block computes in %s', (hardfork) =>
    withRandom((random) => {
      const rules = createRules(hardfork, 1n)
      for (let i = 0; i < 100; i++) {
        const header = randomHeader(random, hardfork)
        expect(blobBaseFee(rules, header.excessBlobGas)).toBe(
          toEthereumJsHeader(header, hardfork).getBlobGasPrice(),
        )
      }
    })(),
  )

  // EIP-4844: one wei, and e times as much for each update fraction of excess.
  it('is one wei without excess and grows by e for each update fraction', () => {
    const rules = createRules('cancun', 1n)
    expect(blobBaseFee(rules, 0n)).toBe(1n)
    expect(blobBaseFee(rules, 10n * 3_338_477n)).toBe(BigInt(Math.floor(Math.E ** 10)))
  })

  it('does not exist before Cancun', () => {
    expect(blobBaseFee(createRules('shanghai', 1n), undefined)).toBeUndefined()
  })
})
