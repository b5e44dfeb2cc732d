/** Function calls within a contract that have not returned, found by the jump marks of source maps. */

import { OP } from '../../model/opcodes.ts'
import { isSameRange } from '../source/ast.ts'
import type { Instruction, SourceRange } from '../source/instructions.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { ContractRun } from './contractRun.ts'
import {
  atConstructor,
  atContract,
  atInstruction,
  type Entry,
  entry,
  entryPoint,
  type Location,
  withoutPlace,
} from './entries.ts'

export interface InternalCalls {
  readonly entries: readonly Entry[]
  readonly starts: readonly Instruction[]
  /** Whether a jump entered a function with a source. */
  readonly hasEntered: boolean
  /** The innermost function's call of a compiler-generated helper that is still running. Set only for code via IR. */
  readonly helperCall: Instruction | undefined
}

interface Jump {
  readonly call: Instruction
  readonly start: Instruction
}

export function internalCalls(run: ContractRun): InternalCalls {
  const { jumps, hasEntered } = openJumps(run)
  // If jumps were dropped, the running functions are unknown.
  if (!run.message.trail.isComplete) return { entries: [], starts: [], hasEntered, helperCall: undefined }
  if (run.isYul) return callsInYul(run, jumps)
  const known = run.isOptimized ? jumps.filter(({ call }, i) => isCall(run, call, i)) : jumps
  const entries = known.map(({ call, start }) => callEntry(run, call, run.functionOf(start)))
  return { entries, starts: jumps.map(({ start }) => start), hasEntered, helperCall: undefined }
}

/** Returns whether the jump is a call by a function, and not the jump that selects a function by the calldata. */
function isCall(run: ContractRun, call: Instruction, position: number): boolean {
  const one = run.functionOf(call)
  return one !== undefined && (position > 0 || !isSameRange(run.rangeOf(call)!, one.range))
}

function openJumps(run: ContractRun): { readonly jumps: readonly Jump[]; readonly hasEntered: boolean } {
  const { instructions, message, isOptimized } = run
  const jumps: Jump[] = []
  let hasEntered = false
  message.trail.eachJump((pc, nextPc) => {
    const call = instructions.at(pc)
    if (call !== undefined && call.jump !== 'into') {
      // Optimizers lose jump marks, but only the end of a function jumps to the instruction after a call.
      const back = isOptimized ? jumps.findLastIndex((jump) => jump.call.pc + 1 === nextPc) : -1
      if (back >= 0) jumps.length = back
      else if (call.jump === 'out') jumps.pop()
      return
    }
    if (call?.jump !== 'into' || nextPc === undefined) return
    const start = instructions.at(nextPc)
    if (start?.opcode !== OP.JUMPDEST) return
    jumps.push({ call, start })
    if (run.rangeOf(start) !== undefined) hasEntered = true
  })
  return { jumps, hasEntered }
}

/** Via IR, much code is in compiler-generated helpers. A failure in a helper is a failure of its caller. */
function callsInYul(run: ContractRun, jumps: readonly Jump[]): InternalCalls {
  // Functions after the last one with a source are compiler-generated.
  const last = jumps.findLastIndex(({ start }) => run.functionOf(start) !== undefined)
  const helperCall = jumps.slice(last + 1).find(({ call }) => run.functionOf(call) !== undefined)
  const known = jumps.slice(0, last + 1).filter(({ call }) => run.functionOf(call) !== undefined)
  return {
    entries: known.map(({ call, start }) => callEntry(run, call, run.functionOf(start))),
    starts: jumps.slice(0, last + 1).map(({ start }) => start),
    hasEntered: last >= 0 || helperCall !== undefined || run.lastInFunction() !== undefined,
    helperCall: helperCall?.call,
  }
}

/** Returns the entry for `instruction`, at which a function jumps to `target` or makes a message call. */
export function callEntry(run: ContractRun, instruction: Instruction, target?: SourceFunction): Entry {
  const range = run.rangeOf(instruction)
  if (range === undefined) return entry('internal', run, atContract(run))
  const location = atInstruction(run, instruction)
  if (location !== undefined) {
    const isLost = run.isOptimized && !calls(run, range, target)
    return entry('call', run, isLost ? withoutPlace(location) : location)
  }
  const file = run.model.file(range.file)!
  return entry('call', run, { place: { file, range } })
}

/** Returns whether the source text in `range` is a call. Optimizers give some calls the ranges of other code. */
function calls(run: ContractRun, range: SourceRange, target: SourceFunction | undefined): boolean {
  const one = run.model.functionAt(range)
  if (one === undefined || isSameRange(range, one.range)) return false
  const text = run.model.file(range.file)?.lines?.text(range.start, range.length) ?? ''
  if (target === undefined) return /^(?!assembly\b)[^;]*[({]/.test(text)
  return (
    target.name !== '' && new RegExp(`(^|[^\\w$])${target.name.replaceAll('$', '\\$')}\\s*[({]`).test(text)
  )
}

/** Returns the entry for the function whose modifier failed. */
export function modifiedFunction(run: ContractRun, { starts }: InternalCalls): Entry {
  const start = starts.at(-1)
  if (start !== undefined) return callEntry(run, start)
  return entry('call', run, entryPoint(run) ?? atContract(run))
}

/** Returns the first known location: of the helper call (via IR), `instruction`, last step in a function, contract. */
export function nearestLocation(
  run: ContractRun,
  instruction: Instruction | undefined,
  { helperCall }: InternalCalls,
): Location {
  return (
    atInstruction(run, helperCall) ??
    atInstruction(run, instruction) ??
    atInstruction(run, run.lastInFunction()) ??
    (run.isCreation && run.isYul ? atConstructor(run) : atContract(run))
  )
}
