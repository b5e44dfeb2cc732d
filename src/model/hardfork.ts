/**
 * Which rules hold. The hardfork is an option of the whole devnet, and this is the one place that decides what it means:
 * everything else asks `rules.has(1559)`.
 */
import { paramsBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { paramsTx } from '@ethereumjs/tx'
import { toQuantity } from './hex.ts'
import { keccak256 } from './keccak.ts'
import { recoverPublicKey } from './secp256k1.ts'

/** The hardforks that a devnet can run, oldest first, in EthereumJS's spelling. */
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
] as const
export type Hardfork = (typeof HARDFORKS)[number]

/** The rules of a chain: its id, its hardfork and the EIPs and parameters that follow from it. */
export interface Rules {
  readonly chainId: bigint
  readonly hardfork: Hardfork
  /** Whether an EIP is in force. */
  has(eip: number): boolean
  /** A protocol parameter by EthereumJS's name, such as `txGas`. */
  param(name: string): bigint
  /** The same rules as EthereumJS wants them; only `evm/` needs it. */
  readonly common: Common
}

/** The rules of `hardfork` on chain `chainId`. */
export function createRules(hardfork: Hardfork, chainId: bigint): Rules {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, {
    hardfork,
    params: paramsTx,
    customCrypto: { keccak256, ecrecover },
  })
  common.updateParams(paramsBlock) // the price of blob gas is among a block's parameters
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
    has,
    param: (name) => common.param(name),
    common,
  }
}

/** `ecrecover` as EthereumJS's precompile and authorizations call it: 64 bytes (x, y), or a throw. */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v === 0n || v === 1n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(yParity))
  if (publicKey === undefined) throw new Error('no public key fits this signature')
  return publicKey.subarray(1)
}
