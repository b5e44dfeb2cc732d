/** Infers the entries for failures of the last instruction: REVERT, INVALID, and halts such as out of gas. */

import {
  CODE_TOO_LARGE,
  DEPOSIT_OUT_OF_GAS,
  GAS_OVERFLOW,
  invalidOpcode,
  OUT_OF_GAS,
  STACK_OVERFLOW,
} from '../../engine/trace/failures.ts'
import { isErrorString, panicCode } from '../../model/execution/revertReason.ts'
import { OP } from '../../model/opcodes.ts'
import { isSameRange } from '../source/ast.ts'
import type { Instruction } from '../source/instructions.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { RecordedMessage } from './callRecorder.ts'
import { areArgumentsValid } from './compilerChecks.ts'
import { type ContractRun, versionOf } from './contractRun.ts'
import {
  atConstructor,
  atContract,
  atInstruction,
  atRange,
  atStart,
  type Entries,
  type Entry,
  entry,
  entryPoint,
  failure,
  type Location,
  type Place,
  withModifiedFunction,
  withoutPlace,
} from './entries.ts'
import type { FailureKind } from './format.ts'
import { type InternalCalls, modifiedFunction, nearestLocation } from './internalCalls.ts'
import { certainPlace, reachedFrom } from './optimizedCode.ts'

/** The panic code of a call to an unset function variable. */
const UNSET_FUNCTION = 0x51n

export function atLastInstruction(run: ContractRun, calls: InternalCalls): Entries | undefined {
  const { last } = run
  if (last === undefined) return undefined
  const reverted = byRevert(run, last, calls)
  if (reverted !== undefined || run.isCreation || calls.hasEntered) return reverted
  return [beforeJump(run, last, calls)]
}

function byRevert(run: ContractRun, last: Instruction, calls: InternalCalls): Entries | undefined {
  const range = run.rangeOf(last)
  const { output } = run
  const isWithin = (range !== undefined || run.isYul) && (calls.hasEntered || run.isCreation)
  const kind = kindOfRevert(run)
  // A revert with data comes from a function, even if the optimizer left none of the function's instructions.
  const isOfFunction = isWithin || (output.length > 0 && run.entered !== undefined)
  if (isOfFunction && run.isOptimized) return withModifiedFunction(run, ofOptimized(run, calls, kind))
  const location = nearestLocation(run, last, calls)
  const entries = [...calls.entries]
  if (isWithin && location.functionKind === 'modifier') entries.push(modifiedFunction(run, calls))
  if (kind === 'panic') {
    // The last entry is the call of the compiler-generated panic function.
    if (entries.at(-1)?.kind === 'internal') entries.pop()
    if (panicCode(output) === UNSET_FUNCTION) entries.pop()
  }
  if (kind === 'panic' || kind === 'customError') {
    return withModifiedFunction(run, [...entries, failure(kind, run, location)])
  }
  if (isWithin) {
    const exact = atInstruction(run, last) ?? entryPoint(run)
    if (exact === undefined) return undefined
    return withModifiedFunction(run, [...entries, failure(kind, run, exact)])
  }
  if (range === undefined && output.length > 0) {
    return withModifiedFunction(run, [...entries, failure(kind, run, atContract(run))])
  }
  return undefined
}

export function kindOfRevert({ output, message }: ContractRun): FailureKind {
  if (panicCode(output) !== undefined) return 'panic'
  if (output.length > 0 && !isErrorString(output)) return 'customError'
  return message.exit.failure?.kind === 'halt' ? 'invalidOpcode' : 'revert'
}

function beforeJump(run: ContractRun, last: Instruction, calls: InternalCalls): Entry {
  const kind = kindOfRevert(run)
  const failing = run.functionOf(last)
  const { calledFunction, isOptimized } = run
  if (!isOptimized && failing !== undefined) {
    const isExact = failing.kind === 'fallback' || failing.kind === 'receive'
    // Fallback and receive may be inlined, so that no jump enters them: the instruction's place is then exact.
    const location = isExact ? atInstruction(run, last) : undefined
    return failure(kind, run, location ?? atStart(run, failing))
  }
  if (calledFunction !== undefined && !areArgumentsValid(run)) {
    return failure('invalidParams', run, atStart(run, calledFunction))
  }
  if (isOptimized) {
    // The optimizer removed all code of this function except the revert.
    const certain = certainPlace(run, run.entered, calls)
    if (certain !== undefined) {
      return failure(kind, run, atRange(run, certain.function, certain.range))
    }
    const one = run.entered ?? failing
    if (one !== undefined) return failure(kind, run, withoutPlace(atStart(run, one)))
  }
  const unmapped = mayBeUnmapped(run) ? unmappedBeforeFunction(run) : undefined
  return unmapped ?? failure('otherExecutionError', run, atContract(run))
}

export function unmappedRevert(run: ContractRun, entries: Entries): Entries | undefined {
  if (!mayBeUnmapped(run)) return undefined
  const found = unmappedInFunction(run)
  return found && [...entries, found]
}

/** Returns the entries for a revert in optimized code: in the running function, or in a function inlined into it. */
function ofOptimized(run: ContractRun, calls: InternalCalls, kind: FailureKind): Entries {
  const running = runningIn(run, calls)
  const certain = certainPlace(run, running, calls)
  const entries = [...calls.entries]
  if (certain === undefined) {
    const location = running === undefined ? nearestLocation(run, run.last, calls) : atStart(run, running)
    return [...entries, failure(kind, run, withoutPlace(location))]
  }
  // solc inlined the failing function into the running one, so the place of the call is unknown.
  if (running !== undefined && certain.function !== running && running.kind !== 'constructor') {
    entries.push(entry('call', run, withoutPlace(atStart(run, running))))
  }
  return [...entries, failure(kind, run, atRange(run, certain.function, certain.range))]
}

/** Returns the running function. Ignores inlined functions and modifiers. */
function runningIn(run: ContractRun, { starts }: InternalCalls): SourceFunction | undefined {
  const functions = starts.map((start) => run.functionOf(start))
  const inner = functions.filter((one) => one !== undefined && one.kind !== 'modifier').at(-1)
  const { source, model } = run
  if (run.isCreation) return inner ?? source?.constructorFunction
  const outer = run.entered
  if (inner === undefined || outer === undefined || source === undefined) return outer ?? inner
  // The optimizer merges equal functions, so the innermost function may differ from the called function.
  return reachedFrom([outer], source, model)?.has(inner) === false ? outer : inner
}

/** Kinds of failure by the EVM's error, except invalid opcodes. */
const HALTS: Readonly<Record<string, FailureKind>> = {
  [OUT_OF_GAS]: 'outOfGas',
  [GAS_OVERFLOW]: 'outOfGas',
  [DEPOSIT_OUT_OF_GAS]: 'outOfGas',
  [STACK_OVERFLOW]: 'stackTooDeep',
  [CODE_TOO_LARGE]: 'contractTooLarge',
}

export function isOutOfGas({ exit }: RecordedMessage): boolean {
  return exit.failure !== undefined && HALTS[exit.failure.error] === 'outOfGas'
}

export function kindOfHalt({ exit: { failure: why }, trail }: RecordedMessage): FailureKind | undefined {
  if (why?.kind !== 'halt') return undefined
  if (why.error === invalidOpcode(trail.lastOpcode)) return 'invalidOpcode'
  return HALTS[why.error] ?? 'otherExecutionError'
}

/** Returns the entries for a halt; `undefined` for INVALID, which solc uses for failed checks. */
export function halted(run: ContractRun, calls: InternalCalls): Entries | undefined {
  const kind = kindOfHalt(run.message)
  if (kind === undefined || run.last?.opcode === OP.INVALID) return undefined
  if (kind === 'contractTooLarge') return [failure(kind, run, atConstructor(run))]
  const location = nearestLocation(run, run.last, calls)
  return withModifiedFunction(run, [
    ...calls.entries,
    failure(kind, run, run.isOptimized ? withoutPlace(location) : location),
  ])
}

/** From this version until 0.7, solc gives reverts no source range (github.com/ethereum/solidity/issues/9006). */
const FIRST_UNMAPPED = versionOf('0.6.3')

const FIRST_MAPPED = versionOf('0.7.0')

function mayBeUnmapped({ version, last }: ContractRun): boolean {
  return version >= FIRST_UNMAPPED && version < FIRST_MAPPED && last?.opcode === OP.REVERT
}

/** Returns the failure of a run that entered no function: at a nearby range, otherwise in receive or fallback. */
function unmappedBeforeFunction(run: ContractRun): Entry | undefined {
  const found = unmappedInFunction(run)
  if (found?.place !== undefined) return found
  const one = (run.input.length === 0 ? run.source?.receive : undefined) ?? run.source?.fallback
  return one && unmapped(run, corrected(atStart(run, one)))
}

/** Returns the failure in a function; `undefined` if no neighbouring instruction has a range. */
function unmappedInFunction(run: ContractRun): Entry | undefined {
  const number = run.lastWithRange()
  const before = number === undefined ? undefined : run.step(number)
  const next = nextInstruction(run)
  if (next !== undefined) {
    const range = run.rangeOf(before)
    const nextRange = run.rangeOf(next)
    // Equal ranges most likely mean a `require`, whose code continues after the revert: then the place is exact.
    if (range && nextRange && isSameRange(range, nextRange) && run.functionOf(before)) {
      return unmapped(run, atInstruction(run, next))
    }
    const location = atInstruction(run, before) ?? atInstruction(run, next)
    return unmapped(run, location && corrected(location))
  }
  // At the end of a constructor no code follows the revert.
  if (before === undefined) return undefined
  const location = atInstruction(run, before)
  if (run.isCreation && location === undefined) return unmapped(run, atConstructor(run))
  return unmapped(run, location && corrected(location))
}

/** Returns the instruction after the last executed one; `undefined` at the end of the code, marked by INVALID. */
function nextInstruction({ instructions, last }: ContractRun): Instruction | undefined {
  const next = instructions.at(last!.pc + 1)
  const isEnd = next?.opcode === OP.INVALID && next.index >= instructions.map.length
  return isEnd ? undefined : next
}

function unmapped(run: ContractRun, location: Location = {}): Entry {
  return failure('revert', run, location)
}

/** Returns `location`, shown at the next line if that line has a `require` or `revert` and its own line has none. */
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
