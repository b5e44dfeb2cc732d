/** Error messages of frames, in geth's wording. */
import type { HaltReason } from '../engine.ts'

export const REVERTED = 'execution reverted'
export const OUT_OF_GAS = 'out of gas'
export const GAS_OVERFLOW = 'gas uint64 overflow'
export const DEPOSIT_OUT_OF_GAS = 'contract creation code storage out of gas'
export const STACK_UNDERFLOW = 'stack underflow'
export const STACK_OVERFLOW = 'stack limit reached 1024 (1023)'
export const INVALID_JUMP = 'invalid jump destination'
export const WRITE_PROTECTION = 'write protection'
export const COLLISION = 'contract address collision'
export const CODE_TOO_LARGE = 'max code size exceeded'
export const INIT_CODE_TOO_LARGE = 'max initcode size exceeded'
export const INVALID_CODE = 'invalid code: must not begin with 0xef'
export const TOO_DEEP = 'max call depth exceeded'
export const INSUFFICIENT_BALANCE = 'insufficient balance for transfer'
export const OUT_OF_RETURN_DATA = 'return data out of bounds'
export const PRECOMPILE_FAILED = 'precompile failed'

/** The halt reason and reth's wording for each error: Parity's wording if there is one, otherwise revm's error name. */
const ERRORS: ReadonlyMap<string, readonly [reason: HaltReason, reth: string]> = new Map([
  [OUT_OF_GAS, ['outOfGas', 'Out of gas']],
  [GAS_OVERFLOW, ['outOfGas', 'Out of gas']],
  [DEPOSIT_OUT_OF_GAS, ['outOfGas', 'Out of gas']],
  [OUT_OF_RETURN_DATA, ['outOfGas', 'OutOfOffset']],
  [INVALID_JUMP, ['invalidJump', 'Bad jump destination']],
  [STACK_UNDERFLOW, ['stackUnderflow', 'StackUnderflow']],
  [STACK_OVERFLOW, ['stackOverflow', 'Out of stack']],
  [WRITE_PROTECTION, ['staticStateChange', 'StateChangeDuringStaticCall']],
  [COLLISION, ['createCollision', 'CreateCollision']],
  [CODE_TOO_LARGE, ['codeTooLarge', 'CreateContractSizeLimit']],
  [INIT_CODE_TOO_LARGE, ['initCodeTooLarge', 'CreateInitCodeSizeLimit']],
  [INVALID_CODE, ['invalidCode', 'CreateContractStartingWithEF']],
  [INSUFFICIENT_BALANCE, ['insufficientBalance', 'Insufficient balance for transfer']],
  [PRECOMPILE_FAILED, ['precompileFailed', 'Built-in failed']],
  [TOO_DEEP, ['other', 'CallTooDeep']],
])

export function haltReasonOf(error: string): HaltReason {
  return ERRORS.get(error)?.[0] ?? 'other'
}

/** Returns reth's wording of a halt's `error`. An error that `ERRORS` lacks is an undefined instruction. */
export function rethError(error: string): string {
  return ERRORS.get(error)?.[1] ?? 'Bad instruction'
}

export const INVALID = 0xfe

/** Returns the error of an undefined instruction. `opcode` is `undefined` if unknown. */
export function invalidOpcode(opcode: number | undefined): string {
  return `invalid opcode: ${opcode === undefined || opcode === INVALID ? 'INVALID' : undefinedName(opcode)}`
}

export function undefinedName(opcode: number): string {
  return `opcode 0x${opcode.toString(16)} not defined`
}
