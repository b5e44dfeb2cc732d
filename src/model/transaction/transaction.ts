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
/** The type of deposits, which L1 sends to an L2. */
export const DEPOSIT_TYPE = 0x7e

interface TransactionFields {
  /** `undefined` in a legacy transaction without replay protection (EIP-155). */
  readonly chainId: bigint | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly to: Address | undefined
  /** In wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** The maximum fee in wei per gas. For types 0 and 1, this fee and the priority fee both equal the gas price. */
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  /** The maximum fee in wei per blob gas; present only in type 3 (EIP-4844). */
  readonly maxFeePerBlobGas?: bigint
  /** The versioned hashes of the blobs' commitments; present only in type 3 (EIP-4844). */
  readonly blobVersionedHashes?: readonly Hash[]
}

export interface UnsignedTransaction extends TransactionFields {
  readonly type: TransactionType
}

export interface DepositFields {
  readonly sourceHash: Hash
  /** The wei that the sender receives before execution, and keeps even if the deposit fails. */
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
  /** The fields of a deposit; present only in type 0x7e, where nonce, fees and signature are zero. */
  readonly deposit?: DepositFields
}

/** Returns `v` of a legacy transaction (EIP-155), or yParity of a typed transaction. */
export function legacyV(transaction: Transaction): bigint {
  const parity = BigInt(transaction.signature.yParity)
  return transaction.chainId === undefined ? 27n + parity : transaction.chainId * 2n + 35n + parity
}

/** Returns the price in wei per gas that a sender pays at the given base fee (EIP-1559). */
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

/** Returns `requestedType` if the members allow it, otherwise the type that they require, by default 2 (EIP-1559). */
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
