/** Finds failures of checks that solc adds: for a call's value, its arguments, and a missing fallback or receive. */

import { toHex } from '../../bytes/hex.ts'
import { OP } from '../../model/opcodes.ts'
import { codecOf, encodeValues, valuesOf } from '../abi/codec.ts'
import { creationOf } from '../artifacts/compilation.ts'
import { isSameRange } from '../source/ast.ts'
import { type ContractRun, versionOf } from './contractRun.ts'
import { atConstructor, atContract, atStart, type Entry, failure } from './entries.ts'
import type { FailureKind } from './format.ts'

/** From this version on, checks that solc adds have source ranges, so the last steps show whether one reverted. */
const WITH_MAPPED_CHECKS = versionOf('0.6.9')

/** If the last entry is a revert without data, replaces it by the failed check that solc added, if any. */
export function withAddedCheck(run: ContractRun, entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1)
  if (last?.kind !== 'revert' || last.message !== run.message) return entries
  if (run.output.length > 0 || run.version < WITH_MAPPED_CHECKS) return entries
  const kind = addedBy(run)
  return kind === undefined ? entries : [...entries.slice(0, -1), { ...last, kind }]
}

function addedBy(run: ContractRun): FailureKind | undefined {
  if (ran(run, -9, [OP.EXTCODESIZE, OP.ISZERO, OP.DUP1, OP.ISZERO])) return 'nonContractAccountCalled'
  const isLess = ran(run, -7, [OP.LT, OP.ISZERO])
  if (isLess && ran(run, -20, [OP.CODESIZE]) && ran(run, -15, [OP.CODECOPY])) return 'invalidParams'
  return isLess && ran(run, -11, [OP.CALLDATASIZE]) ? 'invalidParams' : undefined
}

/** Returns whether the steps from `first` on have these opcodes. `first` is negative and counts from the end. */
function ran(run: ContractRun, first: number, opcodes: readonly number[]): boolean {
  if (run.length + first < run.afterLastMessage) return false
  return opcodes.every((opcode, i) => run.step(first + i)?.opcode === opcode)
}

const WITH_RECEIVE = versionOf('0.6.0')

/** The first version of solc that makes constructors check their arguments. */
const WITH_CHECKED_ARGUMENTS = versionOf('0.5.9')

/** Returns the failure of a call before it entered a function; `undefined` if the call may have entered a function. */
export function failureBeforeCall(run: ContractRun): Entry | undefined {
  const { source, message, calledFunction, value } = run
  if (source === undefined) return undefined
  if (message.depth === 0 && source.isLibrary) {
    const location = calledFunction === undefined ? atContract(run) : atStart(run, calledFunction)
    return failure('directLibraryCall', run, location)
  }
  // All checks below revert without data.
  if (run.output.length > 0 || message.exit.failure?.kind !== 'revert') return undefined
  if (calledFunction !== undefined) {
    const isRefused = value > 0n && !source.isLibrary && !calledFunction.isPayable
    return isRefused ? failure('functionNotPayable', run, atStart(run, calledFunction)) : undefined
  }
  const isEmpty = message.frame.input.length === 0
  if (isEmpty && source.receive !== undefined) return undefined
  const lacksReceive = isEmpty && run.version >= WITH_RECEIVE
  const { fallback } = source
  if (fallback === undefined) {
    const kind = lacksReceive ? 'missingFallbackOrReceive' : 'unrecognizedFunctionWithoutFallback'
    return failure(kind, run, atContract(run))
  }
  if (value === 0n || fallback.isPayable) return undefined
  const kind = lacksReceive ? 'fallbackNotPayableAndNoReceive' : 'fallbackNotPayable'
  return failure(kind, run, atStart(run, fallback))
}

/** Returns the failure of a creation before its constructor ran; `undefined` if the constructor may have run. */
export function failureBeforeCreation(run: ContractRun): Entry | undefined {
  if (run.output.length > 0 || run.message.exit.failure?.kind !== 'revert') return undefined
  const own = run.source?.constructorFunction
  if (own === undefined) return undefined
  if (run.value > 0n && !own.isPayable) {
    return failure('functionNotPayable', run, atConstructor(run))
  }
  return areArgumentsInvalid(run) ? failure('invalidParams', run, atConstructor(run)) : undefined
}

/** Returns whether compiler-generated code reverted after CODESIZE, before any code of the constructor's body. */
function areArgumentsInvalid(run: ContractRun): boolean {
  const { source, last, message, version } = run
  if (version < WITH_CHECKED_ARGUMENTS || message.last !== undefined || message.trail.first > 0) return false
  if (last?.opcode !== OP.REVERT || run.rangeOf(last) !== undefined) return false
  if (areConstructorArgumentsValid(run)) return false
  let hasLooked = false
  for (let i = 0; i < run.length; i++) {
    const instruction = run.step(i)
    const range = run.rangeOf(instruction)
    if (range !== undefined && !isSameRange(range, source!.range)) {
      if (!isSameRange(range, source!.constructorFunction!.range)) return false
    }
    if (instruction?.opcode === OP.CODESIZE) hasLooked = true
  }
  return hasLooked
}

/** Returns whether the bytes after the init code are exactly an encoding of the constructor's arguments. */
function areConstructorArgumentsValid({ contract, message }: ContractRun): boolean {
  const creation = creationOf(contract)
  if (creation === undefined) return false
  const { codeSize, constructorItem: { inputs = [] } = {} } = creation
  const data = toHex(message.frame.input.subarray(codeSize))
  const values = valuesOf(inputs, data)
  return values !== undefined && encodeValues(inputs, values) === data
}

/** Returns whether the calldata is valid for the called function. Returns `true` for functions that the ABI lacks. */
export function areArgumentsValid({ abi, message }: ContractRun): boolean {
  const codec = codecOf(abi)
  const data = toHex(message.frame.input)
  return (
    codec.signature(toHex(message.frame.input.subarray(0, 4))) === undefined || codec.call(data) !== undefined
  )
}
