/** Bytecode as instructions. */
import type { Hex } from '../../bytes/hex.ts'
import { OPCODE_AT, pushedBytes } from '../../model/opcodes.ts'

export interface Instruction {
  /** The position of the opcode in the code, in bytes. */
  readonly at: number
  readonly name: string
  /** What a PUSH pushes, in hex, as far as the code has it; empty for others. */
  readonly pushed: string
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
      name: OPCODE_AT[opcode]?.name ?? `0x${opcode.toString(16).padStart(2, '0')}`,
      pushed: pushed === 0 ? '' : `0x${code.slice(4 + 2 * at, 4 + 2 * (at + pushed))}`,
    })
    at += 1 + pushed
  }
  return instructions
}
