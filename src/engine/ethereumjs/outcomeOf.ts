/** Translates the results of EthereumJS to outcomes. */
import { EVMError } from '@ethereumjs/evm'
import { toHex } from '../../bytes/hex.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { HaltReason, Outcome } from '../engine.ts'
import type { Ending } from './runDeposit.ts'

/** The result of a run, with what listeners noted. */
export interface Ended {
  readonly result: Ending
  readonly intrinsicGas: bigint
  readonly console: ConsoleCalls | undefined
  /** The gas that the code needed in addition to what it used; `undefined`: its outcome may differ with other gas. */
  readonly gasNeed: bigint | undefined
}

/** Returns the outcome of a run. */
export function outcomeOf({ result, intrinsicGas, console, gasNeed }: Ended): Outcome {
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
  return { kind: 'halt', ...ended, reason: reason ?? haltReasonOf(error) }
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

function haltReasonOf(error: EVMError['error']): HaltReason {
  // EthereumJS appends the instruction to this kind of error: "invalid JUMP at …".
  if (error.startsWith(EVMError.errorMessages.INVALID_JUMP)) return 'invalidJump'
  return HALT_REASONS.get(error) ?? 'other'
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: toHex(address), topics: topics.map(toHex), data }
}

const E = EVMError.errorMessages
const HALT_REASONS = new Map<EVMError['error'], HaltReason>([
  [E.OUT_OF_GAS, 'outOfGas'],
  [E.OUT_OF_RANGE, 'outOfGas'],
  [E.INVALID_OPCODE, 'invalidOpcode'],
  [E.STACK_UNDERFLOW, 'stackUnderflow'],
  [E.STACK_OVERFLOW, 'stackOverflow'],
  [E.STATIC_STATE_CHANGE, 'staticStateChange'],
  [E.CREATE_COLLISION, 'createCollision'],
  [E.CODESIZE_EXCEEDS_MAXIMUM, 'codeTooLarge'],
  [E.INITCODE_SIZE_VIOLATION, 'initCodeTooLarge'],
  [E.INVALID_BYTECODE_RESULT, 'invalidCode'],
  [E.INVALID_EOF_FORMAT, 'invalidCode'],
  [E.INSUFFICIENT_BALANCE, 'insufficientBalance'],
  [E.VALUE_OVERFLOW, 'insufficientBalance'],
  [E.INVALID_INPUT_LENGTH, 'precompileFailed'],
  [E.BLS_12_381_POINT_NOT_ON_CURVE, 'precompileFailed'],
  [E.BLS_12_381_INPUT_EMPTY, 'precompileFailed'],
  [E.BLS_12_381_FP_NOT_IN_FIELD, 'precompileFailed'],
  [E.INVALID_COMMITMENT, 'precompileFailed'],
  [E.INVALID_INPUTS, 'precompileFailed'],
  [E.INVALID_PROOF, 'precompileFailed'],
])

/** Errors that have another meaning if no contract code ran. */
const PRECOMPILE_REASONS = new Map<EVMError['error'], HaltReason>([
  [E.REVERT, 'precompileFailed'],
  [E.OUT_OF_RANGE, 'precompileFailed'],
])
