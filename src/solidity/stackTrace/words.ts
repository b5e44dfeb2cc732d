/** What happened, in words. */
import { codecOf } from '../../abi/codec.ts'
import type { Contract } from '../../abi/contract.ts'
import { toHex } from '../../model/bytes/hex.ts'
import { revertReason } from '../../model/execution/revertReason.ts'
import { abiOf } from './abiOf.ts'
import type { Decoded } from './decoded.ts'
import type { Entry } from './entry.ts'
import type { RecordedMessage } from './recorder.ts'
import { isErrorString, isPanic, panicCode } from './returnData.ts'
import type { FailureKind } from './stackTrace.ts'

/** Returns the failure in words. `abis` are asked for errors that the contract's own ABI does not have. */
export function inWords({ kind, message, decoded }: Entry, abis: Iterable<Contract>): string {
  if (message === undefined) return 'execution failed'
  return WORDS[kind as FailureKind](message, decoded, abis)
}

type Words = (message: RecordedMessage, decoded: Decoded | undefined, abis: Iterable<Contract>) => string

const reverted: Words = ({ exit: { output, failure } }, decoded, abis) => {
  if (failure?.kind === 'halt') return failure.error
  if (output.length === 0) return 'reverted without a reason'
  if (isPanic(output))
    return `panic 0x${panicCode(output).toString(16).padStart(2, '0')}: ${revertReason(output)}`
  const reason = revertReason(output)
  if (reason !== undefined) return `reverted with reason ${JSON.stringify(reason)}`
  if (isErrorString(output)) return `reverted with a reason that is not well-formed: ${toHex(output)}`
  return `reverted with custom error ${customError(output, decoded, abis)}`
}

function customError(output: Uint8Array, decoded: Decoded | undefined, abis: Iterable<Contract>): string {
  const data = toHex(output)
  for (const contract of decoded === undefined ? abis : [abiOf(decoded.contract), ...abis]) {
    const error = codecOf(contract).error(data)
    if (error !== undefined) return error.text
  }
  return `of no known ABI: ${data}`
}

const withValue =
  (what: string): Words =>
  ({ frame }) =>
    what.replace('VALUE', `${frame.value ?? 0n} wei`)

const WORDS: Readonly<Record<FailureKind, Words>> = {
  revert: reverted,
  customError: reverted,
  panic: reverted,
  invalidOpcode: () => 'invalid opcode',
  outOfGas: ({ frame }) => `out of gas: ${frame.gas} gas was not enough`,
  functionNotPayable: withValue('a function that takes no ether was called with VALUE'),
  invalidParams: () => 'arguments are missing or not of the right types',
  fallbackNotPayable: withValue('the fallback, which takes no ether, was called with VALUE'),
  fallbackNotPayableAndNoReceive: withValue(
    'VALUE was sent to a contract without receive, whose fallback takes no ether',
  ),
  unrecognizedFunctionWithoutFallback: ({ frame }) =>
    `the contract has no function with the selector ${toHex(frame.input.subarray(0, 4))}, and no fallback`,
  missingFallbackOrReceive: () =>
    'the contract was called without data, and has neither receive nor fallback',
  returnDataSize: () => 'the data that the call returned are not of the size that the function returns',
  nonContractAccountCalled: () => 'a function was called at an address without code',
  callFailed: ({ refused }) => `a call was not begun: ${refused?.exit.failure?.error ?? 'it failed'}`,
  directLibraryCall: () => 'a library was called directly',
  contractTooLarge: () => 'the code of the contract is larger than is allowed',
  stackTooDeep: () => 'calls are nested too deep',
  precompile: ({ frame }) => `the call of the precompile at ${frame.to} failed`,
  unrecognizedContract: reverted,
  unrecognizedCreation: reverted,
  otherExecutionError: ({ exit }) => exit.failure?.error ?? 'execution failed',
}
