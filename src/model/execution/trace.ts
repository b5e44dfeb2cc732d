/** What a run looked like from the inside: the traces that can be asked for, and what they tell. */
import type { Address, Hash } from '../bytes/hex.ts'
import type { Log } from '../receipt/log.ts'

/** A tracer and its options. */
export type TraceRequest =
  | ({ readonly kind: 'struct' } & StructOptions)
  | ({ readonly kind: 'call' } & CallOptions)
  | { readonly kind: 'flat' }
  | ({ readonly kind: 'prestate' } & PrestateOptions)
  | { readonly kind: 'fourByte' }
  | { readonly kind: 'noop' }

/**
 * Which steps carry the slots of their contract that were met so far: those that meet one (SLOAD, SSTORE), as in geth and
 * Hardhat 3, or every step, as in Hardhat 2.
 */
export type StructStorage = 'none' | 'accessed' | 'everyStep'

/** What each step of the struct logger carries besides its place and its gas. */
export interface StructOptions {
  readonly stack: boolean
  readonly storage: StructStorage
  readonly memory: boolean
  readonly returnData: boolean
  /** The most steps that are kept; `undefined`: all. */
  readonly limit: number | undefined
}

export interface CallOptions {
  readonly onlyTopCall: boolean
  readonly withLog: boolean
}

export interface PrestateOptions {
  /** Only what changed, before and after. */
  readonly diffMode: boolean
  readonly code: boolean
  readonly storage: boolean
  /** Also accounts that did not exist. */
  readonly includeEmpty: boolean
}

/** What a tracer saw. */
export type Trace =
  | StructTrace
  | { readonly kind: 'call'; readonly root: CallFrame }
  | { readonly kind: 'flat'; readonly frames: readonly FlatFrame[] }
  | { readonly kind: 'prestate'; readonly accounts: ReadonlyMap<Address, PrestateAccount> }
  | StateDiff
  /** How often each selector was called with how many bytes after it: `0x27dc297e-128`. */
  | { readonly kind: 'fourByte'; readonly counts: ReadonlyMap<string, number> }
  | { readonly kind: 'noop' }

export interface StructTrace {
  readonly kind: 'struct'
  readonly gasUsed: bigint
  readonly failed: boolean
  /** What was returned, or said by REVERT. */
  readonly returnValue: Uint8Array
  readonly steps: readonly StructStep[]
}

/** The machine before an instruction. What was not asked for is absent. */
export interface StructStep {
  readonly pc: number
  readonly name: string
  readonly gas: bigint
  /** With the gas that a call passes on. */
  readonly cost: bigint
  /** 1 for the outermost code. */
  readonly depth: number
  readonly refund: bigint
  /** Why this was the last step of its code, if it halted. */
  error: string | undefined
  /** Bottom first. */
  readonly stack: readonly bigint[] | undefined
  readonly memory: Uint8Array | undefined
  readonly returnData: Uint8Array | undefined
  /** Only at SLOAD and SSTORE: the slots of this contract that were met so far, this one included. */
  readonly storage: ReadonlyMap<bigint, bigint> | undefined
}

export type CallKind =
  | 'CALL'
  | 'CALLCODE'
  | 'DELEGATECALL'
  | 'STATICCALL'
  | 'CREATE'
  | 'CREATE2'
  | 'SELFDESTRUCT'

/** A call or creation with those it made. */
export interface CallFrame {
  readonly kind: CallKind
  readonly from: Address
  /** Absent: a creation that failed. */
  readonly to: Address | undefined
  /** Wei; absent where a call cannot carry any. */
  readonly value: bigint | undefined
  readonly gas: bigint
  readonly gasUsed: bigint
  readonly input: Uint8Array
  readonly output: Uint8Array
  readonly error: string | undefined
  readonly revertReason: string | undefined
  readonly calls: readonly CallFrame[]
  readonly logs: readonly FrameLog[]
}

/** A call or creation in a list, each before those that it made. */
export interface FlatFrame
  extends Pick<
    CallFrame,
    'kind' | 'from' | 'to' | 'value' | 'gas' | 'gasUsed' | 'input' | 'output' | 'error'
  > {
  readonly isReverted: boolean
  /** Which of its caller's frames it was, and which of those of whose its caller was, from the outermost on. */
  readonly path: readonly number[]
  /** How many frames it made. */
  readonly subtraces: number
}

export interface FrameLog extends Log {
  /** Among the logs of the block that came to stay. */
  readonly index: number
  /** How many calls its frame had made before it. */
  readonly position: number
}

/** What a run met of an account. */
export interface PrestateAccount {
  /** Wei. */
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  readonly codeHash: Hash | undefined
  readonly storage: ReadonlyMap<bigint, bigint>
}

export interface StateDiff {
  readonly kind: 'stateDiff'
  readonly pre: ReadonlyMap<Address, PrestateAccount>
  readonly post: ReadonlyMap<Address, PrestateAccount>
}
