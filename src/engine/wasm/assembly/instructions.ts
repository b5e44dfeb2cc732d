// What both readings of code are made of: instructions of 16 bytes, which `run` executes:
//
//   u16 operation, u16 operand, u32 operand, u64 operand (or two u32)
import { IS_DEFINED } from '../layout'
import { OP_INVALID, OP_PUSH, OP_PUSH_SMALL, OPERATION_OF } from './generated'
import { isHigh } from './words'


export const SIZE = 16
export const HEAD = 16

// @ts-ignore: decorator
@inline
function isDefined(opcode: u32): bool {
  return load<u8>(IS_DEFINED + opcode) != 0
}

// @ts-ignore: decorator
@inline
export function operationOf(opcode: u32): u32 {
  return isDefined(opcode) ? load<u16>(OPERATION_OF + (opcode << 1)) : OP_INVALID
}

// @ts-ignore: decorator
@inline
export function isConstant(operation: u32): bool {
  return operation == OP_PUSH || operation == OP_PUSH_SMALL
}

// @ts-ignore: decorator
@inline
export function emit(at: usize, operation: u32, a: u32, b: u32, c: u64): void {
  store<u16>(at, operation)
  store<u16>(at, a, 2)
  store<u32>(at, b, 4)
  store<u64>(at, c, 8)
}

/** Writes a constant to the pool, and the instruction that pushes it. */
export function emitPush(at: usize, pool: usize): void {
  emit(at, isHigh(pool) ? OP_PUSH : OP_PUSH_SMALL, 0, <u32>pool, load<u64>(pool))
}
