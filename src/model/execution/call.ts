import type { Address, Hash } from '../../bytes/hex.ts'
import type { Withdrawal } from '../block/header.ts'
import type { AccessList, Authorization, TransactionType } from '../transaction/transaction.ts'

export interface Call {
  readonly from: Address
  readonly to: Address | undefined
  /** The gas limit of the call. By default, the call gets as much gas as the limits allow. */
  readonly gas: bigint | undefined
  readonly fee: CallFee
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
}

/** The gas price in wei. `none` (or zero): BASEFEE returns 0, and the sender's balance is not checked. */
export type CallFee =
  | { readonly kind: 'none' }
  | { readonly kind: 'legacy'; readonly gasPrice: bigint }
  | {
      readonly kind: 'eip1559'
      /** The maximum fee per gas. By default, it is just high enough for the tip. */
      readonly maxFeePerGas: bigint | undefined
      readonly maxPriorityFeePerGas: bigint
    }

/** An account to change before a simulation. `state` replaces all storage, `stateDiff` only the given slots. */
export interface AccountOverride {
  readonly address: Address
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  readonly state: readonly (readonly [slot: bigint, value: bigint])[] | undefined
  readonly stateDiff: readonly (readonly [slot: bigint, value: bigint])[] | undefined
  readonly movePrecompileTo: Address | undefined
}

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

/** Consecutive blocks to simulate (`eth_simulateV1`). */
export interface Simulation {
  readonly blocks: readonly BlockRequest[]
  /** Whether ether transfers are reported as logs. */
  readonly tracesTransfers: boolean
  /** Whether nonces and fees are checked as for transactions. If not, a call without a fee pays none. */
  readonly isValidated: boolean
}

export interface BlockRequest {
  readonly override: SimulatedBlockOverride
  readonly accounts: readonly AccountOverride[]
  readonly calls: readonly SimulatedCall[]
}

export interface SimulatedBlockOverride extends BlockOverride {
  readonly parentBeaconBlockRoot?: Hash
  readonly withdrawals?: readonly Withdrawal[]
}

/** A transaction of a simulated block. Undefined fields are filled in at execution. */
export interface SimulatedCall {
  /** The type to use if the other members allow that type. */
  readonly requestedType: TransactionType | undefined
  readonly from: Address | undefined
  readonly to: Address | undefined
  readonly gas: bigint | undefined
  readonly nonce: bigint | undefined
  readonly chainId: bigint | undefined
  readonly value: bigint | undefined
  readonly data: Uint8Array
  /** The gas price in wei. Must be absent if `maxFeePerGas` or `maxPriorityFeePerGas` is given. */
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly accessList: AccessList | undefined
  readonly authorizationList: readonly Authorization[] | undefined
  readonly blobVersionedHashes: readonly Hash[] | undefined
  readonly maxFeePerBlobGas: bigint | undefined
}

/** "console.log" in ASCII. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'

export interface ConsoleCall {
  /** The calling account; behind a proxy, the proxy. */
  readonly from: Address
  /** The address of the running code; behind a proxy, the implementation. Equals `from` if no code ran. */
  readonly codeAddress: Address
  /** The running code; in a creation, the init code. Empty if a transaction calls the console itself. */
  readonly code: Uint8Array
  /** The calldata; `undefined` if the console calls so far have more calldata together than the limit. */
  readonly input: Uint8Array | undefined
}

/** The console calls of one execution, reverted ones included. */
export type ConsoleCalls = readonly ConsoleCall[]
