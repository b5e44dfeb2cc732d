/** Failures of the last instruction: REVERT, INVALID, and halts such as out of gas. */

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
import type { Instruction } from '../source/instructions.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import type { RecordedMessage } from './callRecorder.ts'
import { areArgumentsValid } from './compilerChecks.ts'
import type { ContractRun } from './contractRun.ts'
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
  withModifiedFunction,
  withoutPlace,
} from './entries.ts'
import { reachedFrom } from './failingNodes.ts'
import type { FailureKind } from './format.ts'
import { type InternalCalls, modifiedFunction, nearestLocation } from './internalCalls.ts'
import { certainPlace } from './optimizedCode.ts'
import { mayBeUnmapped, unmappedBeforeFunction, unmappedInFunction } from './unmappedReverts.ts'

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
  // Revert data come from a function, even if the optimizer removed all its instructions.
  const isOfFunction = isWithin || (output.length > 0 && run.entered !== undefined)
  if (isOfFunction && run.isOptimized) return withModifiedFunction(run, ofOptimized(run, calls, kind))
  const location = nearestLocation(run, last, calls)
  const entries = [...calls.entries]
  if (isWithin && location.functionKind === 'modifier') entries.push(modifiedFunction(run, calls))
  if (kind === 'panic') {
    // The jump into the compiler-generated panic function.
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
    // The fallback's code may stand inline, without a jump.
    const location = isExact ? atInstruction(run, last) : undefined
    return failure(kind, run, location ?? atStart(run, failing))
  }
  if (calledFunction !== undefined && !areArgumentsValid(run)) {
    return failure('invalidParams', run, atStart(run, calledFunction))
  }
  if (isOptimized) {
    // The optimizer left only the revert of this function.
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

/** A revert in optimized code, in the running function or one inlined into it. */
function ofOptimized(run: ContractRun, calls: InternalCalls, kind: FailureKind): Entries {
  const running = runningIn(run, calls)
  const certain = certainPlace(run, running, calls)
  const entries = [...calls.entries]
  if (certain === undefined) {
    const location = running === undefined ? nearestLocation(run, run.last, calls) : atStart(run, running)
    return [...entries, failure(kind, run, withoutPlace(location))]
  }
  // The failing function was inlined into the running one, which called it at an unknown place.
  if (running !== undefined && certain.function !== running && running.kind !== 'constructor') {
    entries.push(entry('call', run, withoutPlace(atStart(run, running))))
  }
  return [...entries, failure(kind, run, atRange(run, certain.function, certain.range))]
}

/** The running function, ignoring inlined functions and modifiers. */
function runningIn(run: ContractRun, { starts }: InternalCalls): SourceFunction | undefined {
  const functions = starts.map((start) => run.functionOf(start))
  const inner = functions.filter((one) => one !== undefined && one.kind !== 'modifier').at(-1)
  const { source, model } = run
  if (run.isCreation) return inner ?? source?.constructorFunction
  const outer = run.entered
  if (inner === undefined || outer === undefined || source === undefined) return outer ?? inner
  // The optimizer merges equal functions, so the innermost may not be the one that was called.
  return reachedFrom([outer], source, model)?.has(inner) === false ? outer : inner
}

/** Halts that are not an invalid opcode. */
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

/** The kind of a halt; `undefined` for a revert. */
export function kindOfHalt({ exit: { failure: why }, trail }: RecordedMessage): FailureKind | undefined {
  if (why?.kind !== 'halt') return undefined
  if (why.error === invalidOpcode(trail.lastOpcode)) return 'invalidOpcode'
  return HALTS[why.error] ?? 'otherExecutionError'
}

/** A halt other than by INVALID, which solc uses on purpose. */
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
