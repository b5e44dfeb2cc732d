/**
 * Converts messages to the members of transactions that `runTx` uses. EthereumJS's own transaction classes validate,
 * copy and freeze their input. They refuse simulations (no signature, any sender, more gas than EIP-7825 allows).
 */

import { paramsBlock } from '@ethereumjs/block'
import { type Common, createCustomCommon, Mainnet } from '@ethereumjs/common'
import { paramsEVM } from '@ethereumjs/evm'
import { Capability, paramsTx, type TypedTransaction } from '@ethereumjs/tx'
import { Address as AddressObject, type KZG } from '@ethereumjs/util'
import { type Address, fromHex, type Hex, toHex, toQuantity } from '../../bytes/hex.ts'
import { bls12381 } from '../../crypto/curves/curves.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { isKzgProof } from '../../crypto/kzgProof.ts'
import { recoverPublicKey } from '../../crypto/secp256k1.ts'
import type { AnyHardfork, Rules } from '../../model/hardfork/hardfork.ts'
import { authorizationFields } from '../../model/transaction/signedTransaction.ts'
import type { Message } from '../engine.ts'

export function transactionOf(common: Common, message: Message, intrinsicGas: bigint): TypedTransaction {
  const { type, nonce, gasLimit, value, data, gasPrice, tip, blobVersionedHashes } = message
  const sender = addressObject(message.from)
  const to = message.to === undefined ? undefined : addressObject(message.to)
  const transaction = {
    ...{ type, common, nonce, gasLimit, to, value, data, gasPrice, blobVersionedHashes },
    maxFeePerGas: gasPrice,
    maxPriorityFeePerGas: tip,
    accessList: message.accessList.map(({ address, storageKeys }) => [
      fromHex(address),
      storageKeys.map(fromHex),
    ]),
    authorizationList: message.authorizationList.map(authorizationFields),
    maxFeePerBlobGas: message.blobGasPrice,
    supports: (capability: number) => type >= (FIRST_TYPE.get(capability) ?? Number.POSITIVE_INFINITY),
    getSenderAddress: () => sender,
    getIntrinsicGas: () => intrinsicGas,
    getEffectivePriorityFee: () => tip,
    getUpfrontCost: () => gasLimit * gasPrice + value,
    numBlobs: () => blobVersionedHashes.length,
    toCreationAddress: () => to === undefined,
    // The message is treated as unsigned, because a signed transaction would need a hash.
    isSigned: () => false,
    errorStr: () => `message from ${sender}`,
  }
  return transaction as unknown as TypedTransaction
}

/** For each capability that EthereumJS knows, the first transaction type that has it. */
const FIRST_TYPE: ReadonlyMap<number, number> = new Map([
  [Capability.EIP2718TypedTransaction, 1],
  [Capability.EIP2930AccessLists, 1],
  [Capability.EIP1559FeeMarket, 2],
  [Capability.EIP7702EOACode, 4],
])

/** An address object with its hex form, cached because a run reads the account of the same object repeatedly. */
interface CachedAddress extends AddressObject {
  text?: Address
}

export function addressObject(address: Address): AddressObject {
  const object: CachedAddress = new AddressObject(fromHex(address))
  object.text = address
  return object
}

export function addressOf(object: CachedAddress): Address {
  object.text ??= toHex(object.bytes)
  return object.text
}

/** Returns EthereumJS's name of a hardfork. The rules of "blob parameter only" hardforks are Osaka's (EIP-7892). */
function nameOf(hardfork: AnyHardfork): string {
  if (hardfork === 'frontier') return 'chainstart'
  return hardfork.startsWith('bpo') ? 'osaka' : hardfork
}

export function commonOf({ hardfork, chainId, codeSizeLimit }: Rules): Common {
  const common = createCustomCommon({ chainId: Number(chainId) }, Mainnet, {
    hardfork: nameOf(hardfork),
    params: paramsTx,
    // EthereumJS calls only `verifyProof` of `kzg` here, for the KZG precompile.
    customCrypto: { keccak256, ecrecover, kzg: { verifyProof: verifyKzgProof } as unknown as KZG },
  })
  common.updateParams(paramsBlock) // contains the parameters of the blob gas price
  if (codeSizeLimit !== undefined) common.updateParams({ 3860: { maxInitCodeSize: 2 * codeSizeLimit } })
  return common
}

export function evmParamsOf({ codeSizeLimit }: Rules): typeof paramsEVM {
  if (codeSizeLimit === undefined) return paramsEVM
  return {
    ...paramsEVM,
    607: { ...paramsEVM[607], maxCodeSize: codeSizeLimit },
    3860: { ...paramsEVM[3860], maxInitCodeSize: 2 * codeSizeLimit },
  }
}

/** Recovers a public key for ecrecover and authorizations. Returns 64 bytes (x, y) or throws. */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const yParity = v === 0n || v === 1n ? v : chainId === undefined ? v - 27n : v - (chainId * 2n + 35n)
  const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(yParity))
  if (publicKey === undefined) throw new Error('no public key fits this signature')
  return publicKey.subarray(1)
}

/** Requires that `bls12381` is loaded, because EthereumJS calls this function synchronously. */
function verifyKzgProof(commitment: Hex, z: Hex, y: Hex, proof: Hex): boolean {
  return isKzgProof(bls12381.current, fromHex(commitment), fromHex(z), fromHex(y), fromHex(proof))
}
