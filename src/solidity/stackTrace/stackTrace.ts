/** Infers the stack trace of a failed run by the rules of Hardhat (NomicFoundation/edr, `edr_solidity`). */

import { areEqual } from '../../bytes/bytes.ts'
import { CODE_TOO_LARGE, TOO_DEEP } from '../../engine/trace/failures.ts'
import { isCreation } from '../../engine/trace/operands.ts'
import { OP } from '../../model/opcodes.ts'
import type { Contract } from '../abi/contract.ts'
import type { CompiledContract, FindCode } from '../artifacts/compilation.ts'
import { contains, isSameRange } from '../source/ast.ts'
import type { RecordedMessage } from './callRecorder.ts'
import { failureBeforeCall, failureBeforeCreation, withAddedCheck } from './compilerChecks.ts'
import { ContractRun } from './contractRun.ts'
import {
  atContract,
  atInstruction,
  byAbi,
  type Entries,
  type Entry,
  entry,
  failure,
  type Place,
  unknownEntry,
  withModifiedFunction,
} from './entries.ts'
import { failureMessage } from './failureMessage.ts'
import type { FailureKind, SolidityStackTrace } from './format.ts'
import { callEntry, internalCalls, nearestLocation } from './internalCalls.ts'
import { atLastInstruction, halted, isOutOfGas, kindOfHalt, kindOfRevert, unmappedRevert } from './reverts.ts'

export { recordRun } from './callRecorder.ts'

/** A stack trace with the return data and value of the innermost failed message. */
export interface InferredStackTrace extends SolidityStackTrace {
  readonly returnData: Uint8Array
  /** The transferred wei. */
  readonly value: bigint
}

/** Returns a failed run's stack trace; `undefined` if no code ran or failed. `abis` decode further custom errors. */
export function stackTraceOf(
  recorded: RecordedMessage | undefined,
  find: FindCode,
  abis: Iterable<Contract> = [],
): InferredStackTrace | undefined {
  if (recorded?.exit.failure === undefined) return undefined
  const entries = new StackTraceInference(find).entriesOf(recorded)
  const last = entries.at(-1)
  if (last?.message === undefined) return undefined
  const { frame, exit } = last.message
  return {
    kind: last.kind as FailureKind,
    message: failureMessage(last, abis),
    returnData: exit.output,
    value: frame.value ?? 0n,
    frames: entries.map(({ frame }) => frame).reverse(),
  }
}

class StackTraceInference {
  readonly #find: FindCode
  /** Results by message. They are kept, because each contract that matches a caller's code needs the inner entries. */
  readonly #known = new Map<RecordedMessage, Entries>()

  constructor(find: FindCode) {
    this.#find = find
  }

  /** Returns the entries of a failed message; empty if the message succeeded. */
  entriesOf(message: RecordedMessage): Entries {
    let entries = this.#known.get(message)
    if (entries === undefined) {
      entries = this.#infer(message)
      this.#known.set(message, entries)
    }
    return entries
  }

  #infer(message: RecordedMessage): Entries {
    const { frame, exit, code } = message
    if (exit.failure === undefined) return []
    if (exit.isPrecompile) return [unknownEntry('precompile', message)]
    const isNew = isCreation(frame.kind)
    const match = code.length === 0 ? undefined : this.#find(code, isNew)
    if (match === undefined) return this.#ofUnknown(message, isNew)
    if (match.kind === 'contract') return this.#ofContract(message, match.contract)
    return commonEntries(match.contracts.map((contract) => this.#ofContract(message, contract)))
  }

  #ofUnknown(message: RecordedMessage, isNew: boolean): Entries {
    const { exit, last } = message
    // By default, contracts pass on the revert data of calls that fail.
    if (last?.message.exit.failure && areEqual(last.message.exit.output, exit.output)) {
      return [unknownEntry('unrecognized', message), ...this.entriesOf(last.message)]
    }
    if (exit.failure?.error === CODE_TOO_LARGE) return [unknownEntry('contractTooLarge', message)]
    return [unknownEntry(isNew ? 'unrecognizedCreation' : 'unrecognizedContract', message)]
  }

  #ofContract(message: RecordedMessage, contract: CompiledContract): Entries {
    const run = new ContractRun(message, contract)
    const before = run.isCreation ? failureBeforeCreation(run) : failureBeforeCall(run)
    if (before !== undefined) return [before]
    if (run.instructions.map.length === 0) return this.#withoutMap(run)
    const calls = internalCalls(run)
    const entries = this.#inLastMessage(run, calls.entries) ??
      refusedCall(run, calls.entries) ??
      halted(run, calls) ??
      atLastInstruction(run, calls) ??
      emptyAccount(run, calls.entries) ??
      unmappedRevert(run, calls.entries) ?? [
        ...calls.entries,
        failure('otherExecutionError', run, nearestLocation(run, undefined, calls)),
      ]
    return withAddedCheck(
      run,
      // Drops entries whose range contains the range of the next entry, such as a statement around a call.
      entries.filter((one, i) => !isRedundant(one, entries[i + 1], entries[i + 2], i === 0)),
    )
  }

  /** Returns the entries of code without a source map: the function by the ABI, and a failed call that it passed on. */
  #withoutMap(run: ContractRun): Entries {
    const { last } = run.message
    const location = byAbi(run)
    if (last?.message.exit.failure && areEqual(last.message.exit.output, run.output)) {
      return [entry('call', run, location), ...this.entriesOf(last.message)]
    }
    return [failure(kindOfHalt(run.message) ?? kindOfRevert(run), run, location)]
  }

  /** Returns the entries if the last call or creation failed, or if the code right after it failed. */
  #inLastMessage(run: ContractRun, entries: Entries): Entries | undefined {
    const called = run.message.last?.message
    const call = run.lastCall
    if (called === undefined || call === undefined) return undefined
    const here = callEntry(run, call)
    if (called.exit.failure === undefined) {
      if (!failsRightAfterCall(run)) return undefined
      const location = { place: here.place, function: here.frame.function, functionKind: here.functionKind }
      return withModifiedFunction(run, [...entries, failure('returnDataSize', run, location)])
    }
    if (!isPassedOn(run, called) && !isProxyRevert(run, called, this.#find)) return undefined
    return withModifiedFunction(run, [...entries, here, ...this.entriesOf(called)])
  }
}

/** Returns the entries for a call that the EVM refused: too deep, or with too little balance. */
function refusedCall(run: ContractRun, entries: Entries): Entries | undefined {
  const { refused } = run.message
  const call = refused && run.step(refused.at - 1)
  const range = run.rangeOf(call)
  if (refused === undefined || range === undefined || !run.staysIn(range, refused.at)) return undefined
  const kind = refused.exit.failure?.error === TOO_DEEP ? 'stackTooDeep' : 'callFailed'
  return withModifiedFunction(run, [
    ...entries,
    failure(kind, run, atInstruction(run, call) ?? atContract(run)),
  ])
}

/** Returns whether the code reverted after its last call, with only instructions of the call's range in between. */
function failsRightAfterCall(run: ContractRun): boolean {
  const range = run.rangeOf(run.lastCall)
  return run.last?.opcode === OP.REVERT && range !== undefined && run.staysIn(range, run.afterLastMessage)
}

/** Returns whether the code failed with the data of its last call. */
function isPassedOn(run: ContractRun, called: RecordedMessage): boolean {
  if (!areEqual(run.output, called.exit.output)) return false
  if (isOutOfGas(run.message) && isOutOfGas(called)) return true
  return run.output.length > 0 || failsRightAfterCall(run)
}

/** Returns whether the code is a proxy that passes on the failure of its implementation. */
function isProxyRevert(run: ContractRun, called: RecordedMessage, find: FindCode): boolean {
  if (run.isCreation || run.lastCall?.opcode !== OP.DELEGATECALL || run.last?.opcode !== OP.REVERT)
    return false
  if (!areEqual(run.output, called.exit.output)) return false
  const match = find(called.code, false)
  if (match?.kind !== 'contract' || new ContractRun(called, match.contract).source?.isLibrary) return false
  for (let i = run.afterLastMessage; i < run.length; i++) {
    const step = run.step(i)
    if (step === undefined || run.rangeOf(step) === undefined || step.jump !== 'other') return false
  }
  return true
}

/** Returns the entries for a call to an account without code, which solc detects by EXTCODESIZE. */
function emptyAccount(run: ContractRun, entries: Entries): Entries | undefined {
  const number = run.lastWithRange()
  if (number === undefined || number === 0) return undefined
  const isLookedFor =
    run.step(number)?.opcode === OP.ISZERO && run.step(number - 1)?.opcode === OP.EXTCODESIZE
  if (!isLookedFor) return undefined
  const location = atInstruction(run, run.step(number)) ?? atContract(run)
  return [...entries, failure('nonContractAccountCalled', run, location)]
}

function isRedundant(
  { kind, frame, place }: Entry,
  next: Entry | undefined,
  afterNext: Entry | undefined,
  isFirst: boolean,
): boolean {
  if (place === undefined || next?.place === undefined) return false
  // solc 0.8.5 maps the decoding of return data to a separate function.
  if (kind === 'call' && afterNext?.kind === 'returnDataSize' && isSame(place, afterNext.place)) return true
  if (frame.function === 'constructor' && next.frame.function !== 'constructor') return false
  // Equal consecutive entries most likely mean that the function called itself.
  if (!isFirst && kind === next.kind && isSame(place, next.place)) return false
  return place.file === next.place.file && contains(place.range, next.place.range)
}

function isSame(place: Place, other: Place | undefined): boolean {
  return other !== undefined && place.file === other.file && isSameRange(place.range, other.range)
}

/** Merges the candidates' entries: all if number and kinds are equal, otherwise the last ones. Omits differing data. */
function commonEntries(candidates: readonly (readonly Entry[])[]): readonly Entry[] {
  const [first = [], ...others] = candidates
  const isAlike = others.every(
    (other) => other.length === first.length && other.every(({ kind }, i) => kind === first[i]!.kind),
  )
  if (isAlike) return first.map((one, i) => commonEntry([one, ...others.map((other) => other[i]!)]))
  return [commonEntry(candidates.map((entries) => entries.at(-1)!))]
}

function commonEntry(entries: readonly Entry[]): Entry {
  const [first] = entries as readonly [Entry, ...Entry[]]
  const agreeIn = (partOf: (one: Entry) => unknown) => new Set(entries.map(partOf)).size === 1
  const isOneFunction = agreeIn(({ frame }) => frame.function)
  const isOnePlace = agreeIn(({ frame }) => JSON.stringify(frame.position))
  const names = new Set(entries.map(({ frame }) => frame.contract))
  if (names.size === 1 && agreeIn(({ place }) => place?.file.path) && isOneFunction && isOnePlace)
    return first
  const frame = {
    ...first.frame,
    contract: [...names].filter((name) => name !== undefined).join(' | ') || undefined,
    function: isOneFunction ? first.frame.function : undefined,
    position: isOnePlace ? first.frame.position : undefined,
  }
  return { ...first, frame, place: isOnePlace ? first.place : undefined }
}
