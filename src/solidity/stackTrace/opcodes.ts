/** Opcodes that inference looks for. */

export const LT = 0x10
export const ISZERO = 0x15
export const CALLDATASIZE = 0x36
export const CODESIZE = 0x38
export const CODECOPY = 0x39
export const EXTCODESIZE = 0x3b
export const JUMP = 0x56
export const JUMPI = 0x57
export const JUMPDEST = 0x5b
export const DUP1 = 0x80
export const DELEGATECALL = 0xf4
export const REVERT = 0xfd
export const INVALID = 0xfe
