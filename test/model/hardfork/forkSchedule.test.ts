import { describe, expect, it } from 'vitest'
import {
  type BlockPosition,
  createForkSchedule,
  FROM_THE_BEGINNING,
  type ScheduledFork,
  uniformSchedule,
} from '../../../src/model/hardfork/forkSchedule.ts'
import type { AnyHardfork } from '../../../src/model/hardfork/hardfork.ts'

const block = (hardfork: AnyHardfork, number: bigint): ScheduledFork => ({
  hardfork,
  activation: { kind: 'block', number },
})
const time = (hardfork: AnyHardfork, timestamp: bigint): ScheduledFork => ({
  hardfork,
  activation: { kind: 'time', timestamp },
})
const merge: ScheduledFork = { hardfork: 'paris', activation: { kind: 'merge' } }

/** A chain that was mined, merged, and went on by time. */
const LONG_LIVED = createForkSchedule(
  7n,
  [
    { hardfork: 'frontier', activation: FROM_THE_BEGINNING },
    block('homestead', 3n),
    block('london', 10n),
    merge,
    time('shanghai', 1_000n),
    time('cancun', 2_000n),
    time('osaka', 2_000n),
    time('bpo1', 3_000n),
  ],
  {},
)

function position(number: bigint, timestamp: bigint, difficulty: bigint): BlockPosition {
  return { number, timestamp, difficulty }
}

describe('a fork schedule', () => {
  it.each<[AnyHardfork, string, BlockPosition]>([
    ['frontier', 'the first block', position(0n, 0n, 1n)],
    ['frontier', 'the block before another hardfork begins', position(2n, 900n, 1n)],
    ['homestead', 'the block with which it begins', position(3n, 0n, 1n)],
    ['homestead', 'the last block under it', position(9n, 999n, 1n)],
    ['london', 'a mined block after it began', position(1_000_000n, 999n, 1n)],
    ['paris', 'the first block that nobody mined', position(11n, 999n, 0n)],
    ['paris', 'a block that nobody mined, even before London', position(1n, 0n, 0n)],
    ['shanghai', 'the first block of the second in which it begins', position(12n, 1_000n, 0n)],
    ['shanghai', 'the second before another begins', position(13n, 1_999n, 0n)],
    ['shanghai', 'its time, whatever the number', position(0n, 1_000n, 0n)],
    // So it is with a genesis.json that has a difficulty, and all hardforks from the beginning.
    ['shanghai', 'its time, even where difficulty is left', position(0n, 1_000n, 1n)],
    ['osaka', 'the second in which two begin: the younger', position(14n, 2_000n, 0n)],
    ['osaka', 'a second in between', position(15n, 2_999n, 0n)],
    ['bpo1', 'the end of the schedule', position(10n ** 9n, 10n ** 12n, 0n)],
  ])('says %s at %s', (hardfork, _, at) => {
    expect(LONG_LIVED.at(at).hardfork).toBe(hardfork)
  })

  it('does not know the merge where none was scheduled', () => {
    const schedule = createForkSchedule(7n, [block('frontier', 0n), block('berlin', 5n)], {})
    expect(schedule.at(position(5n, 0n, 0n)).hardfork).toBe('berlin')
    expect(schedule.at(position(4n, 0n, 0n)).hardfork).toBe('frontier')
  })

  it('says the youngest of those that begin together with block 0', () => {
    const forks = [
      block('frontier', 0n),
      block('byzantium', 0n),
      block('london', 0n),
      merge,
      time('prague', 0n),
    ]
    const schedule = createForkSchedule(7n, forks, {})
    expect(schedule.at(position(0n, 0n, 0n)).hardfork).toBe('prague')
  })

  it('makes the rules of a hardfork once, and others for another', () => {
    const rules = LONG_LIVED.at(position(3n, 0n, 1n))
    expect(LONG_LIVED.at(position(4n, 500n, 2n))).toBe(rules)
    expect(LONG_LIVED.at(position(10n, 0n, 1n))).not.toBe(rules)
    expect(LONG_LIVED.at(position(9n, 0n, 1n))).toBe(rules)
  })

  it('gives its chain id and what the chain decided for itself to all rules', () => {
    const depositContract = `0x${'dd'.repeat(20)}` as const
    const blobs = { bpo1: { target: 1, max: 2, baseFeeUpdateFraction: 3n } }
    const schedule = createForkSchedule(7n, [block('london', 0n), time('prague', 1n), time('bpo1', 2n)], {
      depositContract,
      blobs,
    })
    const at = (timestamp: bigint) => schedule.at(position(9n, timestamp, 0n))
    expect([0n, 1n, 2n].map((timestamp) => at(timestamp).chainId)).toEqual([7n, 7n, 7n])
    expect(at(1n)).toMatchObject({ depositContract, blobs: { target: 6, max: 9 } })
    expect(at(2n)).toMatchObject({ depositContract, blobs: blobs.bpo1 })
  })
})

describe('a uniform schedule', () => {
  it('has one hardfork, whoever mined the block, at any number and time', () => {
    const schedule = uniformSchedule('byzantium', 5n)
    const rules = schedule.at(position(0n, 0n, 0n))
    expect(rules).toMatchObject({ hardfork: 'byzantium', chainId: 5n })
    for (const at of [position(0n, 0n, 1n), position(10n ** 9n, 0n, 0n), position(1n, 10n ** 12n, 9n)]) {
      expect(schedule.at(at)).toBe(rules)
    }
    expect(schedule.forks).toEqual([block('byzantium', 0n)])
  })
})
