/**
 * The rules of each hardfork. This is the only place that knows what a hardfork means; other code calls
 * `rules.has(1559)`. `forkSchedule.ts` determines the hardfork of a block.
 */
import { paramsBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { paramsTx } from '@ethereumjs/tx'
import type { KZG } from '@ethereumjs/util'
import { type Address, toQuantity } from '../bytes/hex.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { verifyKzgProof } from '../crypto/kzg.ts'
import { recoverPublicKey } from '../crypto/secp256k1.ts'
import type { L2Chain } from '../l2/l2.ts'
import type { DaoFork } from './daoFork.ts'

/** All hardforks, oldest first, with the name under which EthereumJS has their rules. */
const ETHEREUMJS_NAMES = {
  frontier: 'chainstart',
  homestead: 'homestead',
  tangerineWhistle: 'tangerineWhistle',
  spuriousDragon: 'spuriousDragon',
  byzantium: 'byzantium',
  constantinople: 'constantinople',
  petersburg: 'petersburg',
  istanbul: 'istanbul',
  muirGlacier: 'muirGlacier',
  berlin: 'berlin',
  london: 'london',
  arrowGlacier: 'arrowGlacier',
  grayGlacier: 'grayGlacier',
  paris: 'paris',
  shanghai: 'shanghai',
  cancun: 'cancun',
  prague: 'prague',
  osaka: 'osaka',
  // "Blob parameter only" (EIP-7892): the rules of Osaka with another blob schedule.
  bpo1: 'osaka',
  bpo2: 'osaka',
  bpo3: 'osaka',
  bpo4: 'osaka',
  bpo5: 'osaka',
} as const
/** A hardfork of Ethereum, from Frontier on. */
export type AnyHardfork = keyof typeof ETHEREUMJS_NAMES
const ALL_HARDFORKS = Object.keys(ETHEREUMJS_NAMES) as readonly AnyHardfork[]

/** The hardforks that a devnet can have from its first block on; older ones need a genesis.json. */
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
/** A hardfork that the option `hardfork` accepts. */
export type Hardfork = (typeof HARDFORKS)[number]

/** The numbers of blobs in a block, and the parameter of their price (EIP-7840). */
export interface BlobSchedule {
  /** The number of blobs in a block at which the price does not change. */
  readonly target: number
  /** The limit of blobs in a block. */
  readonly max: number
  readonly baseFeeUpdateFraction: bigint
}

/** The blob schedules of mainnet, the default of all chains. */
const MAINNET_BLOBS: Partial<Record<AnyHardfork, BlobSchedule>> = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477n },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716n },
  bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193n },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671n },
}

/** The rules of a chain under one hardfork: the chain id, EIPs and parameters. */
export interface Rules {
  readonly chainId: bigint
  readonly hardfork: AnyHardfork
  /** Absent before Cancun. */
  readonly blobs: BlobSchedule | undefined
  /** The contract whose logs are deposit requests (EIP-6110). */
  readonly depositContract: Address | undefined
  /** The kind of L2, if the chain is one. */
  readonly l2: L2Chain | undefined
  /**
   * The limit of a contract's code in bytes, if the chain overrides the hardfork's; that of init code is twice as much.
   */
  readonly codeSizeLimit: number | undefined
  /** The chain's configuration of the DAO fork; absent on other chains and at older hardforks. */
  readonly dao: DaoFork | undefined
  /** Returns whether an EIP is active. */
  has(eip: number): boolean
  /** Returns whether the hardfork is `first` or a later one. */
  since(first: AnyHardfork): boolean
  /** Returns a protocol parameter by EthereumJS's name, such as `txGas`. */
  param(name: string): bigint
  /** @internal The same rules in EthereumJS's form; only `evm/` needs them. */
  readonly common: Common
}

/** The parameters in which a chain may differ from mainnet. */
export interface ChainConfig {
  /** The blob schedules that differ from mainnet's. */
  readonly blobs?: Partial<Record<AnyHardfork, BlobSchedule>>
  readonly depositContract?: Address
  /** The kind of L2: its chain has deposits, and transactions pay for data on L1. */
  readonly l2?: L2Chain
  readonly dao?: DaoFork
  /** The total difficulty at which mining ends (EIP-3675). */
  readonly terminalTotalDifficulty?: bigint
  /** The limit of a contract's code in bytes, in place of EIP-170's 24,576. For tests; not part of a genesis.json. */
  readonly codeSizeLimit?: number
  /** The block from which nodes with the merge disconnect from others. Affects only the fork id. */
  readonly mergeNetsplitBlock?: bigint
}

/** Returns the rules of `hardfork` on chain `chainId`. */
export function createRules(hardfork: AnyHardfork, chainId: bigint, config: ChainConfig = {}): Rules {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, {
    hardfork: ETHEREUMJS_NAMES[hardfork],
    params: paramsTx,
    // Only the KZG function of the precompile is ever called; blobs are checked elsewhere.
    customCrypto: { keccak256, ecrecover, kzg: { verifyProof: verifyKzgProof } as unknown as KZG },
  })
  common.updateParams(paramsBlock) // the price of blob gas is among a block's parameters
  const { codeSizeLimit } = config
  if (codeSizeLimit !== undefined) common.updateParams({ 3860: { maxInitCodeSize: 2 * codeSizeLimit } })
  // The EVM reads this at each step of each call, and Common searches an array of fifty EIPs each time. The results are
  // cached: the hardfork of these rules never changes.
  const answers = new Map<number, boolean>()
  const ask = common.isActivatedEIP.bind(common)
  const has = (eip: number): boolean => {
    let answer = answers.get(eip)
    if (answer === undefined) {
      answer = ask(eip)
      answers.set(eip, answer)
    }
    return answer
  }
  common.isActivatedEIP = has
  return {
    chainId,
    hardfork,
    blobs: blobsUnder(hardfork, config),
    depositContract: config.depositContract,
    l2: config.l2,
    codeSizeLimit,
    dao: config.dao,
    has,
    since: (first) => isSince(hardfork, first),
    param: (name) => common.param(name),
    common,
  }
}

/** Returns whether `hardfork` is `first` or a later one. */
export function isSince(hardfork: AnyHardfork, first: AnyHardfork): boolean {
  return ALL_HARDFORKS.indexOf(hardfork) >= ALL_HARDFORKS.indexOf(first)
}

/** Returns the blob schedule under `hardfork`: that of the latest hardfork that has one. */
export function blobsUnder(hardfork: AnyHardfork, { blobs }: ChainConfig): BlobSchedule | undefined {
  const schedules = { ...MAINNET_BLOBS, ...blobs }
  const past = ALL_HARDFORKS.slice(0, ALL_HARDFORKS.indexOf(hardfork) + 1)
  return past.map((name) => schedules[name]).findLast((schedule) => schedule !== undefined)
}

/** `ecrecover` as EthereumJS's precompile and authorizations call it. Returns 64 bytes (x, y) or throws. */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v === 0n || v === 1n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(yParity))
  if (publicKey === undefined) throw new Error('no public key fits this signature')
  return publicKey.subarray(1)
}
