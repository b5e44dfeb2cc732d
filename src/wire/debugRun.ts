/**
 * The result of the tracer `soliditySource`: an execution by its Solidity sources. Gas is a quantity; Solidity's
 * integers, which may be negative, are decimal texts. `devnet.debug` returns more (`solidity/debug/debugRun.ts`).
 */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { DebugPosition } from '../model/execution/trace.ts'

export interface DebugRunAnswer {
  readonly status: 'success' | 'reverted'
  readonly gasUsed: Hex
  /** Calls, creations and functions in order of entry. The first is that of the transaction. */
  readonly frames: readonly DebugFrameAnswer[]
  readonly steps: readonly DebugStepAnswer[]
  /** Whether the limit of steps was reached. */
  readonly isCut: boolean
  /** Missing information, with the reason. */
  readonly gaps: readonly { readonly reason: string; readonly text: string }[]
}

/** A named value of a Solidity type. */
export interface DebugValue {
  readonly name: string
  readonly type: string
  /** Absent if it is unknown. */
  readonly value?: unknown
}

/** A call or creation (`message`), or a function within one. */
export interface DebugFrameAnswer {
  readonly kind: 'message' | 'function'
  /** The index of the calling frame. */
  readonly parent?: number | undefined
  /** The number of frames around it. */
  readonly depth: number
  readonly contract?: string | undefined
  readonly function?: string | undefined
  readonly isModifier?: boolean
  /** The range of steps, those of inner frames included; empty if `last` is less than `first`. */
  readonly steps: { readonly first: number; readonly last: number }
  /** Only of messages: the called or created account, and the account whose storage is used. */
  readonly to?: Address | undefined
  readonly address?: Address | undefined
  /** Only of functions, if known. */
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
  /** Parameters and local variables before the step; absent if unknown, or equal to those of the frame's previous step. */
  readonly variables?: readonly DebugValue[] | undefined
  readonly storage: readonly StorageAccessAnswer[]
  readonly logs: readonly {
    readonly event?: string | undefined
    readonly args?: readonly DebugValue[] | undefined
  }[]
}

/** A read or write of one variable. */
export interface StorageAccessAnswer {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  readonly address: Address
  readonly slot: Hash
  /** With keys and members, such as `balances[0x…].amount`. Like `type`, absent if only the slot is known. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly value?: unknown
  readonly before?: unknown
  /** Whether the access was reverted with its call or an outer one. */
  readonly isReverted: boolean
}
