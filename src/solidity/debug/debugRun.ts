/** What `devnet.debug` returns: a run as its Solidity sources tell it. Plain data. */

import type { Address, Hash, Hex } from '../../bytes/hex.ts'
import type { CallKind, DebugPosition } from '../../model/execution/trace.ts'
import type { Argument } from '../abi/decoded.ts'

export type { DebugPosition }

/** A run of a transaction or call, step by step. */
export interface DebugRun {
  readonly kind: 'source'
  readonly status: 'success' | 'reverted'
  /** Of the whole transaction, as in its receipt. */
  readonly gasUsed: bigint
  /** Calls, creations and functions in the order in which they were entered. The first is the transaction's own. */
  readonly frames: readonly DebugFrame[]
  readonly steps: readonly DebugStep[]
  /** Whether the steps behind the option `limit` were left out. Frames are all there. */
  readonly isCut: boolean
  /** What could not be told, and why: once for each contract. */
  readonly gaps: readonly DebugGap[]
}

/** A call or creation, or a function within one. */
export type DebugFrame = MessageFrame | FunctionFrame

interface OpenedFrame {
  /** The index of the frame in which this one was entered; `undefined`: it is the first. */
  readonly parent: number | undefined
  /** The number of frames around it. */
  readonly depth: number
  /** The name of the contract that declares the function; `undefined`: it is not known, or a free function. */
  readonly contract: string | undefined
  /** The first and last step between entry and end, those of inner frames too; `last` is less than `first` where there are none. */
  readonly steps: { readonly first: number; readonly last: number }
}

/** A call or creation. */
export interface MessageFrame extends OpenedFrame {
  readonly kind: 'message'
  readonly call: CallKind
  readonly from: Address
  /** The account that was called or created; of a delegate call the one that has the code. Absent: the creation failed. */
  readonly to: Address | undefined
  /** The account whose storage the code uses; absent where no code ran. */
  readonly address: Address | undefined
  /** In wei; absent in calls that cannot transfer any. */
  readonly value: bigint | undefined
  readonly input: Hex
  readonly output: Hex
  readonly gas: bigint
  readonly gasUsed: bigint
  /** The function's name, or `constructor`, `fallback`, `receive`; `undefined`: the contract is not known. */
  readonly function: string | undefined
  /** The decoded arguments; `undefined` where no ABI tells. */
  readonly args: readonly Argument[] | undefined
  /** The decoded values that were returned; `undefined` where no ABI tells, or it failed. */
  readonly result: readonly Argument[] | undefined
  readonly error: DebugError | undefined
}

/** Why a call failed. */
export interface DebugError {
  /** In words: the reason, the custom error with its arguments, or what the EVM says. */
  readonly text: string
  /** The name of the custom error; `undefined`: it is none, or no ABI has it. */
  readonly name: string | undefined
  readonly args: readonly Argument[] | undefined
}

/** A function, modifier or constructor that was entered by a jump, or stands in the code of another. */
export interface FunctionFrame extends OpenedFrame {
  readonly kind: 'function'
  /** Its name, or `constructor`, `fallback`, `receive`. */
  readonly function: string
  readonly isModifier: boolean
  /** Where it is declared. */
  readonly declaredAt: DebugPosition | undefined
  /**
   * What it was given when it was entered; `undefined` where that is not certain: of modifiers, of what stands in the code of another, via
   * IR. Values are those of `DebugStep.variables`.
   */
  readonly args: readonly Argument[] | undefined
  /** What it returned; `undefined` as `args`, or it did not return. */
  readonly result: readonly Argument[] | undefined
}

/** Instructions in a row that come from one range of the sources. */
export interface DebugStep {
  /** The index of the innermost frame. */
  readonly frame: number
  /** `undefined`: no source, or optimisation lost it. It is never guessed. */
  readonly position: DebugPosition | undefined
  /** Without what calls used that were made in between. */
  readonly gasUsed: bigint
  /**
   * The parameters and local variables of its frame before the step, where they are others than those of the frame's step before;
   * `undefined`: they are the same, or not known, as in all optimised code. The type is that of Solidity with its location, such as
   * `string memory`. The value is in viem's form, members of enums by their names; `undefined` for arrays, structs, mappings and texts of
   * more than 4,096 bytes.
   */
  readonly variables: readonly Argument[] | undefined
  /** Reads and writes of storage in their order. */
  readonly storage: readonly StorageAccess[]
  readonly logs: readonly DebugLog[]
}

/** A read or write of one variable. */
export interface StorageAccess {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  /** The account whose storage it is. */
  readonly address: Address
  readonly slot: Hash
  /** The variable with keys and members, such as `balances[0x…].amount`; `undefined`: only the slot is known. */
  readonly name: string | undefined
  /** The variable as declared; `undefined` as `name`. */
  readonly variable: string | undefined
  /** What leads from the variable to the value. */
  readonly path: readonly DebugPathPart[]
  /** The Solidity type, such as `uint64` or `enum Shop.Status`; `undefined` as `name`. */
  readonly type: string | undefined
  /**
   * The value read, or written. In viem's form; members of enums by their names; the length of a dynamic array; the slot's 32 bytes
   * where its variable is not known; `undefined` for a text of more than 4,096 bytes.
   */
  readonly value: unknown
  /** The value that a write replaced; absent in reads. */
  readonly before?: unknown
  /** Whether it was undone: the call failed later, or one around it. Always `false` for reads. */
  readonly isReverted: boolean
}

export type DebugPathPart =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'key'; readonly type: string; readonly value: unknown }
  | { readonly kind: 'index'; readonly index: bigint }
  /** Elements that share a slot, where the source does not tell which of them is read. */
  | { readonly kind: 'elements'; readonly from: bigint; readonly length: number }
  /** Bytes of a long `string` or `bytes`. */
  | { readonly kind: 'bytes'; readonly from: bigint; readonly length: number }

/** An event that was emitted. */
export interface DebugLog {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  /** `undefined` where no ABI has it. */
  readonly event: string | undefined
  readonly args: readonly Argument[] | undefined
  readonly isReverted: boolean
}

/** What could not be told of a contract. */
export interface DebugGap {
  readonly reason: /** No known artifact has this code. */
    | 'unknownCode'
    /** Several contracts fit the code. */
    | 'ambiguous'
    /** The artifact has no sources or source maps: steps have no positions. */
    | 'noSources'
    /** The layout of the storage is not known: variables have no names. */
    | 'noStorageLayout'
  readonly address: Address | undefined
  readonly contract: string | undefined
  /** A sentence that says what to do. */
  readonly text: string
}

/** Options of `devnet.debug` and of the tracer `soliditySource`. */
export interface DebugOptions {
  /** The most steps that are kept. By default all. */
  readonly limit?: number | undefined
  /** Leaves reads and writes of storage out. */
  readonly disableStorage?: boolean | undefined
}
