/** The errors of frames in geth's words. */

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
export const TOO_POOR = 'insufficient balance for transfer'
export const OUT_OF_RETURN_DATA = 'return data out of bounds'
export const PRECOMPILE_FAILED = 'precompile failed'

/** The designated invalid instruction (EIP-141). */
export const INVALID = 0xfe

/** Returns the error of an invalid instruction; `undefined`: its byte is unknown. */
export function invalidOpcode(opcode: number | undefined): string {
  return `invalid opcode: ${opcode === undefined || opcode === INVALID ? 'INVALID' : undefinedName(opcode)}`
}

/** Returns the name of an undefined instruction. */
export function undefinedName(opcode: number): string {
  return `opcode 0x${opcode.toString(16)} not defined`
}
