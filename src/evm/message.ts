/**
 * A transaction or call in the form that `runTx` reads.
 *
 * EthereumJS's own transaction classes validate, copy and freeze on construction, and refuse what a simulation may do
 * (no signature, any sender, more gas than EIP-7825 allows). `runTx` needs only these members, for both.
 */
import type { Common } from '@ethereumjs/common'
import { Capability } from '@ethereumjs/tx'
import type { Address as AddressObject } from '@ethereumjs/util'
import { type Address, fromHex, type Hash } from '../model/bytes/hex.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import { intrinsicGas, type Payload } from '../model/transaction/intrinsicGas.ts'
import { authorizationFields } from '../model/transaction/signedTransaction.ts'
import type { AccessList, Authorization, DepositFields } from '../model/transaction/transaction.ts'
import { addressObject } from './addressObject.ts'

/** The fields that a run needs. A signed `Transaction` has all of them. */
export interface Runnable extends Payload {
  readonly type: number
  readonly from: Address
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** In wei. */
  readonly value: bigint
  /** In wei per gas. In types with one gas price, both members equal it. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes?: readonly Hash[]
  /** In wei per blob gas. Simulations do not pay for blobs. */
  readonly maxFeePerBlobGas?: bigint
  /** True if the sender is impersonated; it may be a contract. */
  readonly isImpersonated?: true
  /** The bytes that an L2 posts to L1; absent in simulations. */
  readonly raw?: Uint8Array
  /** The fields of a deposit; absent in other types. */
  readonly deposit?: DepositFields
}

/** A transaction or call with the members that `runTx` reads. */
export class Message {
  readonly type: number
  readonly sender: Address
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
  /** Whether it is a simulation: the sender's nonce and code are not checked. */
  readonly isSimulated: boolean
  /** Whether the sender may have code (EIP-3607). */
  readonly mayComeFromContract: boolean
  /** Whether it is a deposit, which L1 sent and which is paid for there. */
  readonly isDeposit: boolean
  /** The fields from which the intrinsic gas follows. */
  readonly payload: Payload
  readonly #rules: Rules
  readonly #sender: AddressObject
  #intrinsicGas: bigint | undefined

  constructor(rules: Rules, runnable: Runnable, isSimulated: boolean) {
    this.type = runnable.type
    this.sender = runnable.from
    this.common = rules.common
    this.nonce = runnable.nonce
    this.gasLimit = runnable.gasLimit
    this.to = runnable.to === undefined ? undefined : addressObject(runnable.to)
    this.value = runnable.value
    this.data = runnable.data
    this.gasPrice = runnable.maxFeePerGas
    this.maxFeePerGas = runnable.maxFeePerGas
    this.maxPriorityFeePerGas = runnable.maxPriorityFeePerGas
    this.accessList = runnable.accessList.map(({ address, storageKeys }) => [
      fromHex(address),
      storageKeys.map(fromHex),
    ])
    this.authorizationList = runnable.authorizationList.map(authorizationFields)
    this.blobVersionedHashes = runnable.blobVersionedHashes ?? []
    this.maxFeePerBlobGas = runnable.maxFeePerBlobGas ?? 0n
    this.isSimulated = isSimulated
    this.mayComeFromContract = isSimulated || runnable.isImpersonated === true
    this.isDeposit = runnable.deposit !== undefined
    this.payload = runnable
    this.#rules = rules
    this.#sender = addressObject(runnable.from)
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
    this.#intrinsicGas ??= intrinsicGas(this.#rules, this.payload)
    return this.#intrinsicGas
  }

  getEffectivePriorityFee(baseFeePerGas: bigint): bigint {
    const left = this.maxFeePerGas - baseFeePerGas
    return left < this.maxPriorityFeePerGas ? left : this.maxPriorityFeePerGas
  }

  getUpfrontCost(baseFeePerGas = 0n): bigint {
    const price = this.type > 1 ? this.getEffectivePriorityFee(baseFeePerGas) + baseFeePerGas : this.gasPrice
    return this.gasLimit * price + this.value
  }

  numBlobs(): number {
    return this.blobVersionedHashes.length
  }

  toCreationAddress(): boolean {
    return this.to === undefined
  }

  isSigned(): boolean {
    return !this.isSimulated
  }

  errorStr(): string {
    return `message from ${this.sender}`
  }
}
