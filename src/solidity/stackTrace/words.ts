/** What happened, in words. */

import { toHex } from '../../bytes/hex.ts'
import {
  CODE_TOO_LARGE,
  DEPOSIT_OUT_OF_GAS,
  GAS_OVERFLOW,
  invalidOpcode,
  OUT_OF_GAS,
  STACK_OVERFLOW,
  TOO_POOR,
} from '../../engine/trace/failures.ts'
import { revertReason } from '../../model/execution/call.ts'
import { codecOf } from '../abi/codec.ts'
import type { Contract } from '../abi/contract.ts'
import type { Instruction } from '../opcodes.ts'
import { INVALID } from '../opcodes.ts'
import { isSameRange } from '../source/selectors.ts'
import { abiOf } from './abiOf.ts'
import { fromFunction, placed } from './beginnings.ts'
import { isErrorString, isPanic, panicCode } from './certain.ts'
import type { Decoded } from './decoded.ts'
import type { Entry } from './entry.ts'
import { type Entries, failure } from './entry.ts'
import type { InternalCalls } from './internalCalls.ts'
import type { RecordedMessage } from './recorder.ts'
import type { FailureKind } from './stackTrace.ts'
import { WITH_PANICS } from './version.ts'
import { atConstructor, named } from './where.ts'

/** Returns the failure in words. `abis` are asked for errors that the contract's own ABI does not have. */
export function inWords(entry: Entry, abis: Iterable<Contract>): string {
  const { message } = entry
  return message === undefined ? 'execution failed' : WORDS[entry.kind as FailureKind](message, entry, abis)
}

type Words = (message: RecordedMessage, entry: Entry, abis: Iterable<Contract>) => string

const reverted: Words = ({ exit: { output, failure } }, entry, abis) => {
  if (failure?.kind === 'halt') return failure.error
  if (output.length === 0) return 'reverted without a reason'
  const reason = revertReason(output)
  if (isPanic(output)) return `panic 0x${panicCode(output).toString(16).padStart(2, '0')}: ${reason}`
  if (reason !== undefined) return `reverted with reason ${JSON.stringify(reason)}`
  if (isErrorString(output)) return `reverted with a reason that is not encoded as text: ${toHex(output)}`
  return `reverted with ${customError(output, entry, abis)}`
}

function customError(output: Uint8Array, { decoded }: Entry, abis: Iterable<Contract>): string {
  const data = toHex(output)
  for (const contract of decoded === undefined ? abis : [abiOf(decoded.contract), ...abis]) {
    const error = codecOf(contract).error(data)
    if (error !== undefined) return `custom error ${error.text}`
  }
  return `data that no known ABI explains: ${data}`
}

/** What solc before 0.8 meant by an invalid instruction: that of an expression, by its text. */
const INVALID_MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^assert\b/, 'an assertion failed'],
  [/\][^\]]*$/, 'an index is out of bounds, or an empty array was popped'],
  [/\.length\s*(--|-=)|\.pop\b/, 'an index is out of bounds, or an empty array was popped'],
  [/[/%]/, 'division or modulo by zero'],
  [/^\w+\(/, 'a value is not one of its enum, or a function variable was not set'],
]

const invalid: Words = (_, { decoded, place }) => {
  if (decoded === undefined || place === undefined || decoded.version >= WITH_PANICS) return 'invalid opcode'
  const { start, length } = place.range
  const text = place.file.lines?.text(start, length).trim() ?? ''
  const meaning = INVALID_MEANINGS.find(([pattern]) => pattern.test(text))?.[1]
  return meaning === undefined ? 'invalid opcode' : `invalid opcode: ${meaning}`
}

function ether({ frame }: RecordedMessage): string {
  return `${frame.value ?? 0n} wei`
}

const WORDS: Readonly<Record<FailureKind, Words>> = {
  revert: reverted,
  customError: reverted,
  panic: reverted,
  invalidOpcode: invalid,
  outOfGas: (message, { decoded }) => gasInWords(message, decoded),
  functionNotPayable: (message, { frame }) =>
    `${nameOf(frame.function)} takes no ether, and was called with ${ether(message)}`,
  invalidParams: ({ frame: { input } }, { frame, decoded }) =>
    `the arguments of ${nameOf(frame.function)} are missing or not of its types` +
    (decoded?.isCreation ? '' : ` (${input.length} bytes of call data)`),
  fallbackNotPayable: (message) => `the fallback takes no ether, and was called with ${ether(message)}`,
  fallbackNotPayableAndNoReceive: (message) =>
    `${ether(message)} were sent to a contract without receive, whose fallback takes no ether`,
  unrecognizedFunctionWithoutFallback: ({ frame: { input } }) =>
    input.length < 4
      ? `the contract has no fallback for call data of ${input.length} bytes, which name no function`
      : `the contract has no function with the selector ${toHex(input.subarray(0, 4))}, and no fallback`,
  missingFallbackOrReceive: () =>
    'the contract was called without data, and has neither receive nor fallback',
  returnDataSize: ({ last }) =>
    `the call returned ${last?.message.exit.output.length ?? 0} bytes, which are not what the function returns`,
  nonContractAccountCalled: ({ looked }) =>
    looked === undefined
      ? 'a function was called at an address without code'
      : `a function was called at ${looked}, which has no code`,
  callFailed: ({ refused }) =>
    refused?.exit.failure?.error === TOO_POOR
      ? `${refused.frame.value} wei were to be sent, which is more than the contract has`
      : `a call was not made: ${refused?.exit.failure?.error}`,
  directLibraryCall: () =>
    'a function of a library was called directly, which only contracts may that are linked with it',
  contractTooLarge: (_, { decoded }) => {
    const { object = '' } = decoded?.contract.output.evm?.deployedBytecode ?? {}
    const size = object === '' ? '' : ` of ${object.replace(/^0x/, '').length / 2} bytes`
    return `the code${size} is larger than a contract's may be`
  },
  stackTooDeep: ({ exit, refused }) =>
    `calls are nested too deep: ${refused?.exit.failure?.error ?? exit.failure?.error}`,
  precompile: ({ frame }) => `the precompile at ${frame.to} failed`,
  unrecognizedContract: reverted,
  unrecognizedCreation: reverted,
  otherExecutionError: (message, entry, abis) =>
    message.exit.failure?.kind === 'revert' && message.exit.output.length === 0
      ? 'reverted without a reason, in what the compiler added, such as the decoding of data'
      : reverted(message, entry, abis),
}

function nameOf(name: string | undefined): string {
  return name === 'constructor' ? 'the constructor' : (name ?? 'the function')
}

/** The part of the steps, in percent, from which on a line is named. */
const MUCH = 50

/** Returns how much gas a message had, and what used most of it. */
function gasInWords(message: RecordedMessage, decoded: Decoded | undefined): string {
  const { gas } = message.frame
  const parts = [`out of gas: ${number(gas)} gas was not enough`]
  const inCalls = [...message.called].sort(([, a], [, b]) => Number(b.gas - a.gas))[0]
  if (inCalls !== undefined && 2n * inCalls[1].gas >= gas) {
    const [address, { gas: used, count }] = inCalls
    parts.push(
      `${number(used)} went to ${count === 1 ? 'a call' : `${number(BigInt(count))} calls`} of ${address}`,
    )
  } else {
    const line = decoded && busiestLine(decoded)
    if (line !== undefined) parts.push(line)
  }
  return parts.join('; ')
}

/** The line in which most of the steps were that are known: what the compiler added counts for the line before it. */
function busiestLine(decoded: Decoded): string | undefined {
  const counts = new Map<string, number>()
  const lines = new Map<number, string | undefined>()
  const { trail } = decoded.message
  let line: string | undefined
  for (let i = trail.first; i < decoded.length; i++) {
    const step = decoded.step(i)
    if (step === undefined) continue
    if (!lines.has(step.index)) lines.set(step.index, lineOf(decoded, step))
    line = lines.get(step.index) ?? line
    if (line !== undefined) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const known = decoded.length - trail.first
  const [busiest] = [...counts].sort(([, a], [, b]) => b - a)
  const share = busiest === undefined ? 0 : Math.round((100 * busiest[1]) / known)
  return share < MUCH
    ? undefined
    : `${share} % of the last ${number(BigInt(known))} steps were in ${busiest![0]}`
}

function lineOf(decoded: Decoded, step: Instruction): string | undefined {
  const one = decoded.functionOf(step)
  const range = decoded.rangeOf(step)
  // The whole function says nothing.
  if (one === undefined || range === undefined || isSameRange(range, one.range)) return undefined
  const line = one.file.lines?.lineAt(range.start)
  return line === undefined ? undefined : `${one.file.path}:${line}`
}

function number(value: bigint): string {
  return value.toLocaleString('en')
}

/** Failures that code did not mean: gas that was used up, stacks that were full, code that is too large. */
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
export function kindOfHalt({ exit: { failure: why }, trail }: RecordedMessage): FailureKind | undefined {
  if (why?.kind !== 'halt') return undefined
  if (why.error === invalidOpcode(trail.lastOpcode)) return 'invalidOpcode'
  return HALTS[why.error] ?? 'otherExecutionError'
}

/** A failure that the code did not mean, other than by the instruction that solc means to be invalid. */
export function halted(decoded: Decoded, calls: InternalCalls): Entries | undefined {
  const kind = kindOfHalt(decoded.message)
  if (kind === undefined || decoded.last?.opcode === INVALID) return undefined
  if (kind === 'contractTooLarge') return [failure(kind, decoded, atConstructor(decoded))]
  const where = placed(decoded, decoded.last, calls)
  return fromFunction(decoded, [
    ...calls.entries,
    failure(kind, decoded, decoded.isOptimized ? named(where) : where),
  ])
}
