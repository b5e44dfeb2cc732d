/** A message to simulate (seed 2.4), and the changes to the world it is simulated in. */
import type { Address, Hash } from '../bytes/hex.ts'
import type { AccessList, Authorization } from '../transaction/transaction.ts'

export interface Call {
  readonly from: Address
  /** Absent: the call creates a contract. */
  readonly to: Address | undefined
  /** Absent: as much as is allowed. */
  readonly gas: bigint | undefined
  readonly fee: CallFee
  /** Wei. */
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
}

/**
 * What the call offers per gas, in wei. `none` (or zero): the base fee reads 0 and the sender's balance is not asked.
 */
export type CallFee =
  | { readonly kind: 'none' }
  | { readonly kind: 'legacy'; readonly gasPrice: bigint }
  | {
      readonly kind: 'eip1559'
      /** Absent: as much as the tip needs. */
      readonly maxFeePerGas: bigint | undefined
      readonly maxPriorityFeePerGas: bigint
    }

/** Accounts to replace before a simulation. `state` replaces all storage, `stateDiff` only the slots it names. */
export interface AccountOverride {
  readonly address: Address
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  readonly state: readonly (readonly [slot: bigint, value: bigint])[] | undefined
  readonly stateDiff: readonly (readonly [slot: bigint, value: bigint])[] | undefined
  readonly movePrecompileTo: Address | undefined
}

/** Values of the block context to replace before a simulation. */
export interface BlockOverride {
  readonly number?: bigint
  readonly difficulty?: bigint
  readonly timestamp?: bigint
  readonly gasLimit?: bigint
  readonly coinbase?: Address
  readonly prevRandao?: Hash
  readonly baseFeePerGas?: bigint
  readonly blobBaseFee?: bigint
}
