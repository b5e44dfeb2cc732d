/**
 * The result of the tracer `soliditySource`: a run as its Solidity sources tell it. Gas is a quantity; integers of Solidity that
 * JavaScript has as bigints are decimal texts, since they may be negative. It says what clients are promised; `devnet.debug` has more
 * (`solidity/debug/debugRun.ts`), and the compiler holds both together in `methods/solidity/sourceTracer.ts`.
 */
import type { Address, Hash, Hex } from '../bytes/hex.ts'
import type { DebugPosition } from '../model/execution/trace.ts'

export interface DebugRunAnswer {
  readonly status: 'success' | 'reverted'
  readonly gasUsed: Hex
  /** Calls, creations and functions in the order in which they were entered. The first is the transaction's own. */
  readonly frames: readonly DebugFrameAnswer[]
  readonly steps: readonly DebugStepAnswer[]
  /** Whether steps were left out. */
  readonly isCut: boolean
  /** What could not be told, and why. */
  readonly gaps: readonly { readonly reason: string; readonly text: string }[]
}

/** A value with its name and its Solidity type. */
export interface DebugValue {
  readonly name: string
  readonly type: string
  /** Absent where it is not told. */
  readonly value?: unknown
}

/** A call or creation (`message`), or a function within one. */
export interface DebugFrameAnswer {
  readonly kind: 'message' | 'function'
  /** The index of the frame in which this one was entered. */
  readonly parent?: number | undefined
  /** The number of frames around it. */
  readonly depth: number
  readonly contract?: string | undefined
  readonly function?: string | undefined
  readonly isModifier?: boolean
  /** The first and last step between entry and end, those of inner frames too; `last` is less than `first` where there are none. */
  readonly steps: { readonly first: number; readonly last: number }
  /** Of messages: the account that was called or created, and the one whose storage the code uses. */
  readonly to?: Address | undefined
  readonly address?: Address | undefined
  /** Of functions where they are certain. */
  readonly args?: readonly DebugValue[] | undefined
  readonly result?: readonly DebugValue[] | undefined
  readonly error?: { readonly text: string } | undefined
}

/** Instructions in a row that come from one range of the sources. */
export interface DebugStepAnswer {
  /** The index of the innermost frame. */
  readonly frame: number
  readonly position?: DebugPosition | undefined
  readonly gasUsed: Hex
  /** The parameters and local variables of the frame before the step; absent where they are those of the frame's step before, or not known. */
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
  /** With keys and members, such as `balances[0x…].amount`; absent where only the slot is known, as is `type`. */
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly value?: unknown
  readonly before?: unknown
  /** Whether it was undone: the call failed later, or one around it. */
  readonly isReverted: boolean
}
