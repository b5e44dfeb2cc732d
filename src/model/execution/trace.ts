import type { Address, Hash } from '../../bytes/hex.ts'
import type { Log } from '../receipt/log.ts'

export type TraceRequest =
  | ({ readonly kind: 'struct' } & StructOptions)
  | ({ readonly kind: 'call' } & CallOptions)
  | { readonly kind: 'flat' }
  | ({ readonly kind: 'flatCall' } & FlatCallOptions)
  | { readonly kind: 'mux'; readonly requests: ReadonlyMap<string, TraceRequest> }
  | ({ readonly kind: 'prestate' } & PrestateOptions)
  | ({ readonly kind: 'erc7562' } & Erc7562Options)
  | { readonly kind: 'fourByte' }
  | { readonly kind: 'noop' }
  | ({ readonly kind: 'javascript' } & JavascriptOptions)

/** A request for the tracer `soliditySource`, which reports the run by Solidity source lines. */
export interface SourceRequest {
  readonly kind: 'source'
  /** The maximum number of steps to keep; `undefined`: unlimited. */
  readonly limit: number | undefined
  readonly disableStorage: boolean
}

/** The steps that list the contract's accessed slots. `accessed`: SLOAD and SSTORE, as in geth. `everyStep`: all. */
export type StructStorage = 'none' | 'accessed' | 'everyStep'

/** The optional members of each step of the struct logger. */
export interface StructOptions {
  readonly stack: boolean
  readonly storage: StructStorage
  readonly memory: boolean
  readonly returnData: boolean
  readonly limit: number | undefined
}

export interface CallOptions {
  readonly onlyTopCall: boolean
  readonly withLog: boolean
  /** Whether calls from code to precompiles by CALL and STATICCALL are left out. */
  readonly withoutPrecompiles?: boolean
  /** Whether each frame has its call site. geth has no such option. */
  readonly withSource?: boolean
}

export interface FlatCallOptions {
  /** Whether errors are in the words of Parity. */
  readonly convertParityErrors: boolean
  /** Whether calls from code to precompiles are included. */
  readonly includePrecompiles: boolean
}

export interface PrestateOptions {
  readonly diffMode: boolean
  readonly code: boolean
  readonly storage: boolean
  readonly includeEmpty: boolean
}

/** A tracer that a client sent. */
export interface JavascriptOptions {
  /** An expression of an object with the tracer's functions. */
  readonly code: string
  /** The JSON text that the tracer's function `setup` receives. */
  readonly config: string
}

export interface Erc7562Options {
  readonly withLog: boolean
  /** The opcodes that are not counted; `undefined`: those that geth ignores by default. */
  readonly ignoredOpcodes: ReadonlySet<number> | undefined
}

export type Trace =
  | StructTrace
  | CallTrace
  | { readonly kind: 'flat'; readonly frames: readonly FlatFrame[] }
  | { readonly kind: 'flatCall'; readonly root: CallFrame; readonly convertParityErrors: boolean }
  | {
      readonly kind: 'erc7562'
      readonly root: CallFrame
      /** The inputs of KECCAK256 in the whole transaction, each once, in the order of their bytes. */
      readonly keccakPreimages: readonly Uint8Array[]
    }
  /** The traces of several tracers, by their names. */
  | { readonly kind: 'mux'; readonly traces: ReadonlyMap<string, Trace> }
  | { readonly kind: 'prestate'; readonly accounts: ReadonlyMap<Address, PrestateAccount> }
  | StateDiff
  /** The number of calls, keyed by selector and number of argument bytes, such as `0x27dc297e-128`. */
  | { readonly kind: 'fourByte'; readonly counts: ReadonlyMap<string, number> }
  | { readonly kind: 'noop' }
  /** The JSON value that a JavaScript tracer returned. */
  | { readonly kind: 'javascript'; readonly value: unknown }

export interface CallTrace {
  readonly kind: 'call'
  readonly root: CallFrame
}

export interface StructTrace {
  readonly kind: 'struct'
  readonly gasUsed: bigint
  readonly failed: boolean
  readonly returnValue: Uint8Array
  readonly steps: readonly StructStep[]
}

/** The state of the EVM before an instruction. Members that were not requested are absent. */
export interface StructStep {
  readonly pc: number
  readonly name: string
  readonly gas: bigint
  /** The gas cost, including the gas that a call passes on. */
  readonly cost: bigint
  /** The depth of the call; 1 is the outermost. */
  readonly depth: number
  readonly refund: bigint
  error: string | undefined
  /** The stack, bottom first. */
  readonly stack: readonly bigint[] | undefined
  readonly memory: Uint8Array | undefined
  readonly returnData: Uint8Array | undefined
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

export interface CallFrame {
  readonly kind: CallKind
  readonly from: Address
  /** The called or created account; `undefined` for a failed creation. */
  readonly to: Address | undefined
  /** The transferred wei; `undefined` for call types that cannot transfer value. */
  readonly value: bigint | undefined
  readonly gas: bigint
  readonly gasUsed: bigint
  readonly input: Uint8Array
  readonly output: Uint8Array
  readonly error: string | undefined
  readonly revertReason: string | undefined
  readonly calls: readonly CallFrame[]
  readonly logs: readonly FrameLog[]
  /** The call site; present only if requested with `withSource`. */
  readonly site?: CallPosition | undefined
  /** The accesses of the frame's own code; present only with erc7562Tracer. */
  readonly access?: FrameAccess | undefined
  /** The source position of `site`; present only if requested and known. Lines and columns begin at 1. */
  readonly source?: { readonly file: string; readonly line: number; readonly column: number } | undefined
}

export interface FrameAccess {
  /** The slots that the frame read before it wrote them, with their values. */
  readonly reads: ReadonlyMap<bigint, bigint>
  /** The number of writes, by slot. */
  readonly writes: ReadonlyMap<bigint, number>
  readonly transientReads: ReadonlyMap<bigint, number>
  readonly transientWrites: ReadonlyMap<bigint, number>
  /** The accounts whose code the frame read by EXTCODE instructions. */
  readonly codeReads: readonly Address[]
  /** The number of uses, by opcode. */
  readonly usedOpcodes: ReadonlyMap<number, number>
  /** The size of the code of each account that the frame called or whose code it read, at the first such opcode. */
  readonly codeSizes: ReadonlyMap<Address, { readonly size: number; readonly opcode: number }>
  readonly isOutOfGas: boolean
}

export interface CallPosition {
  /** The code of the caller; for the outermost call, the code of the called account. */
  readonly code: Uint8Array
  readonly isCreation: boolean
  /** The position of the calling instruction; `undefined` for the outermost call. */
  readonly pc: number | undefined
}

/** A call or creation in a flat list, in depth-first order. */
export interface FlatFrame
  extends Pick<
    CallFrame,
    'kind' | 'from' | 'to' | 'value' | 'gas' | 'gasUsed' | 'input' | 'output' | 'error'
  > {
  readonly isReverted: boolean
  /** The place in the call tree: the index of each frame among its siblings, from the outermost to this frame. */
  readonly path: readonly number[]
  readonly subtraces: number
}

export interface FrameLog extends Log {
  /** The index of the log in the block. Reverted logs are not counted. */
  readonly index: number
  /** The number of calls that the frame made before the log. */
  readonly position: number
}

export interface PrestateAccount {
  readonly balance: bigint | undefined
  readonly nonce: bigint | undefined
  readonly code: Uint8Array | undefined
  readonly codeHash: Hash | undefined
  readonly storage: ReadonlyMap<bigint, bigint>
}

/** The result of the prestateTracer in diff mode: the changed accounts before and after. */
export interface StateDiff {
  readonly kind: 'stateDiff'
  readonly pre: ReadonlyMap<Address, PrestateAccount>
  readonly post: ReadonlyMap<Address, PrestateAccount>
}

/** A range of a source file. */
export interface DebugPosition {
  /** The path of the file, relative to the project's folder. */
  readonly file: string
  /** The line number; the first line is 1. */
  readonly line: number
  /** The column in UTF-16 units, as in editors; the first column is 1. */
  readonly column: number
  /** Line and column of the end, which is exclusive. */
  readonly endLine: number
  readonly endColumn: number
  /** The text of the range. If the range has several lines, the text ends at the end of the first line. */
  readonly text: string
}
