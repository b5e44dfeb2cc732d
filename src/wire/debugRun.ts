/**
 * The JSON result of the tracer `soliditySource`. Gas is a quantity. Integers of Solidity may be negative, so they
 * are decimal strings. The JavaScript API `devnet.debug` returns more members (`solidity/debug/debugRun.ts`).
 */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { CallKind, DebugPosition } from '../model/execution/trace.ts'

export interface DebugRunAnswer {
  readonly status: 'success' | 'reverted'
  readonly gasUsed: Hex
  /** Frames of calls, creations and internal functions, in order of entry. The first is the transaction's frame. */
  readonly frames: readonly DebugFrameAnswer[]
  readonly steps: readonly DebugStepAnswer[]
  /** Whether the recording ended before the transaction, because the maximum number of steps was reached. */
  readonly isCut: boolean
  readonly gaps: readonly { readonly reason: string; readonly text: string }[]
}

export interface DebugValue {
  readonly name: string
  readonly type: string
  /** Absent if the value is unknown. Unknown parts of a value are absent. */
  readonly value?: unknown
  /** The reason why the value or a part of it is unknown. */
  readonly reason?: string | undefined
  /** The number of array elements that are left out. */
  readonly omitted?: number | undefined
}

/** A call or creation (`message`), or a Solidity function within it (`function`). */
export interface DebugFrameAnswer {
  readonly kind: 'message' | 'function'
  readonly parent?: number | undefined
  readonly depth: number
  readonly contract?: string | undefined
  readonly function?: string | undefined
  readonly isModifier?: boolean
  /** The range of steps of this frame and its inner frames. The range is empty if `last` is less than `first`. */
  readonly steps: { readonly first: number; readonly last: number }
  /** The kind of the message, its sender, and its value in wei. Present only in frames of the kind `message`. */
  readonly call?: CallKind
  readonly from?: Address
  readonly value?: Hex | undefined
  /** The called or created account. Present only in frames of the kind `message`. */
  readonly to?: Address | undefined
  /** The account whose storage is used. Present only in frames of the kind `message`. */
  readonly address?: Address | undefined
  readonly args?: readonly DebugValue[] | undefined
  /** The immutables of the contract. Present only in frames of the kind `message`. */
  readonly immutables?: readonly DebugValue[] | undefined
  readonly result?: readonly DebugValue[] | undefined
  readonly error?: { readonly text: string } | undefined
}

/** Consecutive instructions with the same source range. */
export interface DebugStepAnswer {
  /** The index of the innermost frame at this step. */
  readonly frame: number
  readonly position?: DebugPosition | undefined
  readonly gasUsed: Hex
  /** Parameters and local variables before the step. Absent if unknown, or unchanged since the frame's last step. */
  readonly variables?: readonly DebugValue[] | undefined
  readonly storage: readonly StorageAccessAnswer[]
  readonly logs: readonly {
    readonly event?: string | undefined
    readonly args?: readonly DebugValue[] | undefined
  }[]
}

export interface StorageAccessAnswer {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  readonly address: Address
  readonly slot: Hash
  /** The path of the variable, such as `balances[0x…].amount`. Absent, like `type`, if only the slot is known. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly value?: unknown
  readonly before?: unknown
  /** Whether the access was reverted by its own call or an outer call. */
  readonly isReverted: boolean
}
