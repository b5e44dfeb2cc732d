/** Translates EthereumJS's errors to geth's failures. */
import { EVMError } from '@ethereumjs/evm'
import type { FrameFailure } from '../engine.ts'
import * as failures from '../trace/failures.ts'

/** Returns the failure for `error`; `opcode` is the byte of the instruction at which it happened. */
export function failureOf({ error }: EVMError, opcode: number | undefined): FrameFailure {
  if (error === E.REVERT) return { kind: 'revert', error: failures.REVERTED }
  return { kind: 'halt', error: wordsFor(error, opcode) }
}

function wordsFor(error: EVMError['error'], opcode: number | undefined): string {
  if (error === E.INVALID_OPCODE) return failures.invalidOpcode(opcode)
  // EthereumJS appends the instruction to this kind of error: "invalid JUMP at …".
  if (error.startsWith(E.INVALID_JUMP)) return failures.INVALID_JUMP
  return WORDS.get(error) ?? error
}

const E = EVMError.errorMessages
const WORDS = new Map<EVMError['error'], string>([
  [E.OUT_OF_GAS, failures.OUT_OF_GAS],
  [E.CODESTORE_OUT_OF_GAS, failures.DEPOSIT_OUT_OF_GAS],
  [E.OUT_OF_RANGE, failures.GAS_OVERFLOW],
  [E.STACK_UNDERFLOW, failures.STACK_UNDERFLOW],
  [E.STACK_OVERFLOW, failures.STACK_OVERFLOW],
  [E.STATIC_STATE_CHANGE, failures.WRITE_PROTECTION],
  [E.CREATE_COLLISION, failures.COLLISION],
  [E.CODESIZE_EXCEEDS_MAXIMUM, failures.CODE_TOO_LARGE],
  [E.INITCODE_SIZE_VIOLATION, failures.INIT_CODE_TOO_LARGE],
  [E.INVALID_BYTECODE_RESULT, failures.INVALID_CODE],
  [E.INSUFFICIENT_BALANCE, failures.TOO_POOR],
  [E.VALUE_OVERFLOW, failures.TOO_POOR],
])

/** Returns whether the failure happened after the last instruction of a creation, when its code was to be stored. */
export function isOfDeposit({ error }: EVMError): boolean {
  return error === E.CODESIZE_EXCEEDS_MAXIMUM || error === E.INVALID_BYTECODE_RESULT
}

export function isOutOfGas({ error }: EVMError): boolean {
  return error === E.OUT_OF_GAS || error === E.CODESTORE_OUT_OF_GAS
}
