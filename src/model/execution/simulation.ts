/** The request of eth_simulateV1: blocks of calls that are on no chain. */

import type { Address, Hash } from '../../bytes/hex.ts'
import type { Withdrawal } from '../block/withdrawal.ts'
import type { AccessList, Authorization, TransactionType } from '../transaction/transaction.ts'
import type { AccountOverride, BlockOverride } from './call.ts'

/** Blocks of calls to simulate, each on top of the one before it. */
export interface Simulation {
  readonly blocks: readonly BlockRequest[]
  /** Whether transfers of ether are reported as logs. */
  readonly tracesTransfers: boolean
  /** Whether the nonces and fees of calls must be valid as for transactions. If not, a call without a fee pays none. */
  readonly isValidated: boolean
}

/** A block to simulate, with its overrides. */
export interface BlockRequest {
  readonly override: SimulatedBlockOverride
  readonly accounts: readonly AccountOverride[]
  readonly calls: readonly SimulatedCall[]
}

/** The given fields of a simulated block; the others follow from its parent. */
export interface SimulatedBlockOverride extends BlockOverride {
  readonly parentBeaconBlockRoot?: Hash
  readonly withdrawals?: readonly Withdrawal[]
}

/** A transaction of a simulated block. Absent fields are filled in when it is executed. */
export interface SimulatedCall {
  /** The requested type; another type is used if other members need it. */
  readonly requestedType: TransactionType | undefined
  readonly from: Address | undefined
  /** Absent: the transaction creates a contract. */
  readonly to: Address | undefined
  readonly gas: bigint | undefined
  readonly nonce: bigint | undefined
  readonly chainId: bigint | undefined
  /** In wei. */
  readonly value: bigint | undefined
  readonly data: Uint8Array
  /** In wei per gas. Either this one or the two after it are given. */
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly accessList: AccessList | undefined
  readonly authorizationList: readonly Authorization[] | undefined
  readonly blobVersionedHashes: readonly Hash[] | undefined
  /** In wei per blob gas. */
  readonly maxFeePerBlobGas: bigint | undefined
}
