/**
 * The result of the tracer `soliditySource`. Gas is a quantity; integers of Solidity, which may be negative, are
 * decimal texts. `devnet.debug` returns more (`solidity/debug/debugRun.ts`).
 */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { DebugPosition } from '../model/execution/trace.ts'

export interface DebugRunAnswer {
  readonly status: 'success' | 'reverted'
  readonly gasUsed: Hex
  /** Calls, creations and functions in the order of entry. The first frame is the transaction. */
  readonly frames: readonly DebugFrameAnswer[]
  readonly steps: readonly DebugStepAnswer[]
  /** Whether recording stopped at the limit of steps. */
  readonly isCut: boolean
  readonly gaps: readonly { readonly reason: string; readonly text: string }[]
}

export interface DebugValue {
  readonly name: string
  readonly type: string
  /** Absent if unknown. */
  readonly value?: unknown
}

/** A call or creation (`message`), or the call of a function inside of one. */
export interface DebugFrameAnswer {
  readonly kind: 'message' | 'function'
  readonly parent?: number | undefined
  readonly depth: number
  readonly contract?: string | undefined
  readonly function?: string | undefined
  readonly isModifier?: boolean
  /** The range of steps, inner frames included; empty if `last` is less than `first`. */
  readonly steps: { readonly first: number; readonly last: number }
  /** The called or created account; only in messages. */
  readonly to?: Address | undefined
  /** The account whose storage is used; only in messages. */
  readonly address?: Address | undefined
  /** The arguments of a function, if known. */
  readonly args?: readonly DebugValue[] | undefined
  readonly result?: readonly DebugValue[] | undefined
  readonly error?: { readonly text: string } | undefined
}

/** Consecutive instructions of one source range. */
export interface DebugStepAnswer {
  /** The index of the innermost frame. */
  readonly frame: number
  readonly position?: DebugPosition | undefined
  readonly gasUsed: Hex
  /** Parameters and local variables before the step; absent if unknown, or unchanged in the frame. */
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
  /** The path of the variable, such as `balances[0x…].amount`. Without `name` and `type` only the slot is known. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly value?: unknown
  readonly before?: unknown
  /** Whether the access was reverted, by its own call or by an outer call. */
  readonly isReverted: boolean
}
