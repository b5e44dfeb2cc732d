import type { Address, Hash } from '../../bytes/hex.ts'
import type { Signature } from '../../crypto/secp256k1.ts'
import type { Rules } from '../hardfork/hardfork.ts'

/** The addresses and slots that a transaction declares it will access (EIP-2930). */
export type AccessList = readonly AccessListItem[]
export interface AccessListItem {
  readonly address: Address
  readonly storageKeys: readonly Hash[]
}

/** An account's signed authorization to run the code of `address` (EIP-7702). */
export interface Authorization extends Signature {
  readonly chainId: bigint
  readonly address: Address
  readonly nonce: bigint
}

/** The transaction types that users send (EIP-2718). */
export type TransactionType = 0 | 1 | 2 | 3 | 4
/** The type of deposits, which an L2 receives from L1. */
export const DEPOSIT_TYPE = 0x7e

interface TransactionFields {
  /** Absent in a legacy transaction without replay protection (EIP-155). */
  readonly chainId: bigint | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** Absent: the transaction creates a contract. */
  readonly to: Address | undefined
  /** The transferred wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** The maximum fee in wei per gas. For types 0 and 1, both this and the priority fee equal the gas price. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  /** The maximum fee in wei per blob gas; only in type 3 (EIP-4844). */
  readonly maxFeePerBlobGas?: bigint
  /** The versioned hashes of the blobs' commitments; only in type 3 (EIP-4844). */
  readonly blobVersionedHashes?: readonly Hash[]
}

export interface UnsignedTransaction extends TransactionFields {
  readonly type: TransactionType
}

export interface DepositFields {
  readonly sourceHash: Hash
  /** Wei that the sender receives before execution, and keeps if the deposit fails. */
  readonly mint: bigint
}

export interface Transaction extends TransactionFields {
  readonly type: TransactionType | typeof DEPOSIT_TYPE
  readonly hash: Hash
  readonly from: Address
  readonly signature: Signature
  /** The signed bytes, as in the transactions trie. */
  readonly raw: Uint8Array
  /** True if the sender was impersonated: the signature is invalid, and `from` may be a contract. */
  readonly isImpersonated?: true
  /** Only in type 0x7e, with zeros as nonce, fees and signature. */
  readonly deposit?: DepositFields
}

/** Returns a legacy transaction's `v` (EIP-155), or a typed one's yParity. */
export function legacyV(transaction: Transaction): bigint {
  const parity = BigInt(transaction.signature.yParity)
  return transaction.chainId === undefined ? 27n + parity : transaction.chainId * 2n + 35n + parity
}

/** Returns the price in wei per gas that a sender pays under a base fee (EIP-1559). */
export function effectiveGasPrice(
  { maxFeePerGas, maxPriorityFeePerGas }: Pick<Transaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  baseFeePerGas: bigint,
): bigint {
  const priority = maxFeePerGas - baseFeePerGas
  return baseFeePerGas + (priority < maxPriorityFeePerGas ? priority : maxPriorityFeePerGas)
}

interface TypedMembers {
  readonly gasPrice?: unknown
  readonly maxFeePerGas?: unknown
  readonly maxPriorityFeePerGas?: unknown
  readonly accessList?: unknown
  readonly authorizationList?: unknown
  readonly blobVersionedHashes?: unknown
}

/** Returns the type that the given members need: `requestedType` if it fits them, by default EIP-1559. */
export function typeOf(
  rules: Rules,
  members: TypedMembers,
  requestedType: TransactionType | undefined,
): TransactionType {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList } = members
  if (members.authorizationList !== undefined) return 4
  if (members.blobVersionedHashes !== undefined) return 3
  const hasTwoPrices = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined
  const hasOnePrice =
    gasPrice !== undefined || (!hasTwoPrices && (requestedType === 0 || requestedType === 1))
  if (!hasOnePrice && rules.has(1559)) return 2
  return accessList === undefined && requestedType !== 1 ? 0 : 1
}
