/** Fork hashes against those of EIP-2124, EIP-7910 and execution-apis. */
import { describe, expect, it } from 'vitest'
import type { Hash } from '../../../src/bytes/hex.ts'
import type { Block } from '../../../src/model/block/block.ts'
import {
  createForkSchedule,
  FROM_THE_BEGINNING,
  forkHash,
  type ScheduledFork,
} from '../../../src/model/hardfork/forkSchedule.ts'
import type { AnyHardfork } from '../../../src/model/hardfork/hardfork.ts'

const first = (hash: Hash, timestamp = 0n) => ({ hash, header: { timestamp } }) as unknown as Block
const at = (number: bigint, timestamp = 0n) => ({ number, timestamp, difficulty: 0n })
const byBlock = (hardfork: AnyHardfork, number: bigint): ScheduledFork => ({
  hardfork,
  activation: { kind: 'block', number },
})
const byTime = (hardfork: AnyHardfork, timestamp: bigint): ScheduledFork => ({
  hardfork,
  activation: { kind: 'time', timestamp },
})
const FRONTIER: ScheduledFork = { hardfork: 'frontier', activation: FROM_THE_BEGINNING }

const GOERLI = first('0xbf7e331f7f7c1dd2e05159666b3bf8bc7a8a3a9eb1d518969eab529dd9b88c1a')
const HOODI = first('0xbbe312868b376a3001692a646dd2d7d1e4406380dfd86b98aa8a34d1557c971b')
/** That of execution-apis' tests. */
const TESTED = first('0x44fd89d504659cd58f48f4796b77a7e7012cf296a2409afa2f6c3cb99b5b3d99')

describe('the fork hash', () => {
  it('counts hardforks by block once they have begun, as on Görli (go-ethereum core/forkid)', () => {
    const schedule = createForkSchedule(
      5n,
      [FRONTIER, byBlock('petersburg', 0n), byBlock('istanbul', 1_561_651n), byBlock('berlin', 4_460_644n)],
      {},
    )
    const hashes = [0n, 1_561_650n, 1_561_651n, 4_460_643n, 4_460_644n, 9_999_999n].map((number) =>
      forkHash(schedule, GOERLI, at(number)),
    )
    expect(hashes).toEqual([
      '0xa3f5ab08',
      '0xa3f5ab08',
      '0xc25efa5c',
      '0xc25efa5c',
      '0x757a1c47',
      '0x757a1c47',
    ])
  })

  it('counts those by time, as on Hoodi (EIP-7910)', () => {
    const schedule = createForkSchedule(
      560_048n,
      [byTime('cancun', 0n), byTime('prague', 1_742_999_832n)],
      {},
    )
    expect(forkHash(schedule, HOODI, at(1n, 1_742_999_831n))).toBe('0xbef71d30')
    expect(forkHash(schedule, HOODI, at(1n, 1_742_999_832n))).toBe('0x0929e24e')
  })

  it('counts blocks, the block of the merge among them, and then times (execution-apis, eth_config)', () => {
    const blocks = [3n, 6n, 9n, 12n, 15n, 18n, 21n, 24n, 27n, 30n, 33n]
    const times = [390n, 420n, 450n, 480n, 510n, 540n]
    const schedule = createForkSchedule(
      3_503_995_874_084_926n,
      [
        FRONTIER,
        ...blocks.map((number) => byBlock('london', number)),
        ...times.map((time) => byTime('osaka', time)),
      ],
      { mergeNetsplitBlock: 36n },
    )
    expect(forkHash(schedule, TESTED, at(60n, 600n))).toBe('0xe272ecbe')
  })

  it('counts hardforks that begin together once', () => {
    const together = createForkSchedule(1n, [byTime('cancun', 9n), byTime('prague', 9n)], {})
    const alone = createForkSchedule(1n, [byTime('prague', 9n)], {})
    expect(forkHash(together, HOODI, at(1n, 9n))).toBe(forkHash(alone, HOODI, at(1n, 9n)))
  })

  it('does not count what block 0 had already', () => {
    const schedule = createForkSchedule(1n, [byTime('cancun', 5n)], {})
    const origin = first(HOODI.hash, 5n)
    expect(forkHash(schedule, origin, at(1n, 9n))).toBe('0xbef71d30')
  })
})
