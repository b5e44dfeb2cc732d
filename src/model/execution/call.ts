/** Simulated calls (seed 2.4) and blocks, overrides, console calls, and revert reasons. */
import type { Address, Hash } from '../../bytes/hex.ts'
import { toDigits, toQuantity } from '../../bytes/hex.ts'
import type { Withdrawal } from '../block/header.ts'
import type { AccessList, Authorization, TransactionType } from '../transaction/transaction.ts'

export interface Call {
  readonly from: Address
  /** Absent: the call creates a contract. */
  readonly to: Address | undefined
  /** By default as much as the limits allow. */
  readonly gas: bigint | undefined
  readonly fee: CallFee
  /** In wei. */
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
      /** By default as much as the tip needs. */
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

/** Values of the block context in a simulation. */
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
  /** Other members may need another type. */
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
  /** In wei per gas; excludes the next two. */
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: bigint | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly accessList: AccessList | undefined
  readonly authorizationList: readonly Authorization[] | undefined
  readonly blobVersionedHashes: readonly Hash[] | undefined
  /** In wei per blob gas. */
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
  /** The calldata; `undefined` beyond the limit, from which on no calls of the execution are kept. */
  readonly input: Uint8Array | undefined
}

/** The console calls of one execution, reverted ones included. */
export type ConsoleCalls = readonly ConsoleCall[]

/** The selector of `Error(string)`, the revert data of `require` and `revert` with a reason. */
export const ERROR_SELECTOR = '08c379a0'
/** The selector of `Panic(uint256)`. */
export const PANIC_SELECTOR = '4e487b71'

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
const PANICS = new Map<bigint, string>([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

export function isErrorString(data: Uint8Array): boolean {
  return toDigits(data.subarray(0, 4)) === ERROR_SELECTOR
}

/** Returns the code of a `Panic(uint256)`; `undefined` for other revert data. */
export function panicCode(data: Uint8Array): bigint | undefined {
  const isPanic = data.length >= 36 && toDigits(data.subarray(0, 4)) === PANIC_SELECTOR
  return isPanic ? toQuantity(data.subarray(4, 36)) : undefined
}

/**
 * Returns the revert reason in geth's words: the string of an `Error(string)`, the meaning of a `Panic(uint256)`.
 * `undefined` if `data` is neither.
 */
export function revertReason(data: Uint8Array): string | undefined {
  const panic = panicCode(data)
  if (panic !== undefined) return PANICS.get(panic) ?? `unknown panic code: 0x${panic.toString(16)}`
  if (!isErrorString(data) || data.length < 68) return undefined
  const offset = toQuantity(data.subarray(4, 36))
  const length = toQuantity(data.subarray(36, 68))
  if (offset !== 32n || length > BigInt(data.length - 68)) return undefined
  return new TextDecoder().decode(data.subarray(68, 68 + Number(length)))
}
