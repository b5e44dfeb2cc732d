/** Blocks that are not on any chain, as eth_simulateV1 is asked to make them. */

import type { Withdrawal } from '../block/withdrawal.ts'
import type { Address, Hash } from '../bytes/hex.ts'
import type { AccessList, Authorization, TransactionType } from '../transaction/transaction.ts'
import type { AccountOverride, BlockOverride } from './call.ts'

/** Blocks of calls, each on the one before it. */
export interface Simulation {
  readonly blocks: readonly BlockRequest[]
  /** Whether each transfer of ether is told as a log. */
  readonly tracesTransfers: boolean
  /** Whether calls must be as right as transactions: nonces, fees. Otherwise what offers no fee pays none. */
  readonly isValidated: boolean
}

/** A block, and what is to be otherwise in it. */
export interface BlockRequest {
  readonly override: SimulatedBlockOverride
  readonly accounts: readonly AccountOverride[]
  readonly calls: readonly SimulatedCall[]
}

/** What of a simulated block is given; the rest follows from its parent. */
export interface SimulatedBlockOverride extends BlockOverride {
  readonly parentBeaconBlockRoot?: Hash
  readonly withdrawals?: readonly Withdrawal[]
}

/** A transaction of a simulated block: what is absent is filled in when its turn comes. */
export interface SimulatedCall {
  /** The type that was asked for; it gives way where other members need another. */
  readonly requestedType: TransactionType | undefined
  readonly from: Address | undefined
  /** Absent: it creates a contract. */
  readonly to: Address | undefined
  readonly gas: bigint | undefined
  readonly nonce: bigint | undefined
  readonly chainId: bigint | undefined
  /** Wei. */
  readonly value: bigint | undefined
  readonly data: Uint8Array
  /** Wei per gas: this one, or the two after it. */
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly accessList: AccessList | undefined
  readonly authorizationList: readonly Authorization[] | undefined
  readonly blobVersionedHashes: readonly Hash[] | undefined
  /** Wei per blob gas. */
  readonly maxFeePerBlobGas: bigint | undefined
}
