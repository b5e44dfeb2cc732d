/**
 * Which rules hold under a hardfork: this is the one place that decides what it means, everything else asks
 * `rules.has(1559)`. Which hardfork a block is under, `forkSchedule.ts` knows.
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

/** All hardforks, oldest first, and under which name EthereumJS has their rules. */
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
export type AnyHardfork = keyof typeof ETHEREUMJS_NAMES
const ALL_HARDFORKS = Object.keys(ETHEREUMJS_NAMES) as readonly AnyHardfork[]

/** The hardforks that a devnet can have from its first block on; older ones only come with a genesis.json. */
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

/** How many blobs a block may have, and how their price follows (EIP-7840). */
export interface BlobSchedule {
  /** Blobs in a block at which the price stays. */
  readonly target: number
  /** Blobs that a block may have. */
  readonly max: number
  readonly baseFeeUpdateFraction: bigint
}

/** The blob schedules of mainnet, for chains that name none. */
const MAINNET_BLOBS: Partial<Record<AnyHardfork, BlobSchedule>> = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477n },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716n },
  bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193n },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671n },
}

/** The rules of a chain under one hardfork: its id and the EIPs and parameters that follow. */
export interface Rules {
  readonly chainId: bigint
  readonly hardfork: AnyHardfork
  /** Absent before Cancun. */
  readonly blobs: BlobSchedule | undefined
  /** Whose deposits are requests (EIP-6110). */
  readonly depositContract: Address | undefined
  /** The L2 that the chain is, if it is one. */
  readonly l2: L2Chain | undefined
  /** The bytes that a contract may have, where the chain does not leave that to the hardfork; init code may have twice as many. */
  readonly codeSizeLimit: number | undefined
  /** What the chain does about the DAO fork; absent: it was before that, or is no such chain. */
  readonly dao: DaoFork | undefined
  /** Whether an EIP is in force. */
  has(eip: number): boolean
  /** Whether the hardfork is `first` or a later one. */
  since(first: AnyHardfork): boolean
  /** A protocol parameter by EthereumJS's name, such as `txGas`. */
  param(name: string): bigint
  /** @internal The same rules as EthereumJS wants them; only `evm/` needs it. */
  readonly common: Common
}

/** What a chain may decide for itself. */
export interface ChainConfig {
  /** The blob schedules that differ from mainnet's. */
  readonly blobs?: Partial<Record<AnyHardfork, BlobSchedule>>
  readonly depositContract?: Address
  /** An L2 has deposits, and transactions that pay for L1. */
  readonly l2?: L2Chain
  readonly dao?: DaoFork
  /** The total difficulty with which mining ends (EIP-3675). */
  readonly terminalTotalDifficulty?: bigint
  /** The bytes that a contract may have, in place of EIP-170's 24,576; a tool for tests, and part of no genesis.json. */
  readonly codeSizeLimit?: number
  /** From which block on nodes that know of the merge talk with no others: no rule but the fork id depends on it. */
  readonly mergeNetsplitBlock?: bigint
}

/** The rules of `hardfork` on chain `chainId`. */
export function createRules(hardfork: AnyHardfork, chainId: bigint, config: ChainConfig = {}): Rules {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, {
    hardfork: ETHEREUMJS_NAMES[hardfork],
    params: paramsTx,
    // Of what there is to KZG only the precompile is ever run: blobs themselves are not here.
    customCrypto: { keccak256, ecrecover, kzg: { verifyProof: verifyKzgProof } as unknown as KZG },
  })
  common.updateParams(paramsBlock) // the price of blob gas is among a block's parameters
  const { codeSizeLimit } = config
  if (codeSizeLimit !== undefined) common.updateParams({ 3860: { maxInitCodeSize: 2 * codeSizeLimit } })
  // The EVM asks in each step of each call, and Common looks through an array of fifty EIPs for each answer. The hardfork
  // of these rules never changes, so neither do the answers.
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

/** Whether `hardfork` is `first` or a later one. */
export function isSince(hardfork: AnyHardfork, first: AnyHardfork): boolean {
  return ALL_HARDFORKS.indexOf(hardfork) >= ALL_HARDFORKS.indexOf(first)
}

/** The blobs that blocks may have under `hardfork`: what the youngest hardfork says that has a schedule. */
export function blobsUnder(hardfork: AnyHardfork, { blobs }: ChainConfig): BlobSchedule | undefined {
  const schedules = { ...MAINNET_BLOBS, ...blobs }
  const past = ALL_HARDFORKS.slice(0, ALL_HARDFORKS.indexOf(hardfork) + 1)
  return past.map((name) => schedules[name]).findLast((schedule) => schedule !== undefined)
}

/** `ecrecover` as EthereumJS's precompile and authorizations call it: 64 bytes (x, y), or a throw. */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v === 0n || v === 1n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(yParity))
  if (publicKey === undefined) throw new Error('no public key fits this signature')
  return publicKey.subarray(1)
}
