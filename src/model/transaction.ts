/** Transactions as nouns: legacy, EIP-2930, EIP-1559, EIP-4844 and EIP-7702. How they are written as bytes, `signedTransaction.ts` knows. */
import type { Address, Hash } from './hex.ts'
import type { Signature } from './secp256k1.ts'

/** EIP-2930: addresses and slots that a transaction says it will touch. */
export type AccessList = readonly AccessListItem[]
export interface AccessListItem {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

/** EIP-7702: an account's signed wish to run the code of `address`. */
export interface Authorization extends Signature {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
}

/** EIP-2718 types that a devnet runs. */
export type TransactionType = 0 | 1 | 2 | 3 | 4

/** What is signed. */
export interface UnsignedTransaction {
  readonly type: TransactionType
  /** Absent in a legacy transaction without replay protection (EIP-155). */
  readonly chainId: bigint | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** Absent: the transaction creates a contract. */
  readonly to: Address | undefined
  /** Wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** Wei per gas; types 0 and 1 have one price, which stands in both. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  /** Only of type 3 (EIP-4844): wei per blob gas, and the hashes of the blobs' commitments. */
  readonly maxFeePerBlobGas?: bigint
  readonly blobVersionedHashes?: readonly Hash[]
}

export interface Transaction extends UnsignedTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly signature: Signature
  /** The signed bytes, as they came and as they stand in the transactions trie. */
  readonly raw: Uint8Array
  /** Nobody signed it: a test sends in the name of `from`, which may be a contract. */
  readonly isImpersonated?: true
}

/** A legacy transaction's `v` (EIP-155), a typed one's yParity. */
export function legacyV(transaction: Transaction): bigint {
  const parity = BigInt(transaction.signature.yParity)
  return transaction.chainId === undefined ? 27n + parity : transaction.chainId * 2n + 35n + parity
}

/** What a sender pays per gas under a base fee (EIP-1559), in wei. */
export function effectiveGasPrice(
  { maxFeePerGas, maxPriorityFeePerGas }: UnsignedTransaction,
  baseFeePerGas: bigint,
): bigint {
  const priority = maxFeePerGas - baseFeePerGas
  return baseFeePerGas + (priority < maxPriorityFeePerGas ? priority : maxPriorityFeePerGas)
}
