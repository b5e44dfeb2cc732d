/**
 * Why a recorded message failed, and in which functions: from what its instructions come from. The rules are those of Hardhat,
 * whose cases decide (NomicFoundation/edr, `edr_solidity`).
 */

import { codecOf } from '../../abi/codec.ts'
import type { CompiledContract, FindCode } from '../../artifacts/compilation.ts'
import {
  CODE_TOO_LARGE,
  DEPOSIT_OUT_OF_GAS,
  GAS_OVERFLOW,
  invalidOpcode,
  OUT_OF_GAS,
  STACK_OVERFLOW,
  TOO_DEEP,
} from '../../evm/trace/failures.ts'
import { areEqual } from '../../model/bytes/bytes.ts'
import { toHex } from '../../model/bytes/hex.ts'
import type { Instruction } from '../source/instructions.ts'
import type { SourceFunction } from '../source/sourceModel.ts'
import { abiOf } from './abiOf.ts'
import { adjusted } from './adjustments.ts'
import { agreedOn } from './ambiguous.ts'
import { failureBeforeCall, failureBeforeCreation } from './before.ts'
import { reachedFrom } from './candidates.ts'
import { certainly } from './certain.ts'
import { Decoded } from './decoded.ts'
import { type Entry, entry, failure, unknown, type Where } from './entry.ts'
import { callEntry, type InternalCalls, internalCalls } from './internalCalls.ts'
import { DELEGATECALL, EXTCODESIZE, INVALID, ISZERO, REVERT } from './opcodes.ts'
import type { RecordedMessage } from './recorder.ts'
import { withoutRedundant } from './redundant.ts'
import { isErrorString, isPanic, panicCode } from './returnData.ts'
import type { FailureKind } from './stackTrace.ts'
import { mayBeUnmapped, unmappedBeforeFunction, unmappedInFunction } from './unmapped.ts'
import { atConstructor, atContract, atInstruction, atLast, atRange, atStart, named } from './where.ts'

/** Entries, the outermost first; the last is a failure. */
type Entries = readonly Entry[]

/** The panic of a call to a function variable that was never set. */
const UNSET_FUNCTION = 0x51n

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
    const isCreation = frame.kind === 'CREATE' || frame.kind === 'CREATE2'
    const match = code.length === 0 ? undefined : this.#find(code, isCreation)
    if (match === undefined) return this.#ofUnknown(message, isCreation)
    if (match.kind === 'contract') return this.#ofContract(message, match.contract)
    return agreedOn(match.contracts.map((contract) => this.#ofContract(message, contract)))
  }

  #ofUnknown(message: RecordedMessage, isCreation: boolean): Entries {
    const { exit, last } = message
    // Most contracts hand on what their calls failed with.
    if (last?.message.exit.failure && areEqual(last.message.exit.output, exit.output)) {
      return [unknown('unrecognized', message), ...this.entriesOf(last.message)]
    }
    if (exit.failure?.error === CODE_TOO_LARGE) return [unknown('contractTooLarge', message)]
    return [unknown(isCreation ? 'unrecognizedCreation' : 'unrecognizedContract', message)]
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

/** A call that the EVM did not open: it was too deep, or there was not enough ether. */
function refusedCall(decoded: Decoded, entries: Entries): Entries | undefined {
  const { refused } = decoded.message
  const call = refused && decoded.step(refused.at - 1)
  const range = decoded.rangeOf(call)
  if (refused === undefined || range === undefined || !decoded.staysIn(range, refused.at)) return undefined
  const kind = refused.exit.failure?.error === TOO_DEEP ? 'stackTooDeep' : 'callFailed'
  return fromFunction(decoded, [
    ...entries,
    failure(kind, decoded, atInstruction(decoded, call) ?? atContract(decoded)),
  ])
}

const HALTS: Readonly<Record<string, FailureKind>> = {
  [OUT_OF_GAS]: 'outOfGas',
  [GAS_OVERFLOW]: 'outOfGas',
  [DEPOSIT_OUT_OF_GAS]: 'outOfGas',
  [STACK_OVERFLOW]: 'stackTooDeep',
  [CODE_TOO_LARGE]: 'contractTooLarge',
}

/** Returns whether a message failed because its gas was used up. */
export function isOutOfGas({ exit }: RecordedMessage): boolean {
  return exit.failure !== undefined && HALTS[exit.failure.error] === 'outOfGas'
}

/** The kind of a failure that the code did not mean; `undefined` for a revert. */
function kindOfHalt({ exit: { failure: why }, trail }: RecordedMessage): FailureKind | undefined {
  if (why?.kind !== 'halt') return undefined
  if (why.error === invalidOpcode(trail.lastOpcode)) return 'invalidOpcode'
  return HALTS[why.error] ?? 'otherExecutionError'
}

/** A failure that the code did not mean, other than by the instruction that solc means to be invalid. */
function halted(decoded: Decoded, calls: InternalCalls): Entries | undefined {
  const kind = kindOfHalt(decoded.message)
  if (kind === undefined || decoded.last?.opcode === INVALID) return undefined
  if (kind === 'contractTooLarge') return [failure(kind, decoded, atConstructor(decoded))]
  const where = placed(decoded, decoded.last, calls)
  return fromFunction(decoded, [
    ...calls.entries,
    failure(kind, decoded, decoded.isOptimized ? named(where) : where),
  ])
}

/** A failure that the last instruction made: a REVERT, or an INVALID. */
function atLastInstruction(decoded: Decoded, calls: InternalCalls): Entries | undefined {
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

function kindOfRevert({ output, message }: Decoded): FailureKind {
  if (isPanic(output)) return 'panic'
  if (output.length > 0 && !isErrorString(output)) return 'customError'
  return message.exit.failure?.kind === 'halt' ? 'invalidOpcode' : 'revert'
}

/** The function that the call data name by the ABI. */
function byAbi(decoded: Decoded): Where {
  if (decoded.isCreation)
    return { ...atContract(decoded), function: 'constructor', functionKind: 'constructor' }
  const { frame } = decoded.message
  const signature = codecOf(abiOf(decoded.contract)).signature(toHex(frame.input.subarray(0, 4)))
  const name = signature?.slice(0, signature.indexOf('('))
  return { place: undefined, function: name, functionKind: name === undefined ? undefined : 'function' }
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

/** The function that the call data name, or the one for what they do not. */
function entered({ calledFunction, source, message }: Decoded): SourceFunction | undefined {
  const isEmpty = message.frame.input.length === 0
  return calledFunction ?? (isEmpty ? (source?.receive ?? source?.fallback) : source?.fallback)
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
function emptyAccount(decoded: Decoded, entries: Entries): Entries | undefined {
  const number = decoded.lastWithRange()
  if (number === undefined || number === 0) return undefined
  const isLookedFor =
    decoded.step(number)?.opcode === ISZERO && decoded.step(number - 1)?.opcode === EXTCODESIZE
  if (!isLookedFor) return undefined
  const where = atInstruction(decoded, decoded.step(number)) ?? atContract(decoded)
  return [...entries, failure('nonContractAccountCalled', decoded, where)]
}

function unmapped(decoded: Decoded, entries: Entries): Entries | undefined {
  if (!mayBeUnmapped(decoded)) return undefined
  const found = unmappedInFunction(decoded)
  return found && [...entries, found]
}

/**
 * Returns where an instruction is: of code by way of Yul where the function called what the compiler wrote; if it comes from no
 * function, where the last was that does.
 */
function placed(decoded: Decoded, instruction: Instruction | undefined, { helped }: InternalCalls): Where {
  return (
    atInstruction(decoded, helped) ??
    atInstruction(decoded, instruction) ??
    atLast(decoded) ??
    (decoded.isCreation && decoded.isYul ? atConstructor(decoded) : atContract(decoded))
  )
}

/** Returns the function that was called from outside, or the constructor. */
function beginning(decoded: Decoded): Where | undefined {
  if (decoded.isCreation) return atConstructor(decoded)
  const { calledFunction } = decoded
  return calledFunction && atStart(decoded, calledFunction)
}

/** The function whose modifier failed. */
function beforeModifier(decoded: Decoded, { starts }: InternalCalls): Entry {
  const start = starts.at(-1)
  if (start !== undefined) return callEntry(decoded, start)
  return entry('call', decoded, beginning(decoded) ?? atContract(decoded))
}

/** Adds the function that was called before its modifier, where the entries begin with one. */
function fromFunction(decoded: Decoded, entries: Entries): Entries {
  const [first] = entries
  if (first?.kind !== 'call' || first.functionKind !== 'modifier') return entries
  const other = decoded.isCreation ? undefined : entered(decoded)
  const where = other === undefined ? beginning(decoded) : atStart(decoded, other)
  return where === undefined ? entries : [entry('call', decoded, where), ...entries]
}

/** Returns whether the code reverted after a call, and did nothing in between that comes from elsewhere. */
function failsRightAfter(decoded: Decoded, at: number, call: Instruction): boolean {
  if (decoded.last?.opcode !== REVERT) return false
  const range = decoded.rangeOf(call)
  return range !== undefined && decoded.staysIn(range, at)
}

/** Returns whether the code failed with what its call failed with. */
function isHandedOn(decoded: Decoded, called: RecordedMessage, at: number, call: Instruction): boolean {
  if (!areEqual(decoded.output, called.exit.output)) return false
  if (isOutOfGas(decoded.message) && isOutOfGas(called)) return true
  return decoded.output.length > 0 || failsRightAfter(decoded, at, call)
}

/** Returns whether the code is that of a proxy, which fails with what its implementation failed with. */
function isOfProxy(decoded: Decoded, called: RecordedMessage, call: Instruction, find: FindCode): boolean {
  if (decoded.isCreation || call.opcode !== DELEGATECALL || decoded.last?.opcode !== REVERT) return false
  if (!areEqual(decoded.output, called.exit.output)) return false
  const match = find(called.code, false)
  if (match?.kind !== 'contract' || new Decoded(called, match.contract).source?.kind === 'library')
    return false
  for (let i = decoded.afterLastMessage; i < decoded.length; i++) {
    const step = decoded.step(i)
    if (step === undefined || decoded.rangeOf(step) === undefined || step.jump !== 'other') return false
  }
  return true
}

/** Returns whether the call data are arguments of the function; of one that is not in the ABI, as in libraries, it is not known. */
function areArgumentsValid({ contract, message }: Decoded): boolean {
  const codec = codecOf(abiOf(contract))
  const data = toHex(message.frame.input)
  return (
    codec.signature(toHex(message.frame.input.subarray(0, 4))) === undefined || codec.call(data) !== undefined
  )
}
