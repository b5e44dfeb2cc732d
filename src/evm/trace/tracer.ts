/**
 * The interface of tracers, in geth's terms: frames are entered and left, and instructions are about to run.
 *
 * As in geth, a frame that the EVM refuses to open (depth or balance) and SELFDESTRUCT are reported as frames too.
 */
import type { Address } from '../../model/bytes/hex.ts'
import type { CallKind, Trace } from '../../model/execution/trace.ts'
import type { State } from '../../state/state.ts'
import type { Outcome } from '../outcome.ts'

/** A tracer. Its methods are called in the order of execution; `finish` returns the trace. */
export interface Tracer {
  /** Called before the run, before anything is paid. */
  begin?(start: TraceStart): void
  enter?(frame: Frame): void
  exit?(exit: FrameExit): void
  step?(step: Step): void
  /** Called if the last step of the frame failed, before the frame is left. */
  fault?(error: string): void
  finish(end: TraceEnd): Trace
}

/** A transaction or call, and the state in which it starts. */
export interface TraceStart {
  readonly from: Address
  /** Absent: a creation. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly coinbase: Address
  /**
   * The delegations that authorizations of the transaction set: authority to the address whose code it runs (EIP-7702).
   */
  readonly delegations: ReadonlyMap<Address, Address>
  readonly state: State
  /** The number of logs in the block before it. */
  readonly firstLogIndex: number
}

export interface TraceEnd {
  readonly outcome: Outcome
  readonly state: State
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
