/** Failures that the last instruction made: a REVERT, or an INVALID. */

import { toHex } from '../../bytes/hex.ts'
import { codecOf } from '../abi/codec.ts'
import type { Instruction } from '../opcodes.ts'
import { EXTCODESIZE, ISZERO } from '../opcodes.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { abiOf } from './abiOf.ts'
import { beforeModifier, beginning, entered, fromFunction, placed } from './beginnings.ts'
import { reachedFrom } from './candidates.ts'
import { certainly, isErrorString, isPanic, panicCode } from './certain.ts'
import type { Decoded } from './decoded.ts'
import { type Entries, type Entry, entry, failure } from './entry.ts'
import type { InternalCalls } from './internalCalls.ts'
import type { FailureKind } from './stackTrace.ts'
import { mayBeUnmapped, unmappedBeforeFunction, unmappedInFunction } from './unmapped.ts'
import { atContract, atInstruction, atRange, atStart, named } from './where.ts'

/** The panic of a call to a function variable that was never set. */
const UNSET_FUNCTION = 0x51n

/** A failure that the last instruction made: a REVERT, or an INVALID. */
export function atLastInstruction(decoded: Decoded, calls: InternalCalls): Entries | undefined {
  const { last } = decoded
  if (last === undefined) return undefined
  const reverted = byRevert(decoded, last, calls)
  if (reverted !== undefined || decoded.isCreation || calls.hasEntered) return reverted
  return [beforeJump(decoded, last, calls)]
}

function byRevert(decoded: Decoded, last: Instruction, calls: InternalCalls): Entries | undefined {
  const range = decoded.rangeOf(last)
  const { output } = decoded
  const isWithin = (range !== undefined || decoded.isYul) && (calls.hasEntered || decoded.isCreation)
  const kind = kindOfRevert(decoded)
  // What fails with data is a function, also where none of its own instructions are left.
  const isOfFunction = isWithin || (output.length > 0 && entered(decoded) !== undefined)
  if (isOfFunction && decoded.isOptimized) return fromFunction(decoded, ofOptimized(decoded, calls, kind))
  const where = placed(decoded, last, calls)
  const entries = [...calls.entries]
  if (isWithin && where.functionKind === 'modifier') entries.push(beforeModifier(decoded, calls))
  if (kind === 'panic') {
    // The jump into what the compiler wrote to panic.
    if (entries.at(-1)?.kind === 'internal') entries.pop()
    if (panicCode(output) === UNSET_FUNCTION) entries.pop()
  }
  if (kind === 'panic' || kind === 'customError') {
    return fromFunction(decoded, [...entries, failure(kind, decoded, where)])
  }
  if (isWithin) {
    const exact = atInstruction(decoded, last) ?? beginning(decoded)
    if (exact === undefined) return undefined
    return fromFunction(decoded, [...entries, failure(kind, decoded, exact)])
  }
  if (range === undefined && output.length > 0) {
    return fromFunction(decoded, [...entries, failure(kind, decoded, atContract(decoded))])
  }
  return undefined
}

export function kindOfRevert({ output, message }: Decoded): FailureKind {
  if (isPanic(output)) return 'panic'
  if (output.length > 0 && !isErrorString(output)) return 'customError'
  return message.exit.failure?.kind === 'halt' ? 'invalidOpcode' : 'revert'
}

/** A failure of a call that did not jump into a function before. */
function beforeJump(decoded: Decoded, last: Instruction, calls: InternalCalls): Entry {
  const kind = kindOfRevert(decoded)
  const failing = decoded.functionOf(last)
  const { calledFunction, isOptimized } = decoded
  if (!isOptimized && failing !== undefined) {
    const isExact = failing.kind === 'fallback' || failing.kind === 'receive'
    // It did not jump, but the code of the function stands there.
    const where = isExact ? atInstruction(decoded, last) : undefined
    return failure(kind, decoded, where ?? atStart(decoded, failing))
  }
  if (calledFunction !== undefined && !areArgumentsValid(decoded)) {
    return failure('invalidParams', decoded, atStart(decoded, calledFunction))
  }
  if (isOptimized) {
    // A function of which the compiler left only that it fails.
    const certain = certainly(decoded, entered(decoded), calls)
    if (certain !== undefined) {
      return failure(kind, decoded, atRange(decoded, certain.function, certain.range))
    }
    const one = entered(decoded) ?? failing
    if (one !== undefined) return failure(kind, decoded, named(atStart(decoded, one)))
  }
  const unmapped = mayBeUnmapped(decoded) ? unmappedBeforeFunction(decoded) : undefined
  return unmapped ?? failure('otherExecutionError', decoded, atContract(decoded))
}

/** A call of an account without code, which solc looks for before it calls. */
export function emptyAccount(decoded: Decoded, entries: Entries): Entries | undefined {
  const number = decoded.lastWithRange()
  if (number === undefined || number === 0) return undefined
  const isLookedFor =
    decoded.step(number)?.opcode === ISZERO && decoded.step(number - 1)?.opcode === EXTCODESIZE
  if (!isLookedFor) return undefined
  const where = atInstruction(decoded, decoded.step(number)) ?? atContract(decoded)
  return [...entries, failure('nonContractAccountCalled', decoded, where)]
}

export function unmapped(decoded: Decoded, entries: Entries): Entries | undefined {
  if (!mayBeUnmapped(decoded)) return undefined
  const found = unmappedInFunction(decoded)
  return found && [...entries, found]
}

/** Returns whether the call data are arguments of the function; of one that is not in the ABI, as in libraries, it is not known. */
function areArgumentsValid({ contract, message }: Decoded): boolean {
  const codec = codecOf(abiOf(contract))
  const data = toHex(message.frame.input)
  return (
    codec.signature(toHex(message.frame.input.subarray(0, 4))) === undefined || codec.call(data) !== undefined
  )
}

/** A revert in optimized code: the function that was running, or one that became a part of it, and the place if it is certain. */
function ofOptimized(decoded: Decoded, calls: InternalCalls, kind: FailureKind): Entries {
  const running = runningIn(decoded, calls)
  const certain = certainly(decoded, running, calls)
  const entries = [...calls.entries]
  if (certain === undefined) {
    const where = running === undefined ? placed(decoded, decoded.last, calls) : atStart(decoded, running)
    return [...entries, failure(kind, decoded, named(where))]
  }
  // It is a part of the one that was running, which called it somewhere.
  if (running !== undefined && certain.function !== running && running.kind !== 'constructor') {
    entries.push(entry('call', decoded, named(atStart(decoded, running))))
  }
  return [...entries, failure(kind, decoded, atRange(decoded, certain.function, certain.range))]
}

/** The function that was running, without those that became a part of it, and without modifiers, which are parts of it. */
function runningIn(decoded: Decoded, { starts }: InternalCalls): SourceFunction | undefined {
  const functions = starts.map((start) => decoded.functionOf(start))
  const inner = functions.filter((one) => one !== undefined && one.kind !== 'modifier').at(-1)
  const { source, model } = decoded
  if (decoded.isCreation) return inner ?? source?.constructorFunction
  const outer = entered(decoded)
  if (inner === undefined || outer === undefined || source === undefined) return outer ?? inner
  // Equal functions become one, which is not always the one that was called.
  return reachedFrom([outer], source, model)?.has(inner) === false ? outer : inner
}
