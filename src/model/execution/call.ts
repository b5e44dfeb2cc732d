/** A call to simulate (seed 2.4), and the overrides of the state and block that it is simulated with. */
import type { Address, Hash } from '../../bytes/hex.ts'
import type { AccessList, Authorization } from '../transaction/transaction.ts'

/** The fields of a call to simulate. */
export interface Call {
  readonly from: Address
  /** Absent: the call creates a contract. */
  readonly to: Address | undefined
  /** Absent: as much as the limits allow. */
  readonly gas: bigint | undefined
  readonly fee: CallFee
  /** In wei. */
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
}

/**
 * The price that the call offers, in wei per gas. `none` (or zero): BASEFEE returns 0 and the sender's balance is not
 * checked.
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

/** Accounts to replace before a simulation. `state` replaces all storage; `stateDiff` replaces only the slots in it. */
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
