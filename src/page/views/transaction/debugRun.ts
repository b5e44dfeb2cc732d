import type { DebugFrameAnswer, DebugRunAnswer, DebugStepAnswer, DebugValue } from '../../../wire/debugRun.ts'

type Walked = Pick<DebugRunAnswer, 'frames' | 'steps'>

export type Move =
  | ('next' | 'previous' | 'over' | 'back' | 'in' | 'out' | 'caller' | 'first' | 'last')
  | ('call' | 'callBefore' | 'revert')

/**
 * Returns the step to which a move leads. `over` and `back` lead to the next or previous line in the same frame or
 * an outer frame. `in` leads into the next function or call, `call` and `callBefore` only into calls. `out` and
 * `caller` lead to the steps just after and before the frame. If there is no such step, returns the last or the first.
 */
export function moved({ frames, steps }: Walked, at: number, move: Move): number {
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
    case 'in':
      return begun(1, () => true) ?? last
    case 'call':
      return begun(1, isCall) ?? last
    case 'callBefore':
      return begun(-1, isCall) ?? 0
    case 'caller':
      return Math.max(frames[steps[at]!.frame]!.steps.first - 1, 0)
    case 'revert':
      return failedStep(frames, steps)
    case 'out':
      return found(1, (frame) => frame.depth < depth) ?? last
    case 'over':
      return found(1, isOtherLine) ?? last
    case 'back':
      return found(-1, isOtherLine) ?? 0
  }
  /** Returns the nearest step after (1) or before (-1) `at` that is the first step of a frame for which `is` holds. */
  function begun(by: 1 | -1, is: (frame: DebugFrameAnswer) => boolean): number | undefined {
    const firsts = frames.flatMap((frame) =>
      is(frame) && frame.steps.first <= frame.steps.last ? [frame.steps.first] : [],
    )
    const beyond = firsts.filter((first) => by * (first - at) > 0 && first <= last)
    return beyond.sort((a, b) => by * (a - b))[0]
  }
  function isCall({ kind }: DebugFrameAnswer): boolean {
    return kind === 'message'
  }
  function found(
    by: number,
    is: (frame: DebugFrameAnswer, step: DebugStepAnswer) => boolean,
  ): number | undefined {
    for (let i = at + by; i >= 0 && i <= last; i += by) if (is(frames[steps[i]!.frame]!, steps[i]!)) return i
    return undefined
  }
  function isOtherLine(frame: DebugFrameAnswer, { position }: DebugStepAnswer): boolean {
    if (frame.depth > depth || position === undefined) return false
    const own = steps[at]!.position
    return (
      frame.depth < depth || own === undefined || position.line !== own.line || position.file !== own.file
    )
  }
}

/** Returns the indexes of the frames on the call stack at a step, innermost first. */
export function stackAt({ frames, steps }: Walked, at: number): number[] {
  const stack: number[] = []
  for (let i: number | undefined = steps[at]?.frame; i !== undefined; i = frames[i]!.parent) stack.push(i)
  return stack
}

/** Returns the index of the innermost call or creation frame that contains a frame; a call contains itself. */
export function messageAround({ frames }: Walked, frame: number): number {
  let at = frame
  while (frames[at]!.kind !== 'message') at = frames[at]!.parent!
  return at
}

/** Returns the step shown first: the failed call's last step; without a failure, the first after the dispatcher. */
export function firstShown({ frames, steps, status }: Walked & Pick<DebugRunAnswer, 'status'>): number {
  if (status === 'reverted') return failedStep(frames, steps)
  const first = steps.findIndex(
    ({ position }) => position !== undefined && position.line === position.endLine,
  )
  return Math.max(first, 0)
}

function failedStep(frames: Walked['frames'], steps: Walked['steps']): number {
  let failed = frames[0]!
  let at = 0
  // Inner calls have higher indexes than their callers. If the errors differ, the caller caught the inner error.
  for (let i = frames.length - 1; i > at; i--) {
    const { kind, error, steps: own, parent } = frames[i]!
    if (kind !== 'message' || error === undefined || error.text !== failed.error?.text) continue
    if (own.last < own.first || messageAround({ frames, steps }, parent!) !== at) continue
    failed = frames[i]!
    at = i
    i = frames.length
  }
  const last = Math.min(failed.steps.last, steps.length - 1)
  for (let i = last; i > failed.steps.first; i--) if (steps[i]!.position !== undefined) return i
  return Math.max(last, 0)
}

/** Returns the variables that were recorded last in `frame` at or before the step `at`; `undefined` if unknown. */
export function localsAt(
  { steps, frames }: Walked,
  frame: number,
  at: number,
): readonly DebugValue[] | undefined {
  const { first } = frames[frame]!.steps
  for (let i = at; i >= first; i--) {
    const step = steps[i]!
    if (step.frame === frame && step.variables !== undefined) return step.variables
  }
  return undefined
}

/** A variable whose type may be unknown. */
export type Variable = Omit<DebugValue, 'type'> & { readonly type?: string | undefined }

/** Returns the storage variables of an account accessed up to a step. If a name is unknown, the slot is the name. */
export function variablesAt(
  steps: readonly DebugStepAnswer[],
  at: number,
  address: string | undefined,
): Variable[] {
  const variables = new Map<string, Variable>()
  for (const { storage } of steps.slice(0, at + 1)) {
    for (const access of storage) {
      if (access.address !== address) continue
      const name = access.name ?? access.slot
      variables.set(name, { name, type: access.type, value: access.value })
    }
  }
  return [...variables.values()]
}
