/** The opcodes that tell what Solidity was doing, besides those in `engine/trace/opcodes.ts`. */

export const LT = 0x10
export const ISZERO = 0x15
export const KECCAK256 = 0x20
export const CALLDATASIZE = 0x36
export const CODESIZE = 0x38
export const CODECOPY = 0x39
export const EXTCODESIZE = 0x3b
export const JUMP = 0x56
export const JUMPI = 0x57
export const JUMPDEST = 0x5b
export const TLOAD = 0x5c
export const TSTORE = 0x5d
export const PUSH0 = 0x5f
export const PUSH4 = 0x63
export const DUP1 = 0x80
export const SWAP16 = 0x9f
export const DELEGATECALL = 0xf4
export const REVERT = 0xfd
export const INVALID = 0xfe
