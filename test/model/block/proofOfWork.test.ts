import { createBlock } from '@ethereumjs/block'
import { createVM, runBlock } from '@ethereumjs/vm'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../../src/bytes/hex.ts'
import { EMPTY_OMMERS_HASH, type Header } from '../../../src/model/block/header.ts'
import { miningRewards, nextDifficulty } from '../../../src/model/block/proofOfWork.ts'
import { type AnyHardfork, createRules } from '../../../src/model/hardfork/hardfork.ts'
import { State } from '../../../src/state/state.ts'
import { withPayments } from '../../../src/state/stateEdits.ts'
import { randomHeader, theirCommon, toEthereumJsHeader } from '../../support/chains/headers.ts'
import { referenceState } from '../../support/chains/referenceChain.ts'
import { Random, withRandom } from '../../support/random/random.ts'

/** The hardforks of mined blocks. */
const MINED: readonly AnyHardfork[] = [
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
]

/** What a mined block may have; EthereumJS wants these bytes in the headers after mainnet's DAO fork. */
function randomParent(random: Random, hardfork: AnyHardfork, difficulty: bigint, number: bigint): Header {
  return {
    ...randomHeader(random, hardfork),
    ommersHash: random.chance(0.5) ? EMPTY_OMMERS_HASH : random.hex(32),
    difficulty,
    number,
    extraData: Buffer.from('dao-hard-fork'),
  }
}

function theirDifficulty(hardfork: AnyHardfork, parent: Header, timestamp: bigint): bigint {
  const header = { ...parent, number: parent.number + 1n, timestamp }
  return toEthereumJsHeader(header, hardfork).ethashCanonicalDifficulty(toEthereumJsHeader(parent, hardfork))
}

/** Around each of the steps in which seconds count, and long waits. */
function randomSeconds(random: Random): bigint {
  return BigInt(random.pick([random.below(40), random.between(880, 1_010), random.below(100_000)]))
}

describe.each(MINED)('the difficulty in %s', (hardfork) => {
  const rules = createRules(hardfork, 1n)
  // EthereumJS's London leaves out EIP-3554: up to here there is no bomb either way. Where it begins, see below.
  const highest = hardfork === 'london' ? 9_199_998 : 20_000_000

  it(
    'is what @ethereumjs/block computes, from any parent on and at any height',
    withRandom((random) => {
      for (let i = 0; i < 40; i++) {
        // Not so low that a slow block would fall below the minimum: there EthereumJS and geth disagree, see below.
        const difficulty = 140_000n + random.bigint(70)
        const parent = randomParent(random, hardfork, difficulty, BigInt(random.below(highest)))
        const timestamp = parent.timestamp + randomSeconds(random)
        expect(nextDifficulty(rules, parent, timestamp)).toBe(theirDifficulty(hardfork, parent, timestamp))
      }
    }),
  )

  it(
    'is at least 131,072, as @ethereumjs/block says, too',
    withRandom((random) => {
      for (let i = 0; i < 20; i++) {
        const parent = randomParent(random, hardfork, random.bigint(18), BigInt(random.below(199_998)))
        const timestamp = parent.timestamp + randomSeconds(random)
        expect(nextDifficulty(rules, parent, timestamp)).toBe(theirDifficulty(hardfork, parent, timestamp))
      }
    }),
  )
})

describe('nextDifficulty', () => {
  const parentOf = (number: bigint, difficulty: bigint): Header => ({
    ...randomHeader(new Random(1), 'berlin'),
    ommersHash: EMPTY_OMMERS_HASH,
    timestamp: 1_000n,
    number,
    difficulty,
  })

  // One step is 2,048th of the parent's difficulty (Yellow Paper 4.3.4, EIP-2, EIP-100).
  it.each<[AnyHardfork, seconds: bigint, steps: bigint]>([
    ['frontier', 12n, 1n],
    ['frontier', 13n, -1n],
    ['frontier', 100_000n, -1n],
    ['homestead', 9n, 1n],
    ['homestead', 10n, 0n],
    ['homestead', 20n, -1n],
    ['homestead', 999n, -98n],
    ['homestead', 1_000n, -99n],
    ['homestead', 100_000n, -99n],
    ['byzantium', 8n, 1n],
    ['byzantium', 9n, 0n],
    ['byzantium', 18n, -1n],
    ['byzantium', 900n, -99n],
    ['byzantium', 100_000n, -99n],
  ])('changes in %s after %i seconds by %i steps', (hardfork, seconds, steps) => {
    const rules = createRules(hardfork, 1n)
    expect(nextDifficulty(rules, parentOf(1n, 2_048_000_000n), 1_000n + seconds)).toBe(
      2_048_000_000n + steps * 1_000_000n,
    )
  })

  it('is a step higher since Byzantium where the parent has ommers (EIP-100)', () => {
    const parent = { ...parentOf(1n, 2_048_000_000n), ommersHash: `0x${'ab'.repeat(32)}` as const }
    expect(nextDifficulty(createRules('byzantium', 1n), parent, 1_009n)).toBe(2_049_000_000n)
    expect(nextDifficulty(createRules('homestead', 1n), parent, 1_010n)).toBe(2_048_000_000n)
  })

  // The bomb doubles every 100,000 blocks from the 200,000th on, counted from where the hardfork moved it to.
  it.each<[AnyHardfork, first: bigint]>([
    ['homestead', 200_000n],
    ['byzantium', 3_200_000n], // EIP-649
    ['constantinople', 5_200_000n], // EIP-1234
    ['muirGlacier', 9_200_000n], // EIP-2384
    ['istanbul', 5_200_000n],
    ['berlin', 9_200_000n],
    ['london', 9_900_000n], // EIP-3554
    ['arrowGlacier', 10_900_000n], // EIP-4345
    ['grayGlacier', 11_600_000n], // EIP-5133
  ])('has a bomb in %s that begins with block %i', (hardfork, first) => {
    const rules = createRules(hardfork, 1n)
    const at = (number: bigint) => nextDifficulty(rules, parentOf(number - 1n, 10n ** 9n), 1_000n)
    const without = at(1n)
    const bombs = [-1n, 0n, 99_999n, 100_000n, 1_000_000n].map((blocks) => at(first + blocks) - without)
    expect(bombs).toEqual([0n, 1n, 1n, 2n, 1_024n])
  })

  // geth and others raise it to the minimum before they add the bomb; on mainnet the order never mattered.
  it('adds the bomb to what is the minimum at least', () => {
    expect(nextDifficulty(createRules('homestead', 1n), parentOf(1_199_999n, 131_072n), 2_000n)).toBe(
      131_072n + 1_024n,
    )
  })
})

describe('miningRewards', () => {
  it.each(MINED)('are what EthereumJS pays in %s', (hardfork) =>
    withRandom(async (random) => {
      const rules = createRules(hardfork, 1n)
      for (let i = 0; i < 3; i++) {
        const number = 100n + BigInt(random.below(1_000))
        const coinbase = random.hex(20)
        const base = { ...randomHeader(random, hardfork), baseFeePerGas: undefined, gasUsed: 0n }
        const ommers = random.list(random.below(3), () => ({
          ...base,
          number: number - BigInt(random.between(1, 7)),
          // Whoever mined the block may have mined its ommer, too.
          coinbase: random.chance(0.3) ? coinbase : random.hex(20),
          stateRoot: random.hex(32),
        }))
        const common = theirCommon(hardfork)
        const stateManager = await referenceState(common, [{ address: coinbase, balance: 5n }])
        const header = { number, coinbase, difficulty: 1n, gasLimit: 5_000_000n }
        const uncleHeaders = ommers.map(({ number, coinbase, stateRoot }) => ({
          ...header,
          number,
          coinbase,
          stateRoot,
        }))
        await runBlock(await createVM({ common, stateManager }), {
          block: createBlock({ header, uncleHeaders }, { common }),
          generate: true,
          skipBlockValidation: true,
        })
        const rewards = miningRewards(rules, { ...base, number, coinbase }, ommers)
        const state = withPayments(State.empty.with([{ address: coinbase, balance: 5n }]), rewards)
        expect(state.root()).toBe(toHex(await stateManager.getStateRoot()))
      }
    })(),
  )

  // Yellow Paper 11.3, EIP-649, EIP-1234.
  it.each<[AnyHardfork, depths: number[], ommers: number[], block: number]>([
    ['frontier', [], [], 5],
    ['frontier', [1], [4.375], 5.15625],
    ['frontier', [1, 6], [4.375, 1.25], 5.3125],
    ['byzantium', [], [], 3],
    ['byzantium', [2], [2.25], 3.09375],
    ['constantinople', [], [], 2],
    ['london', [6, 6], [0.5, 0.5], 2.125],
  ])('in %s with ommers that are %j blocks back are %j and %d ether', (hardfork, depths, ommers, block) => {
    const header = { ...randomHeader(new Random(2), 'berlin'), number: 50n }
    const rewards = miningRewards(
      createRules(hardfork, 1n),
      header,
      depths.map((depth) => ({ ...header, number: 50n - BigInt(depth) })),
    )
    expect(rewards.map(([, wei]) => Number(wei) / 1e18)).toEqual([...ommers, block])
  })
})
