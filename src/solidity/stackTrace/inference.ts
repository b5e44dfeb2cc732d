/**
 * Why a recorded message failed, and in which functions: from what its instructions come from. The rules are those of Hardhat,
 * whose cases decide (NomicFoundation/edr, `edr_solidity`).
 */

import { areEqual } from '../../bytes/bytes.ts'
import { CODE_TOO_LARGE } from '../../engine/trace/failures.ts'
import { isCreation } from '../../engine/trace/operands.ts'
import type { CompiledContract, FindCode } from '../artifacts/compilation.ts'
import { CALLDATASIZE, CODECOPY, CODESIZE, DUP1, EXTCODESIZE, ISZERO, LT, REVERT } from '../opcodes.ts'
import { contains, isSameRange } from '../source/selectors.ts'
import { byAbi, fromFunction, placed } from './beginnings.ts'
import { failsRightAfter, isHandedOn, isOfProxy, refusedCall } from './calls.ts'
import { Decoded } from './decoded.ts'
import { type Entries, type Entry, entry, failure, lineOf, type Place, unknown } from './entry.ts'
import { callEntry, internalCalls } from './internalCalls.ts'
import type { RecordedMessage } from './recorder.ts'
import { atLastInstruction, emptyAccount, kindOfRevert, unmapped } from './reverts.ts'
import type { FailureKind } from './stackTrace.ts'
import { versionOf } from './version.ts'
import { atConstructor, atContract, atStart } from './where.ts'
import { halted, kindOfHalt } from './words.ts'

/** Infers the failures of one run. */
export class Inference {
  readonly #find: FindCode
  /** What was inferred already: a message is asked for once for each contract that its caller may be. */
  readonly #known = new Map<RecordedMessage, Entries>()

  constructor(find: FindCode) {
    this.#find = find
  }

  /** Returns the entries of a message that failed; none for one that succeeded. */
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
    if (exit.isPrecompile) return [unknown('precompile', message)]
    const isNew = isCreation(frame.kind)
    const match = code.length === 0 ? undefined : this.#find(code, isNew)
    if (match === undefined) return this.#ofUnknown(message, isNew)
    if (match.kind === 'contract') return this.#ofContract(message, match.contract)
    return agreedOn(match.contracts.map((contract) => this.#ofContract(message, contract)))
  }

  #ofUnknown(message: RecordedMessage, isNew: boolean): Entries {
    const { exit, last } = message
    // Most contracts hand on what their calls failed with.
    if (last?.message.exit.failure && areEqual(last.message.exit.output, exit.output)) {
      return [unknown('unrecognized', message), ...this.entriesOf(last.message)]
    }
    if (exit.failure?.error === CODE_TOO_LARGE) return [unknown('contractTooLarge', message)]
    return [unknown(isNew ? 'unrecognizedCreation' : 'unrecognizedContract', message)]
  }

  #ofContract(message: RecordedMessage, contract: CompiledContract): Entries {
    const decoded = new Decoded(message, contract)
    const before = decoded.isCreation ? failureBeforeCreation(decoded) : failureBeforeCall(decoded)
    if (before !== undefined) return [before]
    if (decoded.instructions.map.length === 0) return this.#withoutMap(decoded)
    const calls = internalCalls(decoded)
    const entries = this.#inLastMessage(decoded, calls.entries) ??
      refusedCall(decoded, calls.entries) ??
      halted(decoded, calls) ??
      atLastInstruction(decoded, calls) ??
      emptyAccount(decoded, calls.entries) ??
      unmapped(decoded, calls.entries) ?? [
        ...calls.entries,
        failure('otherExecutionError', decoded, placed(decoded, undefined, calls)),
      ]
    return adjusted(decoded, withoutRedundant(entries))
  }

  /** What is known without a source map: which function was called, by the ABI, and what it handed on. */
  #withoutMap(decoded: Decoded): Entries {
    const { last } = decoded.message
    const where = byAbi(decoded)
    if (last?.message.exit.failure && areEqual(last.message.exit.output, decoded.output)) {
      return [entry('call', decoded, where), ...this.entriesOf(last.message)]
    }
    return [failure(kindOfHalt(decoded.message) ?? kindOfRevert(decoded), decoded, where)]
  }

  /** The failure of the last call or creation that the code made, or one right after it. */
  #inLastMessage(decoded: Decoded, entries: Entries): Entries | undefined {
    const { last } = decoded.message
    const call = last && decoded.step(last.at - 1)
    if (last === undefined || call === undefined) return undefined
    const here = callEntry(decoded, call)
    if (last.message.exit.failure === undefined) {
      if (!failsRightAfter(decoded, last.at, call)) return undefined
      const where = { place: here.place, function: here.frame.function, functionKind: here.functionKind }
      return fromFunction(decoded, [...entries, failure('returnDataSize', decoded, where)])
    }
    if (
      !isHandedOn(decoded, last.message, last.at, call) &&
      !isOfProxy(decoded, last.message, call, this.#find)
    ) {
      return undefined
    }
    return fromFunction(decoded, [...entries, here, ...this.entriesOf(last.message)])
  }
}

/** Returns the entries without those whose place has the next one's in it, such as that of a statement and of a call in it. */
function withoutRedundant(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((one, i) => !isRedundant(one, entries[i + 1], entries[i + 2], i === 0))
}

function isRedundant(
  { kind, frame, place }: Entry,
  next: Entry | undefined,
  afterNext: Entry | undefined,
  isFirst: boolean,
): boolean {
  if (place === undefined || next?.place === undefined) return false
  // solc 0.8.5 marks what it wrote to read the returned data as a function of its own.
  if (kind === 'call' && afterNext?.kind === 'returnDataSize' && isSame(place, afterNext.place)) return true
  if (frame.function === 'constructor' && next.frame.function !== 'constructor') return false
  // Most likely a recursion.
  if (!isFirst && kind === next.kind && isSame(place, next.place)) return false
  return place.file === next.place.file && contains(place.range, next.place.range)
}

function isSame(place: Place, other: Place | undefined): boolean {
  return (
    other !== undefined &&
    place.file === other.file &&
    isSameRange(place.range, other.range) &&
    lineOf(place) === lineOf(other)
  )
}

/** Returns the entries that all agree on: what differs is left out, and contracts are named side by side. */
function agreedOn(candidates: readonly (readonly Entry[])[]): readonly Entry[] {
  const [first = [], ...others] = candidates
  const isAlike = others.every(
    (other) => other.length === first.length && other.every(({ kind }, i) => kind === first[i]!.kind),
  )
  if (isAlike) return first.map((one, i) => agreed([one, ...others.map((other) => other[i]!)]))
  return [agreed(candidates.map((entries) => entries.at(-1)!))]
}

function agreed(entries: readonly Entry[]): Entry {
  const [first] = entries as readonly [Entry, ...Entry[]]
  const names = new Set(entries.map(({ frame }) => frame.contract))
  const files = new Set(entries.map(({ place }) => place?.file.path))
  const functions = new Set(entries.map(({ frame }) => frame.function))
  const places = new Set(entries.map(({ frame: { position } }) => JSON.stringify(position)))
  if (names.size === 1 && files.size === 1 && functions.size === 1 && places.size === 1) return first
  const frame = {
    ...first.frame,
    contract: [...names].filter((name) => name !== undefined).join(' | ') || undefined,
    function: functions.size === 1 ? first.frame.function : undefined,
    position: places.size === 1 ? first.frame.position : undefined,
  }
  return { ...first, frame, place: places.size === 1 ? first.place : undefined }
}

/**
 * Since solc 0.6.9 what the compiler adds comes from the source for which it adds it. A revert without data may therefore be one
 * that nobody wrote: which, its last steps tell.
 */
const FIRST = versionOf('0.6.9')

/** Returns the entries with a more exact failure, where there is one. */
function adjusted(decoded: Decoded, entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1)
  if (last?.kind !== 'revert' || last.message !== decoded.message) return entries
  if (decoded.output.length > 0 || decoded.version < FIRST) return entries
  const kind = addedBy(decoded)
  return kind === undefined ? entries : [...entries.slice(0, -1), { ...last, kind }]
}

function addedBy(decoded: Decoded): FailureKind | undefined {
  if (ran(decoded, -9, [EXTCODESIZE, ISZERO, DUP1, ISZERO])) return 'nonContractAccountCalled'
  const isLess = ran(decoded, -7, [LT, ISZERO])
  if (isLess && ran(decoded, -20, [CODESIZE]) && ran(decoded, -15, [CODECOPY])) return 'invalidParams'
  return isLess && ran(decoded, -11, [CALLDATASIZE]) ? 'invalidParams' : undefined
}

/** Returns whether the steps from `first` on, counted from the end, are these. */
function ran(decoded: Decoded, first: number, opcodes: readonly number[]): boolean {
  if (decoded.length + first < decoded.afterLastMessage) return false
  return opcodes.every((opcode, i) => decoded.step(first + i)?.opcode === opcode)
}

/** The first that have `receive`. */
const WITH_RECEIVE = versionOf('0.6.0')
/** The first whose constructors check their arguments. */
const WITH_CHECKED_ARGUMENTS = versionOf('0.5.9')

/** Returns the failure of a call that its contract refused; `undefined` where it failed in a function, or may have. */
function failureBeforeCall(decoded: Decoded): Entry | undefined {
  const { source, message, calledFunction, value } = decoded
  if (source === undefined) return undefined
  if (message.depth === 0 && source.kind === 'library') {
    const where = calledFunction === undefined ? atContract(decoded) : atStart(decoded, calledFunction)
    return failure('directLibraryCall', decoded, where)
  }
  // What follows says nothing.
  if (decoded.output.length > 0 || message.exit.failure?.kind !== 'revert') return undefined
  if (calledFunction !== undefined) {
    const isRefused = value > 0n && source.kind !== 'library' && !calledFunction.isPayable
    return isRefused ? failure('functionNotPayable', decoded, atStart(decoded, calledFunction)) : undefined
  }
  const isEmpty = message.frame.input.length === 0
  if (isEmpty && source.receive !== undefined) return undefined
  const lacksReceive = isEmpty && decoded.version >= WITH_RECEIVE
  const { fallback } = source
  if (fallback === undefined) {
    const kind = lacksReceive ? 'missingFallbackOrReceive' : 'unrecognizedFunctionWithoutFallback'
    return failure(kind, decoded, atContract(decoded))
  }
  if (value === 0n || fallback.isPayable) return undefined
  const kind = lacksReceive ? 'fallbackNotPayableAndNoReceive' : 'fallbackNotPayable'
  return failure(kind, decoded, atStart(decoded, fallback))
}

/** Returns the failure of a creation before its constructor began; `undefined` where it began, or may have. */
function failureBeforeCreation(decoded: Decoded): Entry | undefined {
  if (decoded.output.length > 0 || decoded.message.exit.failure?.kind !== 'revert') return undefined
  const own = decoded.source?.constructorFunction
  if (own === undefined) return undefined
  if (decoded.value > 0n && !own.isPayable) {
    return failure('functionNotPayable', decoded, atConstructor(decoded))
  }
  return areArgumentsInvalid(decoded) ? failure('invalidParams', decoded, atConstructor(decoded)) : undefined
}

/** Whether the code reverted, in code of the compiler, after it looked how long its arguments are, before anything else. */
function areArgumentsInvalid(decoded: Decoded): boolean {
  const { source, last, message, version } = decoded
  if (version < WITH_CHECKED_ARGUMENTS || message.last !== undefined || message.trail.first > 0) return false
  if (last?.opcode !== REVERT || decoded.rangeOf(last) !== undefined) return false
  let hasLooked = false
  for (let i = 0; i < decoded.length; i++) {
    const instruction = decoded.step(i)
    const range = decoded.rangeOf(instruction)
    if (range !== undefined && !isSameRange(range, source!.range)) {
      if (!isSameRange(range, source!.constructorFunction!.range)) return false
    }
    if (instruction?.opcode === CODESIZE) hasLooked = true
  }
  return hasLooked
}
