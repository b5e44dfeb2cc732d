/** The interface of an EVM: a state, a block context and a message go in; an outcome and account changes come out. */
import type { Address, Hash } from '../bytes/hex.ts'
import type { ConsoleCalls } from '../model/execution/call.ts'
import type { CallKind } from '../model/execution/trace.ts'
import type { Rules } from '../model/hardfork/hardfork.ts'
import type { Log } from '../model/receipt/log.ts'
import type { AccessList, Authorization } from '../model/transaction/transaction.ts'
import type { AccountChange } from '../state/state.ts'
import type { Account, StateView } from '../state/view.ts'
import type { MaybePromise } from '../work/maybePromise.ts'
import type { Work } from '../work/work.ts'
import type { BlockContext } from './blockContext.ts'
import type { HitCollector } from './hits.ts'

export interface Engine {
  readonly rules: Rules
  /** Whether a run returns synchronously unless it pauses or misses values of a forked network. Default: false. */
  readonly isSynchronous?: boolean
  /**
   * Runs a message. Returns a promise only if the run paused or the engine is asynchronous. The caller has checked
   * nonce, balance and intrinsic gas. Throws `TimeLimitExceeded`, `MemoryLimitExceeded`, `WorkCancelled`, and the
   * errors that `watcher` throws.
   */
  transact(run: EngineRun): MaybePromise<Execution>
}

export interface EngineRun {
  readonly state: StateView
  readonly context: BlockContext
  readonly message: Message
  readonly work: Work
  readonly watcher?: Watcher | undefined
  /**
   * Receives coverage counts. An engine may keep the counts until `reportHits` is called. The WebAssembly engine does
   * not count a run whose watcher has `step` or `fault`.
   */
  readonly hits?: HitCollector | undefined
}

export interface Execution {
  readonly outcome: Outcome
  /** The account changes, one per account. May be empty if the message has `dropsChanges`. */
  readonly changes: readonly AccountChange[]
}

/** The new addresses of moved precompiles, keyed by old address; `undefined` for a removed precompile. */
export type MovedPrecompiles = ReadonlyMap<Address, Address | undefined>

/**
 * - `transaction`: pays for gas and increases the sender's nonce.
 * - `simulation`: like a transaction, but the sender's nonce is not checked and any account may be the sender.
 * - `deposit`: an L2 deposit (specs.optimism.io `protocol/deposits.html`) without a fee. The caller minted its ether.
 *   The nonce increases even if the deposit fails. A deposit that cannot start fails and uses all its gas.
 * - `system`: a call by the protocol (EIP-4788) without fee, nonce or intrinsic gas; `from` is not warm.
 */
export type MessageKind = 'transaction' | 'simulation' | 'deposit' | 'system'

export interface Message {
  readonly kind: MessageKind
  /** The transaction type: 0 to 4. */
  readonly type: number
  readonly from: Address
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly value: bigint
  readonly data: Uint8Array
  /** The effective price in wei per gas, which GASPRICE returns. */
  readonly gasPrice: bigint
  /** The part of `gasPrice` that the coinbase receives, in wei per gas. */
  readonly tip: bigint
  readonly blobGasPrice: bigint
  readonly accessList: AccessList
  readonly authorizationList: readonly Authorization[]
  readonly blobVersionedHashes: readonly Hash[]
  /** Whether the sender may have code (EIP-3607): true for simulations and impersonated senders. */
  readonly mayComeFromContract: boolean
  readonly movedPrecompiles: MovedPrecompiles | undefined
  /** Whether the caller ignores changes and logs, so that the engine may omit both. */
  readonly dropsChanges: boolean
}

/**
 * Receives the events of a run, like a tracer of geth. Frames that cannot open (call depth, balance) and
 * SELFDESTRUCTs are reported as frames, too. A watcher without `step` and `fault` slows a run only slightly.
 */
export interface Watcher {
  enter?(frame: Frame): void
  exit?(exit: FrameExit): void
  step?(step: Step): void
  /** Called before `exit` if the last step of the frame failed. */
  fault?(error: string): void
}

export interface Frame {
  readonly kind: CallKind
  readonly from: Address
  /** The called account; `undefined` for creations, whose new address is in `FrameExit`. */
  readonly to: Address | undefined
  /** The transferred wei; `undefined` for STATICCALL. */
  readonly value: bigint | undefined
  readonly input: Uint8Array
  readonly gas: bigint
}

export interface FrameExit {
  readonly gasUsed: bigint
  readonly output: Uint8Array
  readonly failure: FrameFailure | undefined
  readonly createdAddress: Address | undefined
  readonly isPrecompile: boolean
}

/** The error of a frame, in geth's wording. */
export interface FrameFailure {
  readonly kind: 'revert' | 'halt'
  readonly error: string
}

export interface Step {
  readonly pc: number
  readonly opcode: number
  readonly name: string
  readonly gas: bigint
  /** The gas cost, including the gas passed to a call. */
  readonly cost: bigint
  readonly depth: number
  /** The running code; for a delegated account (EIP-7702), the delegate's code. */
  readonly code: Uint8Array
  readonly refund: bigint
  /** The stack items, from the bottom to the top. */
  readonly stack: readonly bigint[]
  readonly memory: Uint8Array
  readonly returnData: Uint8Array
  readonly address: Address
  readonly state: RunState
}

/** The state during a run, with the changes that the run has made so far. It must not be read after the run. */
export interface RunState extends Pick<StateView, 'code' | 'storage'> {
  account(address: Address): Pick<Account, 'balance' | 'nonce'> | undefined
}

/** Members of all outcomes. Engines return failed runs as outcomes, and do not throw for them. */
interface OutcomeBase {
  /** The gas that the sender pays for, after refunds. */
  readonly gasUsed: bigint
  /** The gas used before refunds (EIP-3529), at least the floor (EIP-7623). */
  readonly gasBeforeRefund: bigint
  /** The least gas limit with which the run takes the same course; absent if the run does not determine it. */
  readonly gasNeeded?: bigint | undefined
  /** Whether less than `gasNeeded` may be enough for a success, because a call may fail without failing its caller. */
  readonly mayNeedLess?: boolean
  readonly console?: ConsoleCalls | undefined
}

export interface Success extends OutcomeBase {
  readonly kind: 'success'
  readonly returnData: Uint8Array
  readonly logs: readonly Log[]
  readonly createdAddress: Address | undefined
}

export interface Revert extends OutcomeBase {
  readonly kind: 'revert'
  readonly data: Uint8Array
}

/** A run that the EVM stopped with an error, such as out of gas, an invalid instruction or a stack overflow. */
export interface Halt extends OutcomeBase {
  readonly kind: 'halt'
  readonly reason: HaltReason
}

export type Outcome = Success | Revert | Halt

/** Returns a copy of `outcome` as plain data. The logs of an engine's outcome may be a getter that decodes them. */
export function plainOutcome(outcome: Outcome): Outcome {
  return outcome.kind === 'success' ? { ...outcome, logs: outcome.logs } : { ...outcome }
}

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
