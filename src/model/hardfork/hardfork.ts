/** The rules of each hardfork. `forkSchedule.ts` finds the hardfork of a block, `ruleTables.ts` has the values. */
import { type Address, fromHex } from '../../bytes/hex.ts'
import { DEFAULT_UPGRADE, L2_UPGRADES, type L2Chain, type L2Upgrade } from '../l2/l2.ts'
import pairs from './daoAccounts.json' with { type: 'json' }
import {
  ALL_HARDFORKS,
  type AnyHardfork,
  EIPS,
  PARAMETERS,
  type ParameterName,
  PRECOMPILES,
  type PrecompilePlace,
} from './ruleTables.ts'

export type { AnyHardfork }

/** The hardforks that the option `hardfork` accepts. Older hardforks need a genesis.json. */
export const HARDFORKS = [
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
] as const satisfies readonly AnyHardfork[]
export type Hardfork = (typeof HARDFORKS)[number]

/** Target and maximum number of blobs per block, and the parameter of the blob price (EIP-7840). */
export interface BlobSchedule {
  /** The number of blobs in a block at which the price does not change. */
  readonly target: number
  readonly max: number
  readonly baseFeeUpdateFraction: bigint
}

/** The blob schedules of mainnet, which other chains use by default. */
const MAINNET_BLOBS: Partial<Record<AnyHardfork, BlobSchedule>> = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477n },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716n },
  bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193n },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671n },
}

/** The rules of a chain under one hardfork. */
export interface Rules {
  readonly chainId: bigint
  readonly hardfork: AnyHardfork
  readonly blobs: BlobSchedule | undefined
  /** The contract whose logs are deposit requests (EIP-6110). */
  readonly depositContract: Address | undefined
  /** The kind of L2; `undefined` on other chains. */
  readonly l2: L2Chain | undefined
  /** The OP Stack upgrade. Determines the storage layout of L1Block and the L1 data fee. */
  readonly l2Upgrade: L2Upgrade
  /** The maximum code size in bytes; init code may be twice as large. `undefined`: the limit of the hardfork. */
  readonly codeSizeLimit: number | undefined
  readonly dao: DaoFork | undefined
  has(eip: number): boolean
  /** Returns whether the hardfork is `first` or a later one. */
  since(first: AnyHardfork): boolean
  /** Returns a protocol parameter, such as `txGas`. Throws an error if the hardfork does not define the parameter. */
  param(name: ParameterName): bigint
  readonly precompiles: ReadonlySet<Address>
}

/** The differences between a chain and mainnet. */
export interface ChainConfig {
  readonly blobs?: Partial<Record<AnyHardfork, BlobSchedule>>
  readonly depositContract?: Address
  readonly l2?: L2Chain
  readonly l2Upgrade?: L2Upgrade
  readonly dao?: DaoFork
  /** The total difficulty at which mining ends (EIP-3675). */
  readonly terminalTotalDifficulty?: bigint
  /** The maximum code size in bytes; by default 24,576 (EIP-170). Set by a test option, never by a genesis.json. */
  readonly codeSizeLimit?: number
  /** The block of a network split, which affects only the fork id (EIP-2124). */
  readonly mergeNetsplitBlock?: bigint
}

export function createRules(hardfork: AnyHardfork, chainId: bigint, config: ChainConfig = {}): Rules {
  const { codeSizeLimit } = config
  const eips = new Set(untilNow(EIPS, hardfork).flat())
  const parameters = new Map<string, bigint | undefined>(
    Object.entries(PARAMETERS).map(([name, values]) => [name, untilNow(values, hardfork).at(-1)]),
  )
  if (codeSizeLimit !== undefined) parameters.set('maxInitCodeSize', BigInt(2 * codeSizeLimit))
  return {
    chainId,
    hardfork,
    blobs: blobsUnder(hardfork, config),
    depositContract: config.depositContract,
    l2: config.l2,
    l2Upgrade: config.l2Upgrade ?? DEFAULT_UPGRADE,
    codeSizeLimit,
    dao: config.dao,
    has: (eip) => eips.has(eip),
    since: (first) => isSince(hardfork, first),
    param(name) {
      const value = parameters.get(name)
      if (value === undefined) throw new Error(`${hardfork} has no parameter ${name}`)
      return value
    },
    precompiles: new Set(
      PRECOMPILES.filter((place) => isSince(hardfork, place.since) || isOfL2(place, config)).map(
        ({ address }) => address,
      ),
    ),
  }
}

/** Returns whether an L2 adds this precompile to those of its hardfork: P256VERIFY since Fjord (RIP-7212). */
function isOfL2({ name }: PrecompilePlace, { l2, l2Upgrade = DEFAULT_UPGRADE }: ChainConfig): boolean {
  const isSinceFjord = L2_UPGRADES.indexOf(l2Upgrade) >= L2_UPGRADES.indexOf('fjord')
  return l2 !== undefined && name === 'P256VERIFY' && isSinceFjord
}

/** Returns the values that `table` has for `hardfork` and for earlier hardforks, oldest first. */
function untilNow<T>(table: Partial<Record<AnyHardfork, T>>, hardfork: AnyHardfork): T[] {
  const past = ALL_HARDFORKS.slice(0, ALL_HARDFORKS.indexOf(hardfork) + 1)
  return past.map((name) => table[name]).filter((value) => value !== undefined)
}

export function isSince(hardfork: AnyHardfork, first: AnyHardfork): boolean {
  return ALL_HARDFORKS.indexOf(hardfork) >= ALL_HARDFORKS.indexOf(first)
}

export function blobsUnder(hardfork: AnyHardfork, { blobs }: ChainConfig): BlobSchedule | undefined {
  return untilNow({ ...MAINNET_BLOBS, ...blobs }, hardfork).at(-1)
}

/** The accounts that the DAO fork drains (EIP-779): the DAO and its children, each before its extraBalance account. */
export const DAO_ACCOUNTS = pairs.flat() as readonly Address[]

export interface DaoFork {
  readonly block: bigint
  /** True if the chain applies the DAO fork, false if the chain rejects the fork. */
  readonly isSupported: boolean
}

/** The bytes of "dao-hard-fork": the extra data of the first blocks of a chain that applies the fork. */
export const DAO_EXTRA_DATA: Uint8Array = fromHex('0x64616f2d686172642d666f726b')
const BLOCKS_WITH_EXTRA_DATA = 10n

export const DAO_REFUND_CONTRACT: Address = '0xbf4ed7b27f1d666546e30d74d50d173d20bca754'

export function hasDaoExtraData({ block }: DaoFork, number: bigint): boolean {
  return number >= block && number < block + BLOCKS_WITH_EXTRA_DATA
}
