import { EVMError } from '@ethereumjs/evm'
import { toHex } from '../../bytes/hex.ts'
import type { ConsoleCalls } from '../../model/execution/call.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { FrameFailure, HaltReason, Outcome } from '../engine.ts'
import * as words from '../trace/failures.ts'
import type { RunResult } from './runDeposit.ts'

export interface ReportedRun {
  readonly result: RunResult
  readonly intrinsicGas: bigint
  readonly console: ConsoleCalls | undefined
  /** The least initial gas with which no SSTORE lacks gas; `undefined` if the gas limit may affect the outcome. */
  readonly gasNeed: bigint | undefined
}

export function outcomeOf({ result, intrinsicGas, console, gasNeed }: ReportedRun): Outcome {
  const { execResult, totalGasSpent: gasUsed } = result
  const { exceptionError, returnValue } = execResult
  // Not computed from `result.gasRefund`, which is the refund before the cap of EIP-3529.
  const spent = intrinsicGas + execResult.executionGasUsed
  const gasBeforeRefund = most(spent, gasUsed)
  const ended = { gasUsed, gasBeforeRefund, console }
  // EthereumJS throws CODESTORE_OUT_OF_GAS only under Frontier, where such a creation succeeds without code.
  if (exceptionError === undefined || exceptionError.error === E.CODESTORE_OUT_OF_GAS) {
    return {
      kind: 'success',
      ...ended,
      gasNeeded: gasNeed === undefined ? undefined : most(gasBeforeRefund, intrinsicGas + gasNeed),
      returnData: returnValue,
      logs: (execResult.logs ?? []).map(toLog),
      createdAddress: result.createdAddress && toHex(result.createdAddress.bytes),
    }
  }
  const { error } = exceptionError
  // `runState` is set only if contract code ran. If no code ran, REVERT and OUT_OF_RANGE mean that a precompile failed.
  const ranCode = execResult.runState !== undefined
  if (error === E.REVERT && ranCode) return { kind: 'revert', ...ended, data: returnValue }
  const isOfPrecompile = !ranCode && (error === E.REVERT || error === E.OUT_OF_RANGE)
  return { kind: 'halt', ...ended, reason: isOfPrecompile ? 'precompileFailed' : reasonOf(error) }
}

function reasonOf(error: EVMError['error']): HaltReason {
  return error === E.INVALID_OPCODE ? 'invalidOpcode' : words.haltReasonOf(wordsFor(error))
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: toHex(address), topics: topics.map(toHex), data }
}

const E = EVMError.errorMessages
/** geth's wording of EthereumJS's errors, if different. */
const WORDS = new Map<EVMError['error'], string>([
  [E.CODESTORE_OUT_OF_GAS, words.DEPOSIT_OUT_OF_GAS],
  [E.OUT_OF_RANGE, words.GAS_OVERFLOW],
  [E.INVALID_JUMP, words.INVALID_JUMP],
  [E.STACK_OVERFLOW, words.STACK_OVERFLOW],
  [E.STATIC_STATE_CHANGE, words.WRITE_PROTECTION],
  [E.CREATE_COLLISION, words.COLLISION],
  [E.CODESIZE_EXCEEDS_MAXIMUM, words.CODE_TOO_LARGE],
  [E.INITCODE_SIZE_VIOLATION, words.INIT_CODE_TOO_LARGE],
  [E.INVALID_BYTECODE_RESULT, words.INVALID_CODE],
  [E.INVALID_EOF_FORMAT, words.INVALID_CODE],
  [E.INSUFFICIENT_BALANCE, words.INSUFFICIENT_BALANCE],
  [E.VALUE_OVERFLOW, words.INSUFFICIENT_BALANCE],
  [E.INVALID_INPUT_LENGTH, words.PRECOMPILE_FAILED],
  [E.BLS_12_381_POINT_NOT_ON_CURVE, words.PRECOMPILE_FAILED],
  [E.BLS_12_381_INPUT_EMPTY, words.PRECOMPILE_FAILED],
  [E.BLS_12_381_FP_NOT_IN_FIELD, words.PRECOMPILE_FAILED],
  [E.INVALID_COMMITMENT, words.PRECOMPILE_FAILED],
  [E.INVALID_INPUTS, words.PRECOMPILE_FAILED],
  [E.INVALID_PROOF, words.PRECOMPILE_FAILED],
])

/** Returns geth's wording of an error. EthereumJS appends the instruction to INVALID_JUMP errors. */
function wordsFor(error: EVMError['error']): string {
  return WORDS.get(error.startsWith(E.INVALID_JUMP) ? E.INVALID_JUMP : error) ?? error
}

export function failureOf({ error }: EVMError, opcode: number | undefined): FrameFailure {
  if (error === E.REVERT) return { kind: 'revert', error: words.REVERTED }
  if (error === E.INVALID_OPCODE) return { kind: 'halt', error: words.invalidOpcode(opcode) }
  return { kind: 'halt', error: wordsFor(error) }
}

/** Returns whether a creation failed after its last instruction, when the new code was checked. */
export function isCodeDepositError({ error }: EVMError): boolean {
  return error === E.CODESIZE_EXCEEDS_MAXIMUM || error === E.INVALID_BYTECODE_RESULT
}

export function isOutOfGas({ error }: EVMError): boolean {
  return error === E.OUT_OF_GAS || error === E.CODESTORE_OUT_OF_GAS
}
