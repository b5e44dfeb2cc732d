/** Calls within a contract: which functions were entered and not left, by the marks of jumps in source maps. */
import type { Instruction } from '../source/instructions.ts'
import type { Decoded } from './decoded.ts'
import { type Entry, entry } from './entry.ts'
import { JUMPDEST } from './opcodes.ts'
import { atContract, atInstruction } from './where.ts'

export interface InternalCalls {
  /** Where functions were called that are still running, the outermost first. */
  readonly entries: readonly Entry[]
  /** Where those functions begin. */
  readonly starts: readonly Instruction[]
  /** Whether there was ever a jump into a function of a source. */
  readonly hasEntered: boolean
}

/** Returns the functions that ran when the message ended. */
export function internalCalls(decoded: Decoded): InternalCalls {
  const { instructions, message } = decoded
  const calls: Instruction[] = []
  const starts: Instruction[] = []
  let hasEntered = false
  message.trail.eachJump((pc, nextPc) => {
    const jump = instructions.at(pc)
    if (jump?.jump === 'out') {
      calls.pop()
      starts.pop()
      return
    }
    if (jump?.jump !== 'into' || nextPc === undefined) return
    const next = instructions.at(nextPc)
    if (next?.opcode !== JUMPDEST) return
    calls.push(jump)
    starts.push(next)
    if (decoded.rangeOf(next) !== undefined) hasEntered = true
  })
  // Not all jumps are known: which functions are running is not either.
  if (!message.trail.isComplete) return { entries: [], starts: [], hasEntered }
  return { entries: calls.map((call) => callEntry(decoded, call)), starts, hasEntered }
}

/** Returns the entry of a function that goes on elsewhere at `instruction`: by a jump or a call. */
export function callEntry(decoded: Decoded, instruction: Instruction): Entry {
  const range = decoded.rangeOf(instruction)
  if (range === undefined) return entry('internal', decoded, atContract(decoded))
  const where = atInstruction(decoded, instruction)
  if (where !== undefined) return entry('call', decoded, where)
  const file = decoded.model.file(range.file)!
  return entry('call', decoded, { place: { file, range }, function: undefined, functionKind: undefined })
}
