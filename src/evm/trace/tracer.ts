/**
 * What a tracer is told, in geth's terms: frames are entered and left, instructions are about to run.
 *
 * A frame that the machine refuses to open (too deep, too poor) and SELFDESTRUCT are told as frames too, as geth does.
 */
import type { Address } from '../../model/bytes/hex.ts'
import type { CallKind, Trace } from '../../model/execution/trace.ts'
import type { State } from '../../state/state.ts'
import type { Outcome } from '../outcome.ts'

export interface Tracer {
  /** What is about to run, before anything is paid. */
  begin?(start: TraceStart): void
  enter?(frame: Frame): void
  exit?(exit: FrameExit): void
  step?(step: Step): void
  /** The last step of the frame that is left next failed. */
  fault?(error: string): void
  finish(end: TraceEnd): Trace
}

/** A transaction or call, and the world that it starts in. */
export interface TraceStart {
  readonly from: Address
  /** Absent: a creation. */
  readonly to: Address | undefined
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly coinbase: Address
  /** Accounts that have signed for code to run in their name, and whose code that is (EIP-7702). */
  readonly delegations: ReadonlyMap<Address, Address>
  readonly state: State
  /** How many logs the block has before it. */
  readonly firstLogIndex: number
}

export interface TraceEnd {
  readonly outcome: Outcome
  readonly state: State
}

export interface Frame {
  readonly kind: CallKind
  readonly from: Address
  /** Absent of creations: `FrameExit` says where they were. */
  readonly to: Address | undefined
  /** Wei; absent of STATICCALL. */
  readonly value: bigint | undefined
  readonly input: Uint8Array
  readonly gas: bigint
}

export interface FrameExit {
  readonly gasUsed: bigint
  /** What was returned, or said by REVERT. */
  readonly output: Uint8Array
  readonly failure: FrameFailure | undefined
  readonly createdAddress: Address | undefined
  /** No code ran, but one of the machine's own functions. */
  readonly isPrecompile: boolean
}

/** Why a frame failed, in geth's words. */
export interface FrameFailure {
  readonly kind: 'revert' | 'halt'
  readonly error: string
}

/** The machine before an instruction. */
export interface Step {
  readonly pc: number
  readonly opcode: number
  readonly name: string
  readonly gas: bigint
  /** With the gas that a call passes on. */
  readonly cost: bigint
  /** 0 for the outermost code. */
  readonly depth: number
  readonly refund: bigint
  /** Bottom first. */
  readonly stack: readonly bigint[]
  readonly memory: Uint8Array
  readonly returnData: Uint8Array
  /** Whose storage is at hand. */
  readonly address: Address
  /** A slot's value now. */
  storage(slot: bigint): bigint
  /** An account's nonce now. */
  nonce(address: Address): bigint
}
