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
import networks from './networks.json' with { type: 'json' }

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
/** Gnosis Chain's blob schedule under all hardforks. The minimum blob gas price (1 gwei) is not part of EIP-7840. */
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

/** Differences to mainnet's rules, by chain id, of the networks in `networks.json`. */
const CONFIGS: Readonly<Record<number, ChainConfig>> = {
  1: {
    depositContract: MAINNET_DEPOSITS,
    dao: { block: 1_920_000n, isSupported: true },
    terminalTotalDifficulty: 58_750_000_000_000_000_000_000n,
  },
  11155111: {
    depositContract: '0x7f02c3e3c98b133055b8b348b2ac625669ed295d',
    terminalTotalDifficulty: 17_000_000_000_000_000n,
    mergeNetsplitBlock: 1_735_371n,
  },
  17000: { depositContract: '0x4242424242424242424242424242424242424242', terminalTotalDifficulty: 0n },
  560048: { depositContract: MAINNET_DEPOSITS, terminalTotalDifficulty: 0n, mergeNetsplitBlock: 0n },
  100: ON_GNOSIS,
  10200: ON_GNOSIS,
}

const ROWS: readonly Row[] = [
  ...networks.map(({ chainId, blocks, times, ...row }) => ({
    ...row,
    chainId: BigInt(chainId),
    blocks: toBigints(blocks),
    times: toBigints(times),
    config: CONFIGS[chainId] ?? {},
  })),
  {
    chainId: 10n,
    name: 'op',
    // Bedrock. Earlier blocks ran on a different virtual machine.
    blocks: { istanbul: 0n, berlin: 3_950_000n, paris: 105_235_063n },
    times: OP_TIMES,
    config: L2('op'),
  },
  ...SUPERCHAIN,
]

function toBigints(numbers: Readonly<Partial<Record<AnyHardfork, number>>> = {}) {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, BigInt(number)]))
}

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
