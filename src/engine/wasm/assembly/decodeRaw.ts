// The raw reading of code, in which each instruction is checked separately. Traces use the raw reading. A block that
// fails its check in the fast reading continues in the raw reading, which finds the exact position and reason.
//
// In both readings an instruction has 16 bytes:
//
//   u16 operation, u16 operand, u32 operand, u64 operand (or two u32)
import {
  CODE_BYTES, CODE_LENGTH, CODE_RAW, CODE_RAW_BLOCK, CODE_RAW_JUMPS, CODE_RAW_PLACES, IS_DEFINED,
} from '../layout'
import { newReading } from './code'
import {
  CONTEXT_OF, OP_CONTEXT, OP_DUP, OP_INVALID, OP_PUSH, OP_PUSH_SMALL, OP_STEP, OP_STOP, OP_SWAP, OPERATION_OF,
} from './generated'
import { CODESIZE, DUP1, JUMPDEST, LOG0, PC, POP, PUSH0, PUSH32, STOP, SWAP1 } from './opcodes'
import { isHigh, put, putBytes } from './words'

/** Decodes the raw reading of `code`, unless already decoded. The fast reading must exist. */
export function decodeRaw(code: usize): void {
  if (load<u32>(code, CODE_RAW) != 0) return
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  const length = load<u32>(code, CODE_LENGTH)
  let instructions: u32 = 2
  let constants: u32 = 1
  for (let pc: u32 = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(bytes + pc)
    instructions += 2
    if (opcode >= PUSH0 && opcode <= PUSH32) pc += opcode - PUSH0
    constants++
  }
  // The data of a final PUSH may be missing, so the final STOP may be up to 32 bytes after the end.
  const tableBytes = (length + 33) << 2
  const size = HEAD + instructions * SIZE + (constants << 5) + (tableBytes << 1)
  const block = newReading(size)
  const first = block + HEAD
  let pool = first + instructions * SIZE
  const jumps = pool + (constants << 5)
  const places = jumps + tableBytes
  memory.fill(jumps, 0, tableBytes << 1)
  let at = first
  let pc: u32 = 0
  while (true) {
    const opcode: u32 = pc < length ? load<u8>(bytes + pc) : STOP
    const operation = operationOf(opcode)
    if (opcode == JUMPDEST) store<u32>(jumps + (pc << 2), at)
    store<u32>(places + (pc << 2), at)
    emit(at, OP_STEP, opcode, pc, operation == OP_INVALID ? 0 : 1)
    at += SIZE
    if (pc >= length) {
      emit(at, OP_STOP, 0, 0, 0)
      break
    }
    pc++
    if (operation == OP_INVALID) emit(at, operation, opcode, 0, 0)
    else if (opcode == JUMPDEST) continue
    else if (opcode >= PUSH0 && opcode <= PUSH32) {
      putBytes(pool, bytes + pc, opcode - PUSH0)
      pc += opcode - PUSH0
      emitPush(at, pool)
      pool += 32
    } else if (opcode >= DUP1 && opcode < SWAP1) emit(at, OP_DUP, 0, (opcode - DUP1) << 5, 0)
    else if (opcode >= SWAP1 && opcode < LOG0) emit(at, OP_SWAP, 0, (opcode - SWAP1 + 1) << 5, 0)
    else if (operation == OP_CONTEXT) emit(at, OP_CONTEXT, 0, load<u16>(CONTEXT_OF + (opcode << 1)), 0)
    else if (opcode == PC || opcode == CODESIZE) {
      put(pool, opcode == PC ? pc - 1 : length)
      emitPush(at, pool)
      pool += 32
    } else emit(at, operation, opcode, opcode == POP ? 32 : 0, 0)
    at += SIZE
  }
  store<u32>(code, block, CODE_RAW_BLOCK)
  store<u32>(code, jumps, CODE_RAW_JUMPS)
  store<u32>(code, places, CODE_RAW_PLACES)
  store<u32>(code, first, CODE_RAW)
}

export const SIZE = 16
export const HEAD = 16

@inline
function isDefined(opcode: u32): bool {
  return load<u8>(IS_DEFINED + opcode) != 0
}

@inline
export function operationOf(opcode: u32): u32 {
  return isDefined(opcode) ? load<u16>(OPERATION_OF + (opcode << 1)) : OP_INVALID
}

@inline
export function isConstant(operation: u32): bool {
  return operation == OP_PUSH || operation == OP_PUSH_SMALL
}

@inline
export function emit(at: usize, operation: u32, a: u32, b: u32, c: u64): void {
  store<u16>(at, operation)
  store<u16>(at, a, 2)
  store<u32>(at, b, 4)
  store<u64>(at, c, 8)
}

export function emitPush(at: usize, pool: usize): void {
  emit(at, isHigh(pool) ? OP_PUSH : OP_PUSH_SMALL, 0, <u32>pool, load<u64>(pool))
}
