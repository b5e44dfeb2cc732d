/**
 * A message in the form in which `runTx` reads transactions.
 *
 * EthereumJS's own transaction classes validate, copy and freeze on construction, and refuse what a simulation may do
 * (no signature, any sender, more gas than EIP-7825 allows). `runTx` needs only these members, for both.
 */
import type { Common } from '@ethereumjs/common'
import { Capability, type TypedTransaction } from '@ethereumjs/tx'
import type { Address as AddressObject } from '@ethereumjs/util'
import { fromHex, type Hash } from '../../bytes/hex.ts'
import { authorizationFields } from '../../model/transaction/signedTransaction.ts'
import type { Message } from '../engine.ts'
import { addressObject } from './addressObject.ts'

/** Returns `message` as `runTx` reads it. */
export function transactionOf(common: Common, message: Message, intrinsicGas: bigint): TypedTransaction {
  return new ReadTransaction(common, message, intrinsicGas) as unknown as TypedTransaction
}

/** A transaction that offers what is paid. */
class ReadTransaction {
  readonly type: number
  readonly common: Common
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly to: AddressObject | undefined
  readonly value: bigint
  readonly data: Uint8Array
  readonly gasPrice: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: readonly (readonly [Uint8Array, readonly Uint8Array[]])[]
  readonly authorizationList: readonly (readonly Uint8Array[])[]
  readonly blobVersionedHashes: readonly Hash[]
  readonly maxFeePerBlobGas: bigint
  readonly #sender: AddressObject
  readonly #intrinsicGas: bigint

  constructor(common: Common, message: Message, intrinsicGas: bigint) {
    this.type = message.type
    this.common = common
    this.nonce = message.nonce
    this.gasLimit = message.gasLimit
    this.to = message.to === undefined ? undefined : addressObject(message.to)
    this.value = message.value
    this.data = message.data
    this.gasPrice = message.gasPrice
    this.maxFeePerGas = message.gasPrice
    this.maxPriorityFeePerGas = message.tip
    this.accessList = message.accessList.map(({ address, storageKeys }) => [
      fromHex(address),
      storageKeys.map(fromHex),
    ])
    this.authorizationList = message.authorizationList.map(authorizationFields)
    this.blobVersionedHashes = message.blobVersionedHashes
    this.maxFeePerBlobGas = message.blobGasPrice
    this.#sender = addressObject(message.from)
    this.#intrinsicGas = intrinsicGas
  }

  supports(capability: number): boolean {
    switch (capability) {
      case Capability.EIP2718TypedTransaction:
      case Capability.EIP2930AccessLists:
        return this.type > 0
      case Capability.EIP1559FeeMarket:
        return this.type > 1
      case Capability.EIP7702EOACode:
        return this.type === 4
      default:
        return false
    }
  }

  getSenderAddress(): AddressObject {
    return this.#sender
  }

  getIntrinsicGas(): bigint {
    return this.#intrinsicGas
  }

  getEffectivePriorityFee(): bigint {
    return this.maxPriorityFeePerGas
  }

  getUpfrontCost(): bigint {
    return this.gasLimit * this.gasPrice + this.value
  }

  numBlobs(): number {
    return this.blobVersionedHashes.length
  }

  toCreationAddress(): boolean {
    return this.to === undefined
  }

  /** Only a signed one would have a hash. */
  isSigned(): boolean {
    return false
  }

  errorStr(): string {
    return `message from ${this.#sender}`
  }
}
