/**
 * Transactions as nouns: legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702, and the deposits of an L2. How they are written as
 * bytes, `signedTransaction.ts` and `deposit.ts` know.
 */
import type { Address, Hash } from '../bytes/hex.ts'
import type { Signature } from '../crypto/secp256k1.ts'

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

/** EIP-2718 types that people send. */
export type TransactionType = 0 | 1 | 2 | 3 | 4
/** The type of deposits, which L1 sends to an L2. */
export const DEPOSIT_TYPE = 0x7e

interface TransactionFields {
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

/** What is signed. */
export interface UnsignedTransaction extends TransactionFields {
  readonly type: TransactionType
}

/** What only a deposit has. */
export interface DepositFields {
  /** What makes it the only one of its kind. */
  readonly sourceHash: Hash
  /** Wei that its sender gets before anything else, and keeps if it fails. */
  readonly mint: bigint
}

export interface Transaction extends TransactionFields {
  readonly type: TransactionType | typeof DEPOSIT_TYPE
  readonly hash: Hash
  readonly from: Address
  readonly signature: Signature
  /** The signed bytes, as they came and as they stand in the transactions trie. */
  readonly raw: Uint8Array
  /** Nobody signed it: a test sends in the name of `from`, which may be a contract. */
  readonly isImpersonated?: true
  /** Of type 0x7e, and of no other. Its nonce, fees and signature are zeros. */
  readonly deposit?: DepositFields
}

/** A legacy transaction's `v` (EIP-155), a typed one's yParity. */
export function legacyV(transaction: Transaction): bigint {
  const parity = BigInt(transaction.signature.yParity)
  return transaction.chainId === undefined ? 27n + parity : transaction.chainId * 2n + 35n + parity
}

/** What a sender pays per gas under a base fee (EIP-1559), in wei. */
export function effectiveGasPrice(
  { maxFeePerGas, maxPriorityFeePerGas }: Pick<Transaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  baseFeePerGas: bigint,
): bigint {
  const priority = maxFeePerGas - baseFeePerGas
  return baseFeePerGas + (priority < maxPriorityFeePerGas ? priority : maxPriorityFeePerGas)
}
