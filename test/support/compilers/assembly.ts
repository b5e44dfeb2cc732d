/** Bytecode by the names of its instructions, for contracts that are easier to see than to compile. */
import { fromHex, type Hex, toHex, toMinimalBytes } from '../../../src/bytes/hex.ts'

const OPCODES = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBHASH: 0x49,
  BLOBBASEFEE: 0x4a,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  DUP4: 0x83,
  DUP5: 0x84,
  DUP6: 0x85,
  SWAP1: 0x90,
  SWAP2: 0x91,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
} as const

export type Instruction = keyof typeof OPCODES
/** An instruction by name; a number or bytes to push; or code as it is. */
export type Item = Instruction | number | bigint | Hex | Uint8Array

/** The code of `items`: numbers and hex are pushed (zero as PUSH1 0, which all hardforks know), bytes stand as they are. */
export function assemble(...items: Item[]): Uint8Array {
  return Uint8Array.from(items.flatMap((item) => [...bytesOf(item)]))
}

function bytesOf(item: Item): Uint8Array {
  if (item instanceof Uint8Array) return item
  if (typeof item === 'string' && !item.startsWith('0x')) {
    return Uint8Array.of(OPCODES[item as Instruction])
  }
  const pushed = typeof item === 'string' ? fromHex(item as Hex) : toMinimalBytes(BigInt(item))
  return pushed.length === 0 ? Uint8Array.of(0x60, 0) : Uint8Array.of(0x5f + pushed.length, ...pushed)
}

/** Code that runs `items` unless the word on the stack is anything but zero. Stands anywhere. */
export function unless(...items: Item[]): Uint8Array {
  const skipped = assemble(...items)
  const distance: Hex = `0x${(skipped.length + 3).toString(16).padStart(4, '0')}`
  return assemble(distance, 'PC', 'ADD', 'JUMPI', skipped, 'JUMPDEST')
}

/** Creation code that runs `before` and then deploys `runtime`. */
export function creationOf(runtime: Uint8Array, before: Uint8Array = new Uint8Array()): Uint8Array {
  const length = (bytes: number): Hex => `0x${bytes.toString(16).padStart(4, '0')}`
  const copy = (offset: number) =>
    assemble(length(runtime.length), 'DUP1', length(offset), 0, 'CODECOPY', 0, 'RETURN')
  return Uint8Array.of(...before, ...copy(before.length + copy(0).length), ...runtime)
}

/** Runtime code that answers the word which `items` leave on the stack. */
export function answering(...items: Item[]): Uint8Array {
  return assemble(...items, 0, 'MSTORE', 32, 0, 'RETURN')
}

/** The instructions that put `bytes` into memory at 0, 32 at a time. */
export function inMemory(bytes: Uint8Array): Uint8Array {
  const words: Item[] = []
  for (let at = 0; at < bytes.length; at += 32) {
    const word = new Uint8Array(32)
    word.set(bytes.subarray(at, at + 32))
    words.push(toHex(word), at, 'MSTORE')
  }
  return assemble(...words)
}
