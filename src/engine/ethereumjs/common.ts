/** Rules in EthereumJS's form. */
import { paramsBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { paramsTx } from '@ethereumjs/tx'
import type { KZG } from '@ethereumjs/util'
import { toQuantity } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { verifyKzgProof } from '../../crypto/kzg.ts'
import { recoverPublicKey } from '../../crypto/secp256k1.ts'
import type { AnyHardfork, Rules } from '../../model/hardfork/hardfork.ts'

/** The names of hardforks that differ; the rules of "blob parameter only" hardforks are Osaka's (EIP-7892). */
const NAMES: Partial<Record<AnyHardfork, string>> = {
  frontier: 'chainstart',
  bpo1: 'osaka',
  bpo2: 'osaka',
  bpo3: 'osaka',
  bpo4: 'osaka',
  bpo5: 'osaka',
}

/** Returns `rules` in EthereumJS's form. */
export function commonOf({ hardfork, chainId, codeSizeLimit }: Rules): Common {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, {
    hardfork: NAMES[hardfork] ?? hardfork,
    params: paramsTx,
    // Only the KZG function of the precompile is ever called; blobs are checked elsewhere.
    customCrypto: { keccak256, ecrecover, kzg: { verifyProof: verifyKzgProof } as unknown as KZG },
  })
  common.updateParams(paramsBlock) // the price of blob gas is among a block's parameters
  if (codeSizeLimit !== undefined) common.updateParams({ 3860: { maxInitCodeSize: 2 * codeSizeLimit } })
  return common
}

/** Returns EthereumJS's parameters of the EVM, with the chain's own limit of code size. */
export function evmParamsOf({ codeSizeLimit }: Rules): typeof paramsEVM {
  if (codeSizeLimit === undefined) return paramsEVM
  return {
    ...paramsEVM,
    607: { ...paramsEVM[607], maxCodeSize: codeSizeLimit },
    3860: { ...paramsEVM[3860], maxInitCodeSize: 2 * codeSizeLimit },
  }
}

/** `ecrecover` as EthereumJS's precompile and authorizations call it. Returns 64 bytes (x, y) or throws. */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v === 0n || v === 1n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(yParity))
  if (publicKey === undefined) throw new Error('no public key fits this signature')
  return publicKey.subarray(1)
}
