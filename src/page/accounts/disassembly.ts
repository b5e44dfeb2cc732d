/** Bytecode as instructions. */
import { pushedBytes } from '../../model/execution/trace.ts'
import type { Hex } from '../source/answers.ts'

export interface Instruction {
  /** The position of the opcode in the code, in bytes. */
  readonly at: number
  readonly name: string
  /** What a PUSH pushes, in hex, as far as the code has it; empty for others. */
  readonly pushed: string
}

/** The opcodes in groups that follow each other: the first number, and their names. */
const GROUPS: readonly (readonly [first: number, names: string])[] = [
  [0x00, 'STOP ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'],
  [0x10, 'LT GT SLT SGT EQ ISZERO AND OR XOR NOT BYTE SHL SHR SAR CLZ'],
  [0x20, 'KECCAK256'],
  [0x30, 'ADDRESS BALANCE ORIGIN CALLER CALLVALUE CALLDATALOAD CALLDATASIZE CALLDATACOPY CODESIZE CODECOPY'],
  [0x3a, 'GASPRICE EXTCODESIZE EXTCODECOPY RETURNDATASIZE RETURNDATACOPY EXTCODEHASH'],
  [
    0x40,
    'BLOCKHASH COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT CHAINID SELFBALANCE BASEFEE BLOBHASH BLOBBASEFEE',
  ],
  [0x50, 'POP MLOAD MSTORE MSTORE8 SLOAD SSTORE JUMP JUMPI PC MSIZE GAS JUMPDEST TLOAD TSTORE MCOPY'],
  [0x5f, numbered('PUSH', 0, 32)],
  [0x80, numbered('DUP', 1, 16)],
  [0x90, numbered('SWAP', 1, 16)],
  [0xa0, numbered('LOG', 0, 4)],
  [0xf0, 'CREATE CALL CALLCODE RETURN DELEGATECALL CREATE2'],
  [0xfa, 'STATICCALL'],
  [0xfd, 'REVERT INVALID SELFDESTRUCT'],
]

/** The names of opcodes by their numbers. */
export const OPCODES: ReadonlyMap<number, string> = new Map(
  GROUPS.flatMap(([first, names]) => names.split(' ').map((name, i) => [first + i, name] as const)),
)

function numbered(name: string, first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, i) => `${name}${first + i}`).join(' ')
}

/** Returns the instructions of `code`. Its data (constants, metadata) cannot be told from instructions, and is shown as such. */
export function disassembled(code: Hex): readonly Instruction[] {
  const instructions: Instruction[] = []
  const size = (code.length - 2) / 2
  for (let at = 0; at < size; ) {
    const opcode = Number.parseInt(code.slice(2 + 2 * at, 4 + 2 * at), 16)
    const pushed = pushedBytes(opcode)
    instructions.push({
      at,
      name: OPCODES.get(opcode) ?? `0x${opcode.toString(16).padStart(2, '0')}`,
      pushed: pushed === 0 ? '' : `0x${code.slice(4 + 2 * at, 4 + 2 * (at + pushed))}`,
    })
    at += 1 + pushed
  }
  return instructions
}
