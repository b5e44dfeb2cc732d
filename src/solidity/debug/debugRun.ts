/** The result of `devnet.debug`: the frames and steps of a run in its Solidity sources, as plain data. */

import type { Address, Hash, Hex } from '../../bytes/hex.ts'
import type { CallKind, DebugPosition } from '../../model/execution/trace.ts'
import type { Argument } from '../abi/decoded.ts'

export type { DebugPosition }

/** A run of a transaction or call, step by step. */
export interface DebugRun {
  readonly kind: 'source'
  readonly status: 'success' | 'reverted'
  /** Gas used by the whole transaction, as in its receipt. */
  readonly gasUsed: bigint
  /** Calls, creations and functions in the order of entry. The first is the transaction's call. */
  readonly frames: readonly DebugFrame[]
  readonly steps: readonly DebugStep[]
  /** Whether steps beyond the option `limit` are left out. The list of frames is complete in any case. */
  readonly isCut: boolean
  /** Missing data, with the reason. Each gap is listed once per contract. */
  readonly gaps: readonly DebugGap[]
}

/** A call or creation, or a function within one. */
export type DebugFrame = MessageFrame | FunctionFrame

interface OpenedFrame {
  readonly parent: number | undefined
  readonly depth: number
  /** The contract that declares the function; `undefined` if unknown, or for free functions. */
  readonly contract: string | undefined
  /** The first and last step, including inner frames; `last` is less than `first` if the frame has no steps. */
  readonly steps: { readonly first: number; readonly last: number }
}

/** A call or creation. */
export interface MessageFrame extends OpenedFrame {
  readonly kind: 'message'
  readonly call: CallKind
  readonly from: Address
  /** The called or created account; for delegate calls, the account with the code; `undefined` for failed creations. */
  readonly to: Address | undefined
  /** The account whose storage the code uses; `undefined` if no code ran. */
  readonly address: Address | undefined
  /** The transferred wei; `undefined` for calls that cannot transfer value. */
  readonly value: bigint | undefined
  readonly input: Hex
  readonly output: Hex
  readonly gas: bigint
  readonly gasUsed: bigint
  /** The function's name, or `constructor`, `fallback`, `receive`; `undefined` for unknown contracts. */
  readonly function: string | undefined
  /** Decoded arguments; `undefined` if no ABI is known. */
  readonly args: readonly Argument[] | undefined
  /** The immutables of the contract; `undefined` if its AST is unknown. */
  readonly immutables: readonly DebugVariable[] | undefined
  /** Decoded return values; `undefined` if no ABI is known or the call failed. */
  readonly result: readonly Argument[] | undefined
  readonly error: DebugError | undefined
}

/** An argument, return value, local variable or immutable. */
export interface DebugVariable extends Argument {
  /**
   * The value in viem's form, enum members by name, structs as objects. At most 64 elements of an array are included.
   * Parts that are unknown are `undefined`.
   */
  readonly value: unknown
  /** The reason why the value or a part of the value is unknown, in at most five words. */
  readonly reason?: string | undefined
  /** The number of array elements that are left out. */
  readonly omitted?: number | undefined
}

export interface DebugError {
  /** The revert reason, the custom error with its arguments, or the EVM's error. */
  readonly text: string
  /** The custom error's name; `undefined` for other failures, or if no ABI has the error. */
  readonly name: string | undefined
  readonly args: readonly Argument[] | undefined
}

/** A function, modifier or constructor, entered by a jump or inlined. */
export interface FunctionFrame extends OpenedFrame {
  readonly kind: 'function'
  /** The function's name, or `constructor`, `fallback`, `receive`. */
  readonly function: string
  readonly isModifier: boolean
  readonly declaredAt: DebugPosition | undefined
  /** Arguments at entry; `undefined` where uncertain: in modifiers, in inlined code, via IR. */
  readonly args: readonly DebugVariable[] | undefined
  /** Return values; `undefined` if uncertain, as for `args`, or if the function did not return. */
  readonly result: readonly DebugVariable[] | undefined
}

/** Consecutive instructions with the same source range. */
export interface DebugStep {
  /** The innermost frame's index. */
  readonly frame: number
  /** The source position, never guessed; `undefined` if there is no source, or the optimizer lost the position. */
  readonly position: DebugPosition | undefined
  /** Gas used by the step's instructions, without inner calls. */
  readonly gasUsed: bigint
  /**
   * Parameters and local variables of the frame before the step; `undefined` if they are unchanged since the frame's
   * previous step, or the position is unknown. Types include data locations (`string memory`). The optimizer moves
   * values, so in optimized code some are unknown.
   */
  readonly variables: readonly DebugVariable[] | undefined
  /** Reads and writes in the order of execution. */
  readonly storage: readonly StorageAccess[]
  readonly logs: readonly DebugLog[]
}

export interface StorageAccess {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  /** The account whose storage is accessed. */
  readonly address: Address
  readonly slot: Hash
  /** The variable with keys and members, such as `balances[0x…].amount`; `undefined` if only the slot is known. */
  readonly name: string | undefined
  /** The declared variable; `undefined` if only the slot is known. */
  readonly variable: string | undefined
  /** The path from the variable to the value. */
  readonly path: readonly DebugPathPart[]
  /** The value's type, such as `uint64` or `enum Shop.Status`; `undefined` if only the slot is known. */
  readonly type: string | undefined
  /**
   * The read or written value, in viem's form: an enum member's name, a dynamic array's length, and for an unknown
   * variable the slot's 32 bytes; `undefined` for strings of more than 4,096 bytes.
   */
  readonly value: unknown
  /** The replaced value; absent in reads. */
  readonly before?: unknown
  /** Whether a revert undid the write; `false` for reads. */
  readonly isReverted: boolean
}

export type DebugPathPart =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'key'; readonly type: string; readonly value: unknown }
  | { readonly kind: 'index'; readonly index: bigint }
  /** Array elements in the same slot, if the source does not show which element is read. */
  | { readonly kind: 'elements'; readonly from: bigint; readonly length: number }
  /** Bytes of a long `string` or `bytes`. */
  | { readonly kind: 'bytes'; readonly from: bigint; readonly length: number }

export interface DebugLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** The event's name; `undefined` if no ABI is known. */
  readonly event: string | undefined
  readonly args: readonly Argument[] | undefined
  readonly isReverted: boolean
}

/** Missing data of a contract. */
export interface DebugGap {
  readonly reason: /** No known artifact has this code. */
    | 'unknownCode'
    /** Several contracts have this code. */
    | 'ambiguous'
    /** No sources or source maps: steps have no positions. */
    | 'noSources'
    /** No storage layout: variables have no names. */
    | 'noStorageLayout'
  readonly address: Address | undefined
  readonly contract: string | undefined
  /** A sentence that describes the gap and the remedy. */
  readonly text: string
}

/** Options of `devnet.debug` and of the tracer `soliditySource`. */
export interface DebugOptions {
  /** Maximum number of steps to keep. By default, all steps are kept. */
  readonly limit?: number | undefined
  /** Leaves out reads and writes of storage. */
  readonly disableStorage?: boolean | undefined
}
