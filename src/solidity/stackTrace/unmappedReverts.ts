/** Reverts of solc 0.6.3 to 0.6.x without source range (github.com/ethereum/solidity/issues/9006). */

import { OP } from '../../model/opcodes.ts'
import { isSameRange } from '../source/ast.ts'
import type { Instruction } from '../source/instructions.ts'
import { type ContractRun, versionOf } from './contractRun.ts'
import {
  atConstructor,
  atInstruction,
  atStart,
  type Entry,
  failure,
  type Location,
  type Place,
} from './entries.ts'

const FIRST_UNMAPPED = versionOf('0.6.3')

const FIRST_MAPPED = versionOf('0.7.0')

/** Returns whether the message may have ended with such a revert. */
export function mayBeUnmapped({ version, last }: ContractRun): boolean {
  return version >= FIRST_UNMAPPED && version < FIRST_MAPPED && last?.opcode === OP.REVERT
}

/** Returns the failure before any jump into a function: in the fallback or receive function. */
export function unmappedBeforeFunction(run: ContractRun): Entry | undefined {
  const found = unmappedInFunction(run)
  if (found?.place !== undefined) return found
  const one = (run.input.length === 0 ? run.source?.receive : undefined) ?? run.source?.fallback
  return one && unmapped(run, corrected(atStart(run, one)))
}

/** Returns the failure in a function; `undefined` where no instruction around it has a range. */
export function unmappedInFunction(run: ContractRun): Entry | undefined {
  const number = run.lastWithRange()
  const before = number === undefined ? undefined : run.step(number)
  const next = instructionBehind(run)
  if (next !== undefined) {
    const range = run.rangeOf(before)
    const nextRange = run.rangeOf(next)
    // Most likely a `require`, whose code continues behind the revert: the place is exact.
    if (range && nextRange && isSameRange(range, nextRange) && run.functionOf(before)) {
      return unmapped(run, atInstruction(run, next))
    }
    const location = atInstruction(run, before) ?? atInstruction(run, next)
    return unmapped(run, location && corrected(location))
  }
  // solc writes nothing behind the revert at the end of a constructor.
  if (before === undefined) return undefined
  const location = atInstruction(run, before)
  if (run.isCreation && location === undefined) return unmapped(run, atConstructor(run))
  return unmapped(run, location && corrected(location))
}

/** The instruction behind the last one; `undefined` at the end of the code, which solc marks by INVALID. */
function instructionBehind({ instructions, last }: ContractRun): Instruction | undefined {
  const next = instructions.at(last!.pc + 1)
  const isEnd = next?.opcode === OP.INVALID && next.index >= instructions.map.length
  return isEnd ? undefined : next
}

function unmapped(run: ContractRun, location: Location = {}): Entry {
  return failure('revert', run, location)
}

/** Shows the next line instead if it has a `require` or `revert` and the known line has none. */
function corrected(location: Location): Location {
  const shown = location.place && nextFailing(location.place)
  return shown === undefined ? location : { ...location, shown }
}

function nextFailing({ file, range }: Place): Place | undefined {
  const lines = file.text?.split('\n')
  const line = file.lines?.lineAt(range.start)
  if (lines === undefined || line === undefined || FAILS.test(lines[line - 1] ?? '')) return undefined
  const next = lines.findIndex((text, i) => i >= line && text.trim() !== '')
  const match = next < 0 ? null : FAILS.exec(lines[next]!)
  if (match === null) return undefined
  const start = file.lines!.offsetOf(next + 1, lines[next]!.slice(0, match.index))
  return { file, range: { file: range.file, start, length: match[0].length } }
}

const FAILS = /require|revert/
