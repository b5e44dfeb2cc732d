/** What happened, in words. */

import { toHex } from '../../bytes/hex.ts'
import { TOO_POOR } from '../../engine/trace/failures.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { codecOf } from '../abi/codec.ts'
import type { Contract } from '../abi/contract.ts'
import { abiOf } from './abiOf.ts'
import type { Entry } from './entry.ts'
import { gasInWords } from './gasInWords.ts'
import type { RecordedMessage } from './recorder.ts'
import { isErrorString, isPanic, panicCode } from './returnData.ts'
import type { FailureKind } from './stackTrace.ts'
import { WITH_PANICS } from './version.ts'

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
