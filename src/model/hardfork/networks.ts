/**
 * Hardforks of public networks. Sources: go-ethereum, bnb-chain/bsc, maticnetwork/bor (`params/config.go`), coreth
 * (`params/config_extra.go`), gnosischain/specs, alloy-rs/hardforks, ethereum-optimism/superchain-registry.
 */
import type { Address } from '../../bytes/hex.ts'
import type { L2Chain } from '../l2/l2.ts'
import {
  createForkSchedule,
  type ForkSchedule,
  FROM_THE_BEGINNING,
  type ScheduledFork,
} from './forkSchedule.ts'
import type { AnyHardfork, BlobSchedule, ChainConfig } from './hardfork.ts'

export interface Network {
  readonly name: string
  readonly schedule: ForkSchedule
  /** Whether hardforks add the same header fields as on Ethereum. */
  readonly hasEthereumHeaders: boolean
}

/** When each hardfork activates: by block number, by timestamp, or at the merge. */
interface Activations {
  readonly blocks?: Partial<Record<AnyHardfork, bigint>>
  readonly isMerged?: boolean
  readonly times?: Partial<Record<AnyHardfork, bigint>>
}

interface Row extends Activations {
  readonly chainId: bigint
  readonly name: string
  readonly hasEthereumHeaders?: boolean
  readonly config?: ChainConfig
}

const MAINNET_DEPOSITS: Address = '0x00000000219ab540356cbb839cbe05303d7705fa'
/** Gnosis Chain's blob schedule under all hardforks. Its minimum blob gas price (1 gwei) is no part of EIP-7840. */
const GNOSIS_BLOBS: BlobSchedule = { target: 1, max: 2, baseFeeUpdateFraction: 1_112_826n }
const ON_GNOSIS: ChainConfig = { blobs: { cancun: GNOSIS_BLOBS, prague: GNOSIS_BLOBS } }
const L2 = (l2: L2Chain): ChainConfig => ({ l2 })
/** The activation times of the OP Stack upgrades Canyon, Ecotone and Isthmus. */
const OP_TIMES = { shanghai: 1_704_992_401n, cancun: 1_710_374_401n, prague: 1_746_806_401n }
const OP_SEPOLIA_TIMES = { shanghai: 1_699_981_200n, cancun: 1_708_534_800n, prague: 1_744_905_600n }

/** L2s that upgrade with OP Mainnet or OP Sepolia. Upgrades before a chain's start apply from block 0 on. */
const SUPERCHAIN: readonly Row[] = (
  [
    [130n, 'unichain', OP_TIMES],
    [480n, 'world chain', OP_TIMES],
    [1_135n, 'lisk', OP_TIMES],
    [1_868n, 'soneium', OP_TIMES],
    [8_453n, 'base', OP_TIMES],
    [34_443n, 'mode', OP_TIMES],
    [57_073n, 'ink', OP_TIMES],
    [7_777_777n, 'zora', OP_TIMES],
    [919n, 'mode sepolia', OP_SEPOLIA_TIMES],
    [1_301n, 'unichain sepolia', OP_SEPOLIA_TIMES],
    [1_946n, 'soneium minato', OP_SEPOLIA_TIMES],
    [4_202n, 'lisk sepolia', OP_SEPOLIA_TIMES],
    [4_801n, 'world chain sepolia', OP_SEPOLIA_TIMES],
    [84_532n, 'base sepolia', OP_SEPOLIA_TIMES],
    [763_373n, 'ink sepolia', OP_SEPOLIA_TIMES],
    [11_155_420n, 'op sepolia', OP_SEPOLIA_TIMES],
    [999_999_999n, 'zora sepolia', OP_SEPOLIA_TIMES],
  ] as const
).map(([chainId, name, times]) => ({
  chainId,
  name,
  blocks: { paris: 0n },
  times,
  config: L2(name.startsWith('base') ? 'base' : 'op'),
}))

const ROWS: readonly Row[] = [
  {
    chainId: 1n,
    name: 'mainnet',
    hasEthereumHeaders: true,
    blocks: {
      frontier: 0n,
      homestead: 1_150_000n,
      tangerineWhistle: 2_463_000n,
      spuriousDragon: 2_675_000n,
      byzantium: 4_370_000n,
      constantinople: 7_280_000n,
      petersburg: 7_280_000n,
      istanbul: 9_069_000n,
      muirGlacier: 9_200_000n,
      berlin: 12_244_000n,
      london: 12_965_000n,
      arrowGlacier: 13_773_000n,
      grayGlacier: 15_050_000n,
    },
    isMerged: true,
    times: {
      shanghai: 1_681_338_455n,
      cancun: 1_710_338_135n,
      prague: 1_746_612_311n,
      osaka: 1_764_798_551n,
      bpo1: 1_765_290_071n,
      bpo2: 1_767_747_671n,
    },
    config: {
      depositContract: MAINNET_DEPOSITS,
      dao: { block: 1_920_000n, isSupported: true },
      terminalTotalDifficulty: 58_750_000_000_000_000_000_000n,
    },
  },
  {
    chainId: 11_155_111n,
    name: 'sepolia',
    hasEthereumHeaders: true,
    blocks: { london: 0n },
    isMerged: true,
    times: {
      shanghai: 1_677_557_088n,
      cancun: 1_706_655_072n,
      prague: 1_741_159_776n,
      osaka: 1_760_427_360n,
      bpo1: 1_761_017_184n,
      bpo2: 1_761_607_008n,
    },
    config: {
      depositContract: '0x7f02c3e3c98b133055b8b348b2ac625669ed295d',
      terminalTotalDifficulty: 17_000_000_000_000_000n,
      mergeNetsplitBlock: 1_735_371n,
    },
  },
  {
    chainId: 17_000n,
    name: 'holesky',
    hasEthereumHeaders: true,
    blocks: { london: 0n },
    isMerged: true,
    times: {
      shanghai: 1_696_000_704n,
      cancun: 1_707_305_664n,
      prague: 1_740_434_112n,
      osaka: 1_759_308_480n,
      bpo1: 1_759_800_000n,
      bpo2: 1_760_389_824n,
    },
    config: { depositContract: '0x4242424242424242424242424242424242424242', terminalTotalDifficulty: 0n },
  },
  {
    chainId: 560_048n,
    name: 'hoodi',
    hasEthereumHeaders: true,
    blocks: { cancun: 0n },
    times: { prague: 1_742_999_832n, osaka: 1_761_677_592n, bpo1: 1_762_365_720n, bpo2: 1_762_955_544n },
    config: { depositContract: MAINNET_DEPOSITS, terminalTotalDifficulty: 0n, mergeNetsplitBlock: 0n },
  },
  {
    chainId: 100n,
    name: 'gnosis',
    hasEthereumHeaders: true,
    blocks: {
      byzantium: 0n,
      constantinople: 1_604_400n,
      petersburg: 2_508_800n,
      istanbul: 7_298_030n,
      berlin: 16_101_500n,
      london: 19_040_000n,
    },
    isMerged: true,
    times: {
      shanghai: 1_690_889_660n,
      cancun: 1_710_181_820n,
      prague: 1_746_021_820n,
      osaka: 1_776_168_380n,
    },
    config: ON_GNOSIS,
  },
  {
    chainId: 10_200n,
    name: 'chiado',
    hasEthereumHeaders: true,
    blocks: { london: 0n },
    isMerged: true,
    times: { shanghai: 1_684_934_220n, cancun: 1_706_724_940n, prague: 1_741_254_220n },
    config: ON_GNOSIS,
  },
  {
    chainId: 10n,
    name: 'op',
    // Bedrock. Earlier blocks ran on a different virtual machine.
    blocks: { istanbul: 0n, berlin: 3_950_000n, paris: 105_235_063n },
    times: OP_TIMES,
    config: L2('op'),
  },
  ...SUPERCHAIN,
  {
    chainId: 42_161n,
    name: 'arbitrum one',
    // The activations of ArbOS 11, 20 and 40.
    blocks: { paris: 0n, shanghai: 184_097_479n, cancun: 190_301_729n, prague: 348_346_856n },
  },
  {
    chainId: 137n,
    name: 'polygon',
    blocks: {
      istanbul: 0n,
      berlin: 14_750_000n,
      london: 23_850_000n,
      shanghai: 50_523_000n,
      cancun: 54_876_000n,
      prague: 73_440_256n,
    },
  },
  {
    chainId: 56n,
    name: 'bsc',
    blocks: { istanbul: 0n, london: 31_302_048n },
    times: {
      shanghai: 1_705_996_800n,
      cancun: 1_718_863_500n,
      prague: 1_742_436_600n,
      osaka: 1_777_343_400n,
    },
  },
  {
    chainId: 43_114n,
    name: 'avalanche c-chain',
    blocks: { istanbul: 0n, berlin: 1_640_340n, london: 3_308_552n },
    times: { shanghai: 1_709_740_800n, cancun: 1_734_368_400n },
  },
]

const NETWORKS = new Map<bigint, Network>()

export function networkOf(chainId: bigint): Network | undefined {
  const known = NETWORKS.get(chainId)
  const row = known === undefined ? ROWS.find((one) => one.chainId === chainId) : undefined
  if (row === undefined) return known
  const { name, config = {}, hasEthereumHeaders = false } = row
  const network = { name, hasEthereumHeaders, schedule: createForkSchedule(chainId, forksOf(row), config) }
  NETWORKS.set(chainId, network)
  return network
}

function forksOf({ blocks = {}, isMerged = false, times = {} }: Activations): ScheduledFork[] {
  const entries = <T>(record: Partial<Record<AnyHardfork, T>>) => Object.entries(record) as [AnyHardfork, T][]
  return [
    ...entries(blocks).map(([hardfork, number]) => ({
      hardfork,
      activation: number === 0n ? FROM_THE_BEGINNING : { kind: 'block' as const, number },
    })),
    ...(isMerged ? [{ hardfork: 'paris' as const, activation: { kind: 'merge' as const } }] : []),
    ...entries(times).map(([hardfork, timestamp]) => ({
      hardfork,
      activation: { kind: 'time' as const, timestamp },
    })),
  ]
}
