/**
 * The interface of an EVM: a function of values. A state, a block context and a message go in; an outcome and the
 * changes of accounts come out. Nothing is written on the way, so a run that is broken off leaves nothing behind.
 */
import type { Address, Hash } from '../bytes/hex.ts'
import type { ConsoleCalls } from '../model/execution/call.ts'
import type { CallKind } from '../model/execution/trace.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Log } from '../model/receipt/log.ts'
import type { AccessList, Authorization } from '../model/transaction/transaction.ts'
import type { AccountChange } from '../state/state.ts'
import type { StateView } from '../state/view.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Work } from '../work/work.ts'
import type { BlockContext } from './blockContext.ts'
import type { HitCollector } from './hits.ts'

/** Runs messages under the rules of one hardfork of one chain. */
export interface Engine {
  readonly rules: Rules
  /** Whether a run that does not pause, on a state that lacks nothing, returns its execution at once. By default it does not. */
  readonly isSynchronous?: boolean
  /**
   * Runs a message. Returns the execution, or a promise of it if the run paused (`work`) or the engine is asynchronous. The
   * caller has checked the message: nonce, balance, intrinsic gas. Throws `TimeLimitExceeded`, `MemoryLimitExceeded` and
   * `WorkCancelled` of `work`, and errors of `watcher`.
   */
  transact(run: EngineRun): MaybePromise<Execution>
}

/** A message to run, and where. */
export interface EngineRun {
  readonly state: StateView
  /** The block in which the message runs. */
  readonly context: BlockContext
  readonly message: Message
  /** The work that the run is a part of. */
  readonly work: Work
  readonly watcher?: Watcher | undefined
  /**
   * Receives execution counts of code, at the end of the run or later (`reportHits`). A run whose steps are watched is not
   * counted.
   */
  readonly hits?: HitCollector | undefined
}

/** The result of running a message. */
export interface Execution {
  readonly outcome: Outcome
  /** The changes of accounts, each account once. A caller that drops the state ignores them. */
  readonly changes: readonly AccountChange[]
}

/** Moved precompiles: their new address by the old one; `undefined`: removed. */
export type MovedPrecompiles = ReadonlyMap<Address, Address | undefined>

/**
 * - `transaction`: pays for gas, its nonce increases.
 * - `simulation`: the same, but the nonce of the sender is not checked, and any account may be the sender.
 * - `deposit`: of an L2 (specs.optimism.io `protocol/deposits.html`): no fee; the nonce increases even if it fails; one
 *   that cannot start fails and uses all its gas. Its ether is minted already.
 * - `system`: a call by the protocol (EIP-4788): no fee, no nonce, no intrinsic gas, `from` is not warm.
 */
export type MessageKind = 'transaction' | 'simulation' | 'deposit' | 'system'

/** A message in the form that engines run: plain data. Prices are the ones paid, not the ones offered. */
export interface Message {
  readonly kind: MessageKind
  /** The transaction type: 0 to 4. */
  readonly type: number
  readonly from: Address
  /** Absent: a creation. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  /** In wei. */
  readonly value: bigint
  readonly data: Uint8Array
  /** The price that the sender pays, in wei per gas; GASPRICE returns it. */
  readonly gasPrice: bigint
  /** The part of it that the coinbase receives, in wei per gas. */
  readonly tip: bigint
  /** The price that the sender pays for blobs, in wei per blob gas. */
  readonly blobGasPrice: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
  /** Whether the sender may have code (EIP-3607): a simulation's, and an impersonated one. */
  readonly mayComeFromContract: boolean
  readonly movedPrecompiles: MovedPrecompiles | undefined
  /** Whether the caller ignores changes and logs: an engine need not list them. */
  readonly dropsChanges: boolean
}

/**
 * Receives what happens during a run, in geth's terms: frames are entered and left, instructions are about to run.
 * A frame that the EVM refuses to open (depth, balance) and SELFDESTRUCT are reported as frames too. A watcher without
 * `step` and `fault` slows a run down little.
 */
export interface Watcher {
  enter?(frame: Frame): void
  exit?(exit: FrameExit): void
  step?(step: Step): void
  /** Called if the last step of the frame failed, before the frame is left. */
  fault?(error: string): void
}

/** A call or creation at its start. */
export interface Frame {
  readonly kind: CallKind
  readonly from: Address
  /** Absent in creations: `FrameExit` has the new address. */
  readonly to: Address | undefined
  /** In wei; absent in STATICCALL. */
  readonly value: bigint | undefined
  readonly input: Uint8Array
  readonly gas: bigint
}

/** The end of a frame. */
export interface FrameExit {
  readonly gasUsed: bigint
  /** The returned data, or the data of a REVERT. */
  readonly output: Uint8Array
  readonly failure: FrameFailure | undefined
  readonly createdAddress: Address | undefined
  /** Whether the frame is a call of a precompile. */
  readonly isPrecompile: boolean
}

/** The error of a frame, in geth's words. */
export interface FrameFailure {
  readonly kind: 'revert' | 'halt'
  readonly error: string
}

/** The state of the EVM before an instruction. */
export interface Step {
  readonly pc: number
  readonly opcode: number
  readonly name: string
  readonly gas: bigint
  /** The gas cost, including the gas that a call passes on. */
  readonly cost: bigint
  /** The depth of the call; 0 is the outermost. */
  readonly depth: number
  /** The code that runs; of a delegation (EIP-7702) that of the delegate. */
  readonly code: Uint8Array
  readonly refund: bigint
  /** The stack, bottom first. */
  readonly stack: readonly bigint[]
  readonly memory: Uint8Array
  readonly returnData: Uint8Array
  /** The account whose storage the code accesses. */
  readonly address: Address
  /** Returns the current value of a slot. */
  storage(slot: bigint): bigint
  /** Returns the current nonce of an account. */
  nonce(address: Address): bigint
}

/** The outcomes of running code. All three are regular results; none is thrown. */
interface OutcomeBase {
  /** The gas that the sender pays for, after refunds. */
  readonly gasUsed: bigint
  /** The gas needed before refunds (EIP-3529), at least the floor (EIP-7623). */
  readonly gasBeforeRefund: bigint
  /** The least gas with which the outcome is the same; absent if it does not follow from this run. */
  readonly leastGas?: bigint | undefined
  /** Calls of `console.log`; absent if there were none. */
  readonly console?: ConsoleCalls | undefined
}

/** The code ended without an error. */
export interface Success extends OutcomeBase {
  readonly kind: 'success'
  /** The data that the call returned; in a creation, the deployed code. */
  readonly returnData: Uint8Array
  readonly logs: readonly Log[]
  readonly createdAddress: Address | undefined
}

/** The code reverted. */
export interface Revert extends OutcomeBase {
  readonly kind: 'revert'
  /** The data of the revert: usually an ABI-encoded reason. */
  readonly data: Uint8Array
}

/** The EVM halted the code with an error: out of gas, an invalid instruction, a stack overflow. */
export interface Halt extends OutcomeBase {
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
