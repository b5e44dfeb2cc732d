import { toHex } from '../../bytes/hex.ts'
import { INSUFFICIENT_BALANCE } from '../../engine/trace/failures.ts'
import { isErrorString, panicCode, revertReason } from '../../model/execution/revertReason.ts'
import { codecOf } from '../abi/codec.ts'
import type { Contract } from '../abi/contract.ts'
import { isSameRange } from '../source/ast.ts'
import type { Instruction } from '../source/instructions.ts'
import type { RecordedMessage } from './callRecorder.ts'
import { type ContractRun, WITH_PANICS } from './contractRun.ts'
import type { Entry } from './entries.ts'
import type { FailureKind } from './format.ts'

/** Returns the message of a failure. `abis` decode errors that are not in the contract's own ABI. */
export function failureMessage(entry: Entry, abis: Iterable<Contract>): string {
  const { message } = entry
  return message === undefined ? 'execution failed' : WORDS[entry.kind as FailureKind](message, entry, abis)
}

type Words = (message: RecordedMessage, entry: Entry, abis: Iterable<Contract>) => string

const reverted: Words = ({ exit: { output, failure } }, entry, abis) => {
  if (failure?.kind === 'halt') return failure.error
  if (output.length === 0) return 'reverted without a reason'
  const reason = revertReason(output)
  const panic = panicCode(output)
  if (panic !== undefined) return `panic 0x${panic.toString(16).padStart(2, '0')}: ${reason}`
  if (reason !== undefined) return `reverted with reason ${JSON.stringify(reason)}`
  if (isErrorString(output)) return `reverted with a reason that is not encoded as text: ${toHex(output)}`
  return `reverted with ${customError(output, entry, abis)}`
}

function customError(output: Uint8Array, { run }: Entry, abis: Iterable<Contract>): string {
  const data = toHex(output)
  for (const contract of run === undefined ? abis : [run.abi, ...abis]) {
    const error = codecOf(contract).error(data)
    if (error !== undefined) return `custom error ${error.text}`
  }
  return `data that no known ABI explains: ${data}`
}

/** Reasons why code of solc before 0.8 ran INVALID. Each pattern matches the source text of the failed expression. */
const INVALID_MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^assert\b/, 'an assertion failed'],
  [/\][^\]]*$/, 'an index is out of bounds, or an empty array was popped'],
  [/\.length\s*(--|-=)|\.pop\b/, 'an index is out of bounds, or an empty array was popped'],
  [/[/%]/, 'division or modulo by zero'],
  [/^\w+\(/, 'a value is not one of its enum, or a function variable was not set'],
]

const invalid: Words = (_, { run, place }) => {
  if (run === undefined || place === undefined || run.version >= WITH_PANICS) return 'invalid opcode'
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
  outOfGas: (message, { run }) => gasInWords(message, run),
  functionNotPayable: (message, { frame }) =>
    `${nameOf(frame.function)} is not payable, and was called with ${ether(message)}`,
  invalidParams: ({ frame: { input } }, { frame, run }) =>
    `the arguments of ${nameOf(frame.function)} are missing or have other types` +
    (run?.isCreation ? '' : ` (${input.length} bytes of call data)`),
  fallbackNotPayable: (message) => `the fallback is not payable, and was called with ${ether(message)}`,
  fallbackNotPayableAndNoReceive: (message) =>
    `${ether(message)} were sent to a contract without receive, whose fallback is not payable`,
  unrecognizedFunctionWithoutFallback: ({ frame: { input } }) =>
    input.length < 4
      ? `the contract has no fallback for call data of ${input.length} bytes, too short for a selector`
      : `the contract has no function with the selector ${toHex(input.subarray(0, 4))}, and no fallback`,
  missingFallbackOrReceive: () =>
    'the contract was called without data, and has neither receive nor fallback',
  returnDataSize: ({ last }) =>
    `the call returned ${last?.message.exit.output.length ?? 0} bytes, which do not decode to the return types`,
  nonContractAccountCalled: ({ codeSizeAccount }) =>
    codeSizeAccount === undefined
      ? 'a function was called at an address without code'
      : `a function was called at ${codeSizeAccount}, which has no code`,
  callFailed: ({ refused }) =>
    refused?.exit.failure?.error === INSUFFICIENT_BALANCE
      ? `a call with ${refused.frame.value} wei was refused, because the balance is too low`
      : `a call was not made: ${refused?.exit.failure?.error}`,
  directLibraryCall: () =>
    'a library function was called directly; only contracts linked with the library may call it',
  contractTooLarge: (_, { run }) => {
    const { object = '' } = run?.contract.output.evm?.deployedBytecode ?? {}
    const size = object === '' ? '' : ` of ${object.replace(/^0x/, '').length / 2} bytes`
    return `the code${size} exceeds the size limit of contracts`
  },
  stackTooDeep: ({ exit, refused }) =>
    `calls are nested too deeply: ${refused?.exit.failure?.error ?? exit.failure?.error}`,
  precompile: ({ frame }) => `the precompile at ${frame.to} failed`,
  unrecognizedContract: reverted,
  unrecognizedCreation: reverted,
  otherExecutionError: (message, entry, abis) =>
    message.exit.failure?.kind === 'revert' && message.exit.output.length === 0
      ? 'reverted without a reason, in compiler-generated code such as ABI decoding'
      : reverted(message, entry, abis),
}

function nameOf(name: string | undefined): string {
  return name === 'constructor' ? 'the constructor' : (name ?? 'the function')
}

/** Minimum share of all steps, in percent, that a line must have for the message to name it. */
const MUCH = 50

/** Returns a text about the gas of a message, and about the call or line that used most of the gas. */
function gasInWords(message: RecordedMessage, run: ContractRun | undefined): string {
  const { gas } = message.frame
  const parts = [`out of gas: ${number(gas)} gas was not enough`]
  const inCalls = [...message.called].sort(([, a], [, b]) => Number(b.gas - a.gas))[0]
  if (inCalls !== undefined && 2n * inCalls[1].gas >= gas) {
    const [address, { gas: used, count }] = inCalls
    parts.push(
      `${number(used)} went to ${count === 1 ? 'a call' : `${number(BigInt(count))} calls`} of ${address}`,
    )
  } else {
    const line = run && busiestLine(run)
    if (line !== undefined) parts.push(line)
  }
  return parts.join('; ')
}

/** Describes the line with at least `MUCH` percent of the kept steps. Steps without a line belong to the last line. */
function busiestLine(run: ContractRun): string | undefined {
  const counts = new Map<string, number>()
  const lines = new Map<number, string | undefined>()
  const { trail } = run.message
  let line: string | undefined
  for (let i = trail.first; i < run.length; i++) {
    const step = run.step(i)
    if (step === undefined) continue
    if (!lines.has(step.index)) lines.set(step.index, lineOf(run, step))
    line = lines.get(step.index) ?? line
    if (line !== undefined) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const known = run.length - trail.first
  const [busiest] = [...counts].sort(([, a], [, b]) => b - a)
  const share = busiest === undefined ? 0 : Math.round((100 * busiest[1]) / known)
  return share < MUCH
    ? undefined
    : `${share} % of the last ${number(BigInt(known))} steps were in ${busiest![0]}`
}

function lineOf(run: ContractRun, step: Instruction): string | undefined {
  const one = run.functionOf(step)
  const range = run.rangeOf(step)
  // The range of a whole function is not one line.
  if (one === undefined || range === undefined || isSameRange(range, one.range)) return undefined
  const line = one.file.lines?.lineAt(range.start)
  return line === undefined ? undefined : `${one.file.path}:${line}`
}

function number(value: bigint): string {
  return value.toLocaleString('en')
}
