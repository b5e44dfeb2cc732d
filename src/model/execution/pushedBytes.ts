/** The data of PUSH instructions. */

const PUSH1 = 0x60
const PUSH32 = 0x7f

/** Returns the number of bytes behind `opcode` that are its operand: those of a PUSH. */
export function pushedBytes(opcode: number): number {
  return opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0
}
