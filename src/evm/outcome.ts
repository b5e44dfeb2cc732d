/** How running code can end. All three are ordinary: none of them is thrown. */

import type { Address } from '../model/bytes/hex.ts'
import type { ConsoleCalls } from '../model/execution/consoleCall.ts'
import type { Log } from '../model/receipt/log.ts'

interface Ended {
  /** What the sender pays for, refunds already taken off. */
  readonly gasUsed: bigint
  /** Gas that was needed on the way: before refunds were taken off (EIP-3529), and the floor at least (EIP-7623). */
  readonly gasBeforeRefund: bigint
  /** The least gas with which it ends the same way; absent: that cannot be told from this run. */
  readonly leastGas?: bigint | undefined
  /** What was said on the way; absent: nothing. */
  readonly console?: ConsoleCalls | undefined
}

export interface Success extends Ended {
  readonly kind: 'success'
  /** What the call returned; of a creation, the code that was deployed. */
  readonly returnData: Uint8Array
  readonly logs: readonly Log[]
  readonly createdAddress: Address | undefined
}

/** The code said REVERT. */
export interface Revert extends Ended {
  readonly kind: 'revert'
  /** The ABI-encoded reason, or whatever the contract chose to say. */
  readonly data: Uint8Array
}

/** The machine stopped the code: out of gas, an invalid instruction, a stack that ran over. */
export interface Halt extends Ended {
  readonly kind: 'halt'
  readonly reason: HaltReason
}

export type Outcome = Success | Revert | Halt

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
