/** The type of a transaction that is described without one. */
import type { Rules } from '../hardfork/hardfork.ts'
import type { TransactionType } from './transaction.ts'

/** The members that decide the type; only their presence matters. */
export interface TypedMembers {
  readonly gasPrice?: unknown
  readonly maxFeePerGas?: unknown
  readonly maxPriorityFeePerGas?: unknown
  readonly accessList?: unknown
  readonly authorizationList?: unknown
  readonly blobVersionedHashes?: unknown
}

/** Returns the type that the members need: `requestedType` if it fits them, and EIP-1559 if any type does. */
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
