/** Public networks: their hardforks, held against the fork ids that specifications and clients name (EIP-2124). */
import { describe, expect, it } from 'vitest'
import type { Hash } from '../../../src/bytes/hex.ts'
import type { Block } from '../../../src/model/block/block.ts'
import { forkHash } from '../../../src/model/hardfork/forkSchedule.ts'
import { networkOf } from '../../../src/model/hardfork/networks.ts'

/** The genesis blocks: hash and time. */
const GENESIS: Record<string, readonly [Hash, bigint]> = {
  '1': ['0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3', 0n],
  '11155111': ['0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9', 1_633_267_481n],
  '17000': ['0xb5f7f912443c940f21fd611f12828d75b534364ed9e95ca4e307729a4661bde4', 1_695_902_100n],
  '560048': ['0xbbe312868b376a3001692a646dd2d7d1e4406380dfd86b98aa8a34d1557c971b', 1_742_212_800n],
  '10200': ['0xada44fd8d2ecab8b08f256af07ad3e777f17fb434f8f8e678b312f576212ba9a', 0n],
}

/** The fork ids: of ethereum/execution-specs (`forks/osaka`), go-ethereum and erigon (`core/forkid` and its tests). */
const FORK_IDS: readonly (readonly [
  chainId: number,
  hardfork: string,
  number: bigint,
  time: bigint,
  id: string,
])[] = [
  [1, 'frontier', 0n, 0n, '0xfc64ec04'],
  [1, 'london', 12_965_000n, 1_628_166_822n, '0xb715077d'],
  [1, 'shanghai', 20_000_000n, 1_681_338_455n, '0xdce96c2d'],
  [1, 'cancun', 20_000_000n, 1_710_338_135n, '0x9f3d2254'],
  [1, 'osaka', 24_000_000n, 1_764_798_551n, '0x5167e2a6'],
  [11_155_111, 'osaka', 9_400_000n, 1_760_427_360n, '0xe2ae4999'],
  [17_000, 'osaka', 4_500_000n, 1_759_308_480n, '0x783def52'],
  [560_048, 'osaka', 1_500_000n, 1_761_677_592n, '0xe7e0e7ff'],
  [560_048, 'bpo1', 1_500_000n, 1_762_365_720n, '0x3893353e'],
  [10_200, 'shanghai', 4_100_419n, 1_684_934_220n, '0xa15a4252'],
  [10_200, 'cancun', 8_021_278n, 1_706_724_940n, '0x5fbc16bc'],
  [10_200, 'prague', 14_655_799n, 1_741_254_220n, '0x8ba51786'],
]

describe('the hardforks of a public network', () => {
  it.each(FORK_IDS)('give chain %d its fork id of %s', (chainId, hardfork, number, timestamp, id) => {
    const { schedule } = networkOf(BigInt(chainId))!
    const [hash, time] = GENESIS[chainId]!
    const origin = { hash, header: { timestamp: time } } as Block
    const position = {
      number,
      timestamp,
      difficulty: number < 15_537_394n && chainId === 1 && timestamp < 1_663_224_162n ? 1n : 0n,
    }
    expect(forkHash(schedule, origin, position)).toBe(id)
    expect(schedule.at(position).hardfork).toBe(hardfork)
  })

  it('follow each other in the blocks of mainnet', () => {
    const { schedule } = networkOf(1n)!
    const at = (number: bigint, timestamp: bigint, difficulty = 0n) =>
      schedule.at({ number, timestamp, difficulty })
    expect(at(15_537_393n, 1_663_224_162n, 1n).hardfork).toBe('grayGlacier')
    expect(at(15_537_394n, 1_663_224_179n).hardfork).toBe('paris')
    expect(at(22_431_084n, 1_746_612_311n).blobs).toMatchObject({ target: 6, max: 9 })
    expect(at(24_200_000n, 1_767_747_671n).blobs).toMatchObject({ target: 14, max: 21 })
    expect(at(24_200_000n, 1_767_747_671n).depositContract).toBe('0x00000000219ab540356cbb839cbe05303d7705fa')
  })

  it('have the blobs of Gnosis Chain, one and at most two', () => {
    const { schedule } = networkOf(100n)!
    for (const timestamp of [1_710_181_820n, 1_746_021_820n, 1_776_168_380n]) {
      const rules = schedule.at({ number: 33_000_000n, timestamp, difficulty: 0n })
      expect(rules.blobs).toEqual({ target: 1, max: 2, baseFeeUpdateFraction: 1_112_826n })
    }
  })

  it('name L2s of the OP Stack', () => {
    const kinds = [10n, 8_453n, 11_155_420n, 84_532n].map((id) => networkOf(id)!.schedule.config.l2)
    expect(kinds).toEqual(['op', 'base', 'op', 'base'])
    for (const id of [
      130n,
      480n,
      919n,
      1_301n,
      1_868n,
      1_946n,
      4_801n,
      34_443n,
      57_073n,
      763_373n,
      7_777_777n,
    ])
      expect(networkOf(id)!.schedule.config.l2, `${id}`).toBe('op')
    const at = { number: 30_000_000n, timestamp: 1_746_806_401n, difficulty: 0n }
    expect(networkOf(8_453n)!.schedule.at(at).hardfork).toBe('prague')
    expect(networkOf(8_453n)!.schedule.at({ ...at, timestamp: 1_746_806_400n }).hardfork).toBe('cancun')
  })

  it.each([
    [42_161n, 348_346_856n, 0n, 1n, 'prague'],
    [137n, 73_440_255n, 0n, 1n, 'cancun'],
    [56n, 50_000_000n, 1_777_343_400n, 2n, 'osaka'],
    [43_114n, 60_000_000n, 1_734_368_400n, 1n, 'cancun'],
  ])('do not wait for the merge on chain %d', (chainId, number, timestamp, difficulty, hardfork) => {
    expect(networkOf(chainId)!.schedule.at({ number, timestamp, difficulty }).hardfork).toBe(hardfork)
  })
})

it('an unknown chain is none', () => {
  expect(networkOf(31_337n)).toBeUndefined()
})
