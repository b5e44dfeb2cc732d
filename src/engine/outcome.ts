/** The outcomes of running code. All three are regular results; none is thrown. */

import type { Address } from '../bytes/hex.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { Log } from '../model/receipt/log.ts'

interface Ended {
  /** The gas that the sender pays for, after refunds. */
  readonly gasUsed: bigint
  /** The gas needed before refunds (EIP-3529), at least the floor (EIP-7623). */
  readonly gasBeforeRefund: bigint
  /** The least gas with which the outcome is the same; absent if it does not follow from this run. */
  readonly leastGas?: bigint | undefined
  /** The calls of the console; absent if there were none. */
  readonly console?: ConsoleCalls | undefined
}

/** The code ended without an error. */
export interface Success extends Ended {
  readonly kind: 'success'
  /** The data that the call returned; in a creation, the deployed code. */
  readonly returnData: Uint8Array
  readonly logs: readonly Log[]
  readonly createdAddress: Address | undefined
}

/** The code reverted. */
export interface Revert extends Ended {
  readonly kind: 'revert'
  /** The data of the revert: usually an ABI-encoded reason. */
  readonly data: Uint8Array
}

/** The EVM halted the code with an error: out of gas, an invalid instruction, a stack overflow. */
export interface Halt extends Ended {
  readonly kind: 'halt'
  readonly reason: HaltReason
}

/** The outcome of a transaction or call. */
export type Outcome = Success | Revert | Halt

/** Returns `outcome` with all its members as values of its own: an engine may compute the logs when they are read. */
export function plainOutcome(outcome: Outcome): Outcome {
  return outcome.kind === 'success' ? { ...outcome, logs: outcome.logs } : { ...outcome }
}

/** The errors that halt the EVM. */
export type HaltReason =
  | 'outOfGas'
  | 'invalidOpcode'
  | 'invalidJump'
  | 'stackUnderflow'
  | 'stackOverflow'
  | 'staticStateChange'
  | 'createCollision'
  | 'codeTooLarge'
  | 'initCodeTooLarge'
  | 'invalidCode'
  | 'insufficientBalance'
  | 'precompileFailed'
  | 'other'
