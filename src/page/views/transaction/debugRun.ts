/** The answer of the tracer `soliditySource`, and how a reader walks through its steps. */
import type { Hex } from '../../source/answers.ts'

export interface DebugRun {
  readonly status: 'success' | 'reverted'
  readonly gasUsed: Hex
  readonly frames: readonly DebugFrame[]
  readonly steps: readonly DebugStep[]
  readonly isCut: boolean
  readonly gaps: readonly { readonly reason: string; readonly text: string }[]
}

export interface DebugArgument {
  readonly name: string
  readonly type: string
  readonly value: unknown
}

export interface DebugFrame {
  readonly kind: 'message' | 'function'
  readonly parent?: number
  readonly depth: number
  readonly contract?: string
  readonly function?: string
  readonly isModifier?: boolean
  readonly steps: { readonly first: number; readonly last: number }
  /** Of messages. */
  readonly to?: Hex
  readonly address?: Hex
  readonly args?: readonly DebugArgument[]
  readonly result?: readonly DebugArgument[]
  readonly error?: { readonly text: string }
}

export interface DebugPosition {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly text: string
}

export interface DebugStep {
  readonly frame: number
  readonly position?: DebugPosition
  readonly gasUsed: Hex
  readonly storage: readonly StorageAccess[]
  readonly logs: readonly { readonly event?: string; readonly args?: readonly DebugArgument[] }[]
}

export interface StorageAccess {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  readonly address: Hex
  readonly slot: Hex
  readonly name?: string
  readonly type?: string
  readonly value?: unknown
  readonly before?: unknown
  readonly isReverted: boolean
}

/** Where a reader may go from a step. */
export type Move = 'next' | 'previous' | 'over' | 'back' | 'out' | 'first' | 'last'

/**
 * Returns the step to which a move leads: `over` and `back` stay in the frame or go out of it and change the line, `out` goes behind the
 * frame. The step itself where there is no other.
 */
export function moved({ frames, steps }: Pick<DebugRun, 'frames' | 'steps'>, at: number, move: Move): number {
  const last = steps.length - 1
  const { depth } = frames[steps[at]!.frame]!
  switch (move) {
    case 'first':
      return 0
    case 'last':
      return last
    case 'next':
      return Math.min(at + 1, last)
    case 'previous':
      return Math.max(at - 1, 0)
    case 'out':
      return found(1, (frame) => frame.depth < depth) ?? last
    case 'over':
      return found(1, isOtherLine) ?? last
    case 'back':
      return found(-1, isOtherLine) ?? 0
  }
  function found(by: number, is: (frame: DebugFrame, step: DebugStep) => boolean): number | undefined {
    for (let i = at + by; i >= 0 && i <= last; i += by) if (is(frames[steps[i]!.frame]!, steps[i]!)) return i
    return undefined
  }
  function isOtherLine(frame: DebugFrame, { position }: DebugStep): boolean {
    if (frame.depth > depth || position === undefined) return false
    const own = steps[at]!.position
    return (
      frame.depth < depth || own === undefined || position.line !== own.line || position.file !== own.file
    )
  }
}

/** Returns the frames around a step, the outermost first. */
export function stackAt({ frames, steps }: Pick<DebugRun, 'frames' | 'steps'>, at: number): DebugFrame[] {
  const stack: DebugFrame[] = []
  for (let i: number | undefined = steps[at]?.frame; i !== undefined; i = frames[i]!.parent) {
    stack.unshift(frames[i]!)
  }
  return stack
}

/** A variable of storage, by its name or slot, with its last known value. */
export interface Variable {
  readonly name: string
  readonly type: string | undefined
  readonly value: unknown
  readonly wasWritten: boolean
}

/** Returns the variables of an account's storage that were read or written up to a step, with their values there. */
export function variablesAt(
  steps: readonly DebugStep[],
  at: number,
  address: string | undefined,
): Variable[] {
  const variables = new Map<string, Variable>()
  for (let i = 0; i <= at; i++) {
    for (const access of steps[i]!.storage) {
      if (access.address !== address) continue
      const name = access.name ?? access.slot
      const wasWritten = access.kind === 'write' || variables.get(name)?.wasWritten === true
      variables.set(name, { name, type: access.type, value: access.value, wasWritten })
    }
  }
  return [...variables.values()]
}
