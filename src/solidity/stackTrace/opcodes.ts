/** Opcodes that inference looks for. */

export const REVERT = 0xfd
export const INVALID = 0xfe
export const JUMPDEST = 0x5b
export const CALL = 0xf1
export const DELEGATECALL = 0xf4
export const CREATE = 0xf0
export const CREATE2 = 0xf5
export const ISZERO = 0x15
export const LT = 0x10
export const SLT = 0x12
export const DUP1 = 0x80
export const EXTCODESIZE = 0x3b
export const CALLDATASIZE = 0x36
export const CODECOPY = 0x39
