/**
 * The reverts of solc 0.6.3 to 0.6.x, which come from no source: where they are follows from what stands around them
 * (https://github.com/ethereum/solidity/issues/9006).
 */

import type { Instruction } from '../opcodes.ts'
import { INVALID, REVERT } from '../opcodes.ts'
import { isSameRange } from '../source/selectors.ts'
import type { Decoded } from './decoded.ts'
import { type Entry, failure, type Place, type Where } from './entry.ts'
import { versionOf } from './version.ts'
import { atConstructor, atInstruction, atStart } from './where.ts'

const FIRST = versionOf('0.6.3')
const BEYOND = versionOf('0.7.0')

/** Returns whether the message ended with such a revert. */
export function mayBeUnmapped({ version, last }: Decoded): boolean {
  return version >= FIRST && version < BEYOND && last?.opcode === REVERT
}

/** Returns the failure before a function was entered by a jump: in the fallback, or in `receive`. */
export function unmappedBeforeFunction(decoded: Decoded): Entry | undefined {
  const found = unmappedInFunction(decoded)
  if (found?.place !== undefined) return found
  const { source, message } = decoded
  const isEmpty = message.frame.input.length === 0
  const one = isEmpty && source?.receive !== undefined ? source.receive : source?.fallback
  return one && unmapped(decoded, corrected(atStart(decoded, one)))
}

/** Returns the failure in a function; `undefined` where nothing says where it was. */
export function unmappedInFunction(decoded: Decoded): Entry | undefined {
  const number = decoded.lastWithRange()
  const before = number === undefined ? undefined : decoded.step(number)
  const next = instructionBehind(decoded)
  if (next !== undefined) {
    const range = decoded.rangeOf(before)
    const nextRange = decoded.rangeOf(next)
    // Most likely a `require`, whose code goes on behind the revert: the place is exact.
    if (range && nextRange && isSameRange(range, nextRange) && decoded.functionOf(before)) {
      return unmapped(decoded, atInstruction(decoded, next))
    }
    const where = atInstruction(decoded, before) ?? atInstruction(decoded, next)
    return unmapped(decoded, where && corrected(where))
  }
  // The compiler writes nothing behind a revert that ends a constructor.
  if (before === undefined) return undefined
  const where = atInstruction(decoded, before)
  if (decoded.isCreation && where === undefined) return unmapped(decoded, atConstructor(decoded))
  return unmapped(decoded, where && corrected(where))
}

/** The instruction behind the last that ran; none where the code ends: the compiler marks that by an INVALID. */
function instructionBehind({ instructions, last }: Decoded): Instruction | undefined {
  const next = instructions.at(last!.pc + 1)
  const isEnd = next?.opcode === INVALID && next.index >= instructions.map.length
  return isEnd ? undefined : next
}

const NOWHERE: Where = { place: undefined, function: undefined, functionKind: undefined }

function unmapped(decoded: Decoded, where: Where | undefined): Entry {
  return failure('revert', decoded, where ?? NOWHERE)
}

/**
 * The place known is often that of the instruction before. Where its line has no `require` or `revert` and the next one that
 * is not empty has, it is that one.
 */
function corrected(where: Where): Where {
  const shown = where.place && nextFailing(where.place)
  return shown === undefined ? where : { ...where, shown }
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
