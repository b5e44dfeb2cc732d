// The raw reading of code, in which each instruction is checked separately. Traces use the raw reading. A block that
// fails its check in the fast reading continues in the raw reading, which finds the exact position and reason.
//
// In both readings an instruction has 16 bytes:
//
//   u16 operation, u16 operand, u32 operand, u64 operand (or two u32)
import { CODE_BYTES, CODE_LENGTH, IS_DEFINED, OBSERVES_GAS, READING_PLACE, READING_ROOM_END } from '../layout'
import { spend } from './frame'
import {
  CONTEXT_OF, ENDS, OP_CONTEXT, OP_DUP, OP_INVALID, OP_JUMP_TO, OP_NEXT, OP_PUSH, OP_PUSH_SMALL, OP_STEP,
  OP_STOP, OP_SWAP, OPERATION_OF,
} from './generated'
import {
  CALL, CALLCODE, CODESIZE, DELEGATECALL, DUP1, GAS, JUMPDEST, LOG0, PC, POP, PUSH0, PUSH32, STATICCALL, STOP, SWAP1,
} from './opcodes'
import { addDestination, closeChunk, destinationAt, openChunk, SMALL_CONSTANTS } from './readings'
import { isHigh, put, putBytes } from './words'

/** Decoding one byte of code takes about as long as instructions that use this much gas. */
export const GAS_OF_DECODING: i64 = 16

/** Bytes of a chunk that decoding an opcode needs at most, with the instruction that leads to the next part. */
export const ROOM: usize = 128

/** Value of `ENDS` for an opcode after which execution never continues. Other opcodes that end a block have 1. */
export const CODE_ENDS: u32 = 2

/** Decodes `code` from position `from` to where it ends, or to decoded code. Returns the first instruction. */
export function decodeRaw(code: usize, reading: usize, from: u32): usize {
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  const length = load<u32>(code, CODE_LENGTH)
  openChunk(reading, length)
  const first = <usize>load<u32>(reading, READING_PLACE)
  let pool = <usize>load<u32>(reading, READING_ROOM_END)
  let at = first
  let pc = from
  while (true) {
    const opcode: u32 = pc < length ? load<u8>(bytes + pc) : STOP
    const operation = operationOf(opcode)
    const known: usize = opcode == JUMPDEST ? destinationAt(reading, pc) : 0
    if (known != 0 || pool - at < ROOM) {
      emit(at, known != 0 ? OP_JUMP_TO : OP_NEXT, 0, pc, known)
      break
    }
    if (opcode == JUMPDEST) addDestination(reading, pc, at)
    emit(at, OP_STEP, opcode, pc, operation == OP_INVALID ? 0 : 1)
    at += SIZE
    if (pc >= length) {
      emit(at, OP_STOP, 0, 0, 0)
      break
    }
    pc++
    if (opcode == JUMPDEST) continue
    if (operation == OP_INVALID) {
      emit(at, operation, opcode, 0, 0)
      break
    }
    if (opcode >= PUSH0 && opcode <= PUSH32) {
      pool = emitData(at, pool, bytes + pc, opcode - PUSH0)
      pc += opcode - PUSH0
    } else if (opcode >= DUP1 && opcode < SWAP1) emit(at, OP_DUP, 0, (opcode - DUP1) << 5, 0)
    else if (opcode >= SWAP1 && opcode < LOG0) emit(at, OP_SWAP, 0, (opcode - SWAP1 + 1) << 5, 0)
    else if (operation == OP_CONTEXT) emit(at, OP_CONTEXT, 0, load<u16>(CONTEXT_OF + (opcode << 1)), 0)
    else if (opcode == PC || opcode == CODESIZE) {
      pool -= 32
      put(pool, opcode == PC ? pc - 1 : length)
      emitPush(at, pool)
    } else emit(at, operation, opcode, operandOf(opcode, load<u8>(bytes + pc)), 0)
    if (load<u8>(ENDS + opcode) == CODE_ENDS) break
    at += SIZE
  }
  closeChunk(reading, at + SIZE, pool)
  spend(<i64>(pc - from) * GAS_OF_DECODING)
  return first
}

export const SIZE = 16

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

/** Returns the operand of an instruction that is followed by the opcode `next`. */
@inline
export function operandOf(opcode: u32, next: u32): u32 {
  if (opcode == POP) return 32
  if (opcode != GAS) return 0
  // A call gets at most 63/64 of the gas left, so the value of a GAS that is its operand does not matter.
  const isPassed = next == CALL || next == CALLCODE || next == DELEGATECALL || next == STATICCALL
  return isPassed ? 0 : OBSERVES_GAS
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

/** Emits a PUSH of the `length` bytes at `data`. `pool`: the end of the unused part of the chunk. Returns the new end. */
export function emitData(at: usize, pool: usize, data: usize, length: u32): usize {
  if (length < 2) {
    emitPush(at, SMALL_CONSTANTS + (length == 0 ? 0 : <usize>load<u8>(data) << 5))
    return pool
  }
  putBytes(pool - 32, data, length)
  emitPush(at, pool - 32)
  return pool - 32
}
