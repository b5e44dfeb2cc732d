/** Calls within a contract: which functions were entered and not left, by the marks of jumps in source maps. */

import type { Instruction, SourceRange } from '../opcodes.ts'
import { JUMPDEST } from '../opcodes.ts'
import { isSameRange } from '../source/selectors.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { Decoded } from './decoded.ts'
import { type Entry, entry } from './entry.ts'
import { atContract, atInstruction, named } from './where.ts'

export interface InternalCalls {
  /** Where functions were called that are still running, the outermost first. */
  readonly entries: readonly Entry[]
  /** Where those functions begin. */
  readonly starts: readonly Instruction[]
  /** Whether there was ever a jump into a function of a source. */
  readonly hasEntered: boolean
  /** Of code by way of Yul: where the innermost function called what the compiler wrote, which is still running. */
  readonly helped: Instruction | undefined
}

/** A jump into a function. */
interface Jump {
  readonly call: Instruction
  readonly start: Instruction
}

/** Returns the functions that ran when the message ended. */
export function internalCalls(decoded: Decoded): InternalCalls {
  const { jumps, hasEntered } = openJumps(decoded)
  // Not all jumps are known: which functions are running is not either.
  if (!decoded.message.trail.isComplete) return { entries: [], starts: [], hasEntered, helped: undefined }
  if (decoded.isYul) return callsInYul(decoded, jumps)
  const known = decoded.isOptimized ? jumps.filter(({ call }, i) => isCall(decoded, call, i)) : jumps
  const entries = known.map(({ call, start }) => callEntry(decoded, call, decoded.functionOf(start)))
  return { entries, starts: jumps.map(({ start }) => start), hasEntered, helped: undefined }
}

/** Returns whether a function made the jump, and not what chooses functions by their selectors. */
function isCall(decoded: Decoded, call: Instruction, position: number): boolean {
  const one = decoded.functionOf(call)
  return one !== undefined && (position > 0 || !isSameRange(decoded.rangeOf(call)!, one.range))
}

function openJumps(decoded: Decoded): { readonly jumps: readonly Jump[]; readonly hasEntered: boolean } {
  const { instructions, message, isOptimized } = decoded
  const jumps: Jump[] = []
  let hasEntered = false
  message.trail.eachJump((pc, nextPc) => {
    const call = instructions.at(pc)
    if (call !== undefined && call.jump !== 'into') {
      // Optimizers lose marks: to where a function was called from, nothing but its end jumps.
      const back = isOptimized ? jumps.findLastIndex((jump) => jump.call.pc + 1 === nextPc) : -1
      if (back >= 0) jumps.length = back
      else if (call.jump === 'out') jumps.pop()
      return
    }
    if (call?.jump !== 'into' || nextPc === undefined) return
    const start = instructions.at(nextPc)
    if (start?.opcode !== JUMPDEST) return
    jumps.push({ call, start })
    if (decoded.rangeOf(start) !== undefined) hasEntered = true
  })
  return { jumps, hasEntered }
}

/** Much of the code is in functions that the compiler wrote: those who call them fail where they do. */
function callsInYul(decoded: Decoded, jumps: readonly Jump[]): InternalCalls {
  // From the last jump into a function of a source on all is what the compiler wrote.
  const last = jumps.findLastIndex(({ start }) => decoded.functionOf(start) !== undefined)
  const helped = jumps.slice(last + 1).find(({ call }) => decoded.functionOf(call) !== undefined)
  const known = jumps.slice(0, last + 1).filter(({ call }) => decoded.functionOf(call) !== undefined)
  return {
    entries: known.map(({ call, start }) => callEntry(decoded, call, decoded.functionOf(start))),
    starts: jumps.slice(0, last + 1).map(({ start }) => start),
    hasEntered: last >= 0 || helped !== undefined || decoded.lastInFunction() !== undefined,
    helped: helped?.call,
  }
}

/** Returns the entry of a function that goes on elsewhere at `instruction`: by a jump into the function `target`, or a call. */
export function callEntry(decoded: Decoded, instruction: Instruction, target?: SourceFunction): Entry {
  const range = decoded.rangeOf(instruction)
  if (range === undefined) return entry('internal', decoded, atContract(decoded))
  const where = atInstruction(decoded, instruction)
  if (where !== undefined) {
    const isLost = decoded.isOptimized && !calls(decoded, range, target)
    return entry('call', decoded, isLost ? named(where) : where)
  }
  const file = decoded.model.file(range.file)!
  return entry('call', decoded, { place: { file, range }, function: undefined, functionKind: undefined })
}

/** Returns whether there is a call in the source: optimizers leave other ranges to some. */
function calls(decoded: Decoded, range: SourceRange, target: SourceFunction | undefined): boolean {
  const one = decoded.model.functionAt(range)
  if (one === undefined || isSameRange(range, one.range)) return false
  const text = decoded.model.file(range.file)?.lines?.text(range.start, range.length) ?? ''
  if (target === undefined) return /^(?!assembly\b)[^;]*[({]/.test(text)
  return (
    target.name !== '' && new RegExp(`(^|[^\\w$])${target.name.replaceAll('$', '\\$')}\\s*[({]`).test(text)
  )
}
