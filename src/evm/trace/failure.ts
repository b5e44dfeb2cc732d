/** Translates EthereumJS's errors to geth's words. */
import { EVMError } from '@ethereumjs/evm'
import type { FrameFailure } from '../engine.ts'

/** Returns the failure for `error`; `opcode` is the byte of the instruction at which it happened. */
export function failureOf({ error }: EVMError, opcode: number | undefined): FrameFailure {
  if (error === E.REVERT) return { kind: 'revert', error: 'execution reverted' }
  return { kind: 'halt', error: wordsFor(error, opcode) }
}

function wordsFor(error: EVMError['error'], opcode: number | undefined): string {
  if (error === E.INVALID_OPCODE) return invalidOpcode(opcode)
  // EthereumJS appends the instruction to this kind of error: "invalid JUMP at …".
  if (error.startsWith(E.INVALID_JUMP)) return 'invalid jump destination'
  return WORDS.get(error) ?? error
}

function invalidOpcode(opcode: number | undefined): string {
  return `invalid opcode: ${opcode === undefined || opcode === INVALID ? 'INVALID' : undefinedName(opcode)}`
}

/** Returns the name of an undefined instruction. */
export function undefinedName(opcode: number): string {
  return `opcode 0x${opcode.toString(16)} not defined`
}

/** The designated invalid instruction (EIP-141). */
export const INVALID = 0xfe

export const OUT_OF_GAS = 'out of gas'
export const TOO_DEEP = 'max call depth exceeded'
export const TOO_POOR = 'insufficient balance for transfer'
export const OUT_OF_RETURN_DATA = 'return data out of bounds'
export const PRECOMPILE_FAILED = 'precompile failed'
export const DEPOSIT_OUT_OF_GAS = 'contract creation code storage out of gas'

const E = EVMError.errorMessages
const WORDS = new Map<EVMError['error'], string>([
  [E.OUT_OF_GAS, OUT_OF_GAS],
  [E.CODESTORE_OUT_OF_GAS, DEPOSIT_OUT_OF_GAS],
  [E.OUT_OF_RANGE, 'gas uint64 overflow'],
  [E.STACK_UNDERFLOW, 'stack underflow'],
  [E.STACK_OVERFLOW, 'stack limit reached 1024 (1023)'],
  [E.STATIC_STATE_CHANGE, 'write protection'],
  [E.CREATE_COLLISION, 'contract address collision'],
  [E.CODESIZE_EXCEEDS_MAXIMUM, 'max code size exceeded'],
  [E.INITCODE_SIZE_VIOLATION, 'max initcode size exceeded'],
  [E.INVALID_BYTECODE_RESULT, 'invalid code: must not begin with 0xef'],
  [E.INSUFFICIENT_BALANCE, TOO_POOR],
  [E.VALUE_OVERFLOW, TOO_POOR],
])

/** Returns whether the failure happened after the last instruction of a creation, when its code was to be stored. */
export function isOfDeposit({ error }: EVMError): boolean {
  return error === E.CODESIZE_EXCEEDS_MAXIMUM || error === E.INVALID_BYTECODE_RESULT
}

export function isOutOfGas({ error }: EVMError): boolean {
  return error === E.OUT_OF_GAS || error === E.CODESTORE_OUT_OF_GAS
}
