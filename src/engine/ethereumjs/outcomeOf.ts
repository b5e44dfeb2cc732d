/** Translates the results of EthereumJS to outcomes, and its errors to geth's failures. */

import { EVMError } from '@ethereumjs/evm'
import { toHex } from '../../bytes/hex.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { FrameFailure, HaltReason, Outcome } from '../engine.ts'
import * as words from '../trace/failures.ts'
import type { RunResult } from './runDeposit.ts'

/** The result of a run, with the records of listeners. */
export interface ReportedRun {
  readonly result: RunResult
  readonly intrinsicGas: bigint
  readonly console: ConsoleCalls | undefined
  /** The gas that the code needed in addition to what it used; `undefined`: its outcome may differ with other gas. */
  readonly gasNeed: bigint | undefined
}

/** Returns the outcome of a run. */
export function outcomeOf({ result, intrinsicGas, console, gasNeed }: ReportedRun): Outcome {
  const { execResult, totalGasSpent: gasUsed } = result
  const { exceptionError, returnValue } = execResult
  // Not from `result.gasRefund`: that is the refund earned, not the part of it that EIP-3529 pays.
  const spent = intrinsicGas + execResult.executionGasUsed
  const gasBeforeRefund = most(spent, gasUsed)
  const ended = { gasUsed, gasBeforeRefund, console }
  if (exceptionError === undefined || isFrontierCreation(exceptionError)) {
    return {
      kind: 'success',
      ...ended,
      leastGas: gasNeed === undefined ? undefined : most(gasBeforeRefund, intrinsicGas + gasNeed),
      returnData: returnValue,
      logs: (execResult.logs ?? []).map(toLog),
      createdAddress: result.createdAddress && toHex(result.createdAddress.bytes),
    }
  }
  const { error } = exceptionError
  // Only contract code leaves a run state. A precompile cannot revert, but EthereumJS reports that some did.
  const ranCode = execResult.runState !== undefined
  if (error === E.REVERT && ranCode) return { kind: 'revert', ...ended, data: returnValue }
  const reason = ranCode ? undefined : PRECOMPILE_REASONS.get(error)
  return { kind: 'halt', ...ended, reason: reason ?? errorOf(error)?.[0] ?? 'other' }
}

/**
 * Returns whether the error is that of a creation without enough gas for its code under Frontier. Before Homestead such
 * a creation succeeds without code (EIP-2). EthereumJS throws this error only under the rules of Frontier, and keeps
 * state and logs.
 */
function isFrontierCreation({ error }: EVMError): boolean {
  return error === E.CODESTORE_OUT_OF_GAS
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: toHex(address), topics: topics.map(toHex), data }
}

const E = EVMError.errorMessages
/** The reasons of halts, and geth's words for them where EthereumJS has others. */
const ERRORS = new Map<EVMError['error'], readonly [reason: HaltReason, words?: string]>([
  [E.OUT_OF_GAS, ['outOfGas', words.OUT_OF_GAS]],
  [E.CODESTORE_OUT_OF_GAS, ['other', words.DEPOSIT_OUT_OF_GAS]],
  [E.OUT_OF_RANGE, ['outOfGas', words.GAS_OVERFLOW]],
  [E.INVALID_OPCODE, ['invalidOpcode']],
  [E.INVALID_JUMP, ['invalidJump', words.INVALID_JUMP]],
  [E.STACK_UNDERFLOW, ['stackUnderflow', words.STACK_UNDERFLOW]],
  [E.STACK_OVERFLOW, ['stackOverflow', words.STACK_OVERFLOW]],
  [E.STATIC_STATE_CHANGE, ['staticStateChange', words.WRITE_PROTECTION]],
  [E.CREATE_COLLISION, ['createCollision', words.COLLISION]],
  [E.CODESIZE_EXCEEDS_MAXIMUM, ['codeTooLarge', words.CODE_TOO_LARGE]],
  [E.INITCODE_SIZE_VIOLATION, ['initCodeTooLarge', words.INIT_CODE_TOO_LARGE]],
  [E.INVALID_BYTECODE_RESULT, ['invalidCode', words.INVALID_CODE]],
  [E.INVALID_EOF_FORMAT, ['invalidCode']],
  [E.INSUFFICIENT_BALANCE, ['insufficientBalance', words.TOO_POOR]],
  [E.VALUE_OVERFLOW, ['insufficientBalance', words.TOO_POOR]],
  [E.INVALID_INPUT_LENGTH, ['precompileFailed']],
  [E.BLS_12_381_POINT_NOT_ON_CURVE, ['precompileFailed']],
  [E.BLS_12_381_INPUT_EMPTY, ['precompileFailed']],
  [E.BLS_12_381_FP_NOT_IN_FIELD, ['precompileFailed']],
  [E.INVALID_COMMITMENT, ['precompileFailed']],
  [E.INVALID_INPUTS, ['precompileFailed']],
  [E.INVALID_PROOF, ['precompileFailed']],
])

/** EthereumJS appends the instruction to one error: "invalid JUMP at …". */
function errorOf(error: EVMError['error']) {
  return ERRORS.get(error.startsWith(E.INVALID_JUMP) ? E.INVALID_JUMP : error)
}

/** Errors that have another meaning if no contract code ran. */
const PRECOMPILE_REASONS = new Map<EVMError['error'], HaltReason>([
  [E.REVERT, 'precompileFailed'],
  [E.OUT_OF_RANGE, 'precompileFailed'],
])

/** Returns the failure for `error`; `opcode` is the byte of the instruction at which it happened. */
export function failureOf({ error }: EVMError, opcode: number | undefined): FrameFailure {
  if (error === E.REVERT) return { kind: 'revert', error: words.REVERTED }
  if (error === E.INVALID_OPCODE) return { kind: 'halt', error: words.invalidOpcode(opcode) }
  return { kind: 'halt', error: errorOf(error)?.[1] ?? error }
}

/** Returns whether the failure happened after the last instruction of a creation, when its code was to be stored. */
export function isOfDeposit({ error }: EVMError): boolean {
  return error === E.CODESIZE_EXCEEDS_MAXIMUM || error === E.INVALID_BYTECODE_RESULT
}

export function isOutOfGas({ error }: EVMError): boolean {
  return error === E.OUT_OF_GAS || error === E.CODESTORE_OUT_OF_GAS
}
