import type { Address, Hash } from '../../bytes/hex.ts'
import type { Withdrawal } from '../block/header.ts'
import type { AccessList, Authorization, TransactionType } from '../transaction/transaction.ts'

export interface Call {
  readonly from: Address
  readonly to: Address | undefined
  /** The gas limit of the call; `undefined`: as much gas as the limits allow. */
  readonly gas: bigint | undefined
  readonly fee: CallFee
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
}

/** Fees in wei per gas. `none`: no fee, or 0. Then BASEFEE returns 0, and the balance must cover only the value. */
export type CallFee =
  | { readonly kind: 'none' }
  | { readonly kind: 'legacy'; readonly gasPrice: bigint }
  | {
      readonly kind: 'eip1559'
      /** The maximum fee per gas; `undefined`: the base fee plus the priority fee. */
      readonly maxFeePerGas: bigint | undefined
      readonly maxPriorityFeePerGas: bigint
    }

/** Changes to an account before a simulation. `state` replaces all storage, `stateDiff` only the given slots. */
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
  readonly tracesTransfers: boolean
  /** Whether nonces and fees are checked as for transactions. If false, a call without a fee costs nothing. */
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

/** A transaction of a simulated block. Undefined members are filled in when the block is simulated. */
export interface SimulatedCall {
  /** The transaction type to use if this type allows the other members of the call. */
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

/** The address that Hardhat's `console.log` calls: "console.log" in ASCII. */
export const CONSOLE_ADDRESS: Address = '0x000000000000000000636f6e736f6c652e6c6f67'

export interface ConsoleCall {
  /** The calling account. For code behind a proxy, this is the proxy. */
  readonly from: Address
  /** The account of the running code: behind a proxy, the implementation; `from` if a transaction calls the console. */
  readonly codeAddress: Address
  /** The running code; in a creation, the init code. Empty if a transaction calls the console itself. */
  readonly code: Uint8Array
  /** The calldata; `undefined` if the calldata of all console calls up to this one exceeds the limit. */
  readonly input: Uint8Array | undefined
}

/** All console calls of one execution, including reverted calls. */
export type ConsoleCalls = readonly ConsoleCall[]
