// The fast reading of code: checks gas and stack once per basic block, and fuses constants and common sequences.
import {
  CODE_BYTES, CODE_LENGTH, CODE_RULES, COUNTED_READING, READING_PLACE, READING_ROOM_END, STACK_IN, STACK_OUT,
  STATIC_GAS,
} from '../layout'
import { spend } from './frame'
import {
  AFTER_DUP, AFTER_PUSH, AFTER_SWAP, CONTEXT_OF, ENDS, fold, FOLDS, JUMPS_IF, JUMPS_UNLESS, OP_BLOCK,
  OP_CALLDATALOAD_AT, OP_CONTEXT, OP_COUNTED_BLOCK, OP_DUP, OP_INVALID, OP_ISZERO,
  OP_JUMP_IF_EQ_K, OP_JUMP_IF_EQ_KEPT, OP_JUMP_IF_GT_D, OP_JUMP_IF_GT_DD, OP_JUMP_IF_GT_K, OP_JUMP_IF_GT_KEPT,
  OP_JUMP_IF_LT_D, OP_JUMP_IF_LT_DD, OP_JUMP_TO, OP_JUMP_TO_IF, OP_JUMP_TO_UNLESS, OP_JUMP_UNLESS_GT_D,
  OP_JUMP_UNLESS_GT_DD, OP_JUMP_UNLESS_LT_D, OP_JUMP_UNLESS_LT_DD, OP_LINK, OP_MLOAD_AT, OP_MSTORE_AT, OP_NEXT,
  OP_POP, OP_PUSH_SMALL, OP_STOP, OP_SWAP, OP_SWAP_POP,
} from './generated'
import {
  CODE_ENDS, emit, emitData, emitPush, GAS_OF_DECODING, isConstant, operandOf, operationOf, ROOM, SIZE,
} from './decodeRaw'
import {
  CALLDATALOAD, CODESIZE, DUP1, ISZERO, JUMP, JUMPDEST, JUMPI, LOG0, MLOAD, MSTORE, NOT, PC, POP, PUSH0,
  PUSH32, STOP, SWAP1,
} from './opcodes'
import { addDestination, closeChunk, destinationAt, openChunk } from './readings'
import { put } from './words'

const STACK_LIMIT: i32 = 32 * 1024

/**
 * A jump to a position that is not decoded yet leads into its own instruction, to a LINK at this offset: u16 operation,
 * u16 position. The first time it is taken, the position is decoded, and becomes the target.
 */
export const LINK = 12
/** Jumps to higher positions are not linked. */
const LINK_LIMIT: u64 = 0x10000

@inline
function closeBlock(block: usize, gas: u32, needed: i32, growth: i32): void {
  const need = needed << 5
  const room = STACK_LIMIT - (growth << 5) - need
  // The stack height in bytes minus `need` must be from 0 to `room`. One unsigned comparison checks both bounds.
  store<u16>(block, room < 0 ? 0xffff : need, 2)
  store<u32>(block, gas, 4)
  store<u16>(block, room < 0 ? 0 : room, 12)
}

/**
 * Decodes `code` from position `from` to where execution never continues, or to decoded code. Returns the first
 * instruction. `isInside`: whether `from` is within a basic block, whose start counts for coverage.
 *
 * If `places` is not 0, only one block is decoded, and two u32 per instruction are written to `places`: the position of
 * the instruction, and the gas of earlier instructions of the block.
 */
export function decodeFast(code: usize, reading: usize, from: u32, isInside: bool, places: usize): usize {
  const isCounted = (load<u32>(code, CODE_RULES) & COUNTED_READING) != 0
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  const length = load<u32>(code, CODE_LENGTH)
  openChunk(reading, length)
  const first = <usize>load<u32>(reading, READING_PLACE)
  let pool = <usize>load<u32>(reading, READING_ROOM_END)
  let at = first
  /** The check instruction of the open basic block; 0 if no block is open. */
  let open: usize = 0
  let gas: u32 = 0
  let height: i32 = 0
  let needed: i32 = 0
  let growth: i32 = 0
  let pc = from
  while (true) {
    const opcode: u32 = pc < length ? load<u8>(bytes + pc) : STOP
    const starts = open == 0 || opcode == JUMPDEST
    const known: usize = opcode == JUMPDEST ? destinationAt(reading, pc) : 0
    const isFull = pool - at < ROOM
    if (starts || isFull || pc >= length) {
      if (open != 0) closeBlock(open, gas, needed, growth)
      if (places != 0 && at != first) break
      if (known != 0 || isFull || pc >= length) {
        // A jump to the position of the final STOP fails, because the position has no JUMPDEST.
        emit(at, known != 0 ? OP_JUMP_TO : isFull ? OP_NEXT : OP_STOP, starts ? 0 : 1, pc, known)
        at += SIZE
        break
      }
      if (opcode == JUMPDEST) addDestination(reading, pc, at)
      open = at
      gas = 0
      height = 0
      needed = 0
      growth = 0
      const counts = isCounted && !(isInside && at == first)
      emit(at, counts ? OP_COUNTED_BLOCK : OP_BLOCK, 0, 0, pc)
      at += SIZE
      if (counts) {
        emit(at, 0, 0, 0, 0)
        at += SIZE
      }
    }
    if (places != 0) {
      store<u32>(places + ((at - first) >> 1), pc)
      store<u32>(places + ((at - first) >> 1), gas, 4)
    }
    const operation = operationOf(opcode)
    if (operation != OP_INVALID) {
      const taken = <i32>load<u8>(STACK_IN + opcode)
      if (taken - height > needed) needed = taken - height
      height += <i32>load<u8>(STACK_OUT + opcode) - taken
      if (height > growth) growth = height
      gas += load<u32>(STATIC_GAS + (opcode << 2))
    }
    pc++
    if (opcode == JUMPDEST) continue
    const last: u32 = at - SIZE > open ? load<u16>(at - SIZE) : 0
    const before: u32 = at - 2 * SIZE > open ? load<u16>(at - 2 * SIZE) : 0

    if (opcode >= PUSH0 && opcode <= PUSH32 && operation != OP_INVALID) {
      pool = emitData(at, pool, bytes + pc, opcode - PUSH0)
      pc += opcode - PUSH0
      at += SIZE
      continue
    }
    if (opcode >= DUP1 && opcode < SWAP1) {
      emit(at, OP_DUP, 0, (opcode - DUP1) << 5, 0)
      at += SIZE
      continue
    }
    if (opcode >= SWAP1 && opcode < LOG0) {
      emit(at, OP_SWAP, 0, (opcode - SWAP1 + 1) << 5, 0)
      at += SIZE
      continue
    }
    if (operation == OP_CONTEXT) {
      emit(at, OP_CONTEXT, 0, load<u16>(CONTEXT_OF + (opcode << 1)), 0)
      at += SIZE
      continue
    }
    if (operation != OP_INVALID) {
      if (opcode == PC || opcode == CODESIZE) {
        pool -= 32
        put(pool, opcode == PC ? pc - 1 : length)
        emitPush(at, pool)
        at += SIZE
        continue
      }
      if (isConstant(last)) {
        const constant = <usize>load<u32>(at - SIZE, 4)
        if (load<u8>(FOLDS + opcode)) {
          const isUnary = opcode == ISZERO || opcode == NOT
          if (isUnary || isConstant(before)) {
            pool -= 32
            if (!isUnary) at -= SIZE
            fold(opcode, constant, load<u32>(at - SIZE, 4), pool)
            emitPush(at - SIZE, pool)
            continue
          }
        }
        const isSmall = last == OP_PUSH_SMALL && load<u64>(constant) < 0x80000000
        if (isSmall && (opcode == MLOAD || opcode == MSTORE || opcode == CALLDATALOAD)) {
          const direct = opcode == MLOAD ? OP_MLOAD_AT : opcode == MSTORE ? OP_MSTORE_AT : OP_CALLDATALOAD_AT
          emit(at - SIZE, direct, 0, <u32>constant, load<u64>(constant))
          continue
        }
        if (opcode == JUMP || opcode == JUMPI) {
          const target = load<u64>(constant)
          if (last == OP_PUSH_SMALL && target < min<u64>(length, LINK_LIMIT)) {
            at -= SIZE
            if (constant == pool) pool += 32
            if (opcode == JUMP) emit(at, OP_JUMP_TO, 0, 0, 0)
            else at = emitJump(at, open, before)
            const there = destinationAt(reading, <u32>target)
            store<u32>(at, there == 0 ? at + LINK : there, 8)
            store<u32>(at, OP_LINK | (<u32>target << 16), LINK)
            at += SIZE
            closeBlock(open, gas, needed, growth)
            open = 0
            if (opcode == JUMP) break
            continue
          }
        }
      }
      if (isConstant(last) || last == OP_CONTEXT) {
        const fused = <u32>load<u16>(AFTER_PUSH + (opcode << 1))
        if (fused != 0) {
          store<u16>(at - SIZE, fused)
          continue
        }
      } else if (last == OP_DUP) {
        const fused = <u32>load<u16>(AFTER_DUP + (opcode << 1))
        if (fused != 0) {
          store<u16>(at - SIZE, fused)
          continue
        }
      } else if (last == OP_SWAP) {
        if (opcode == POP) {
          store<u16>(at - SIZE, OP_SWAP_POP)
          continue
        }
        const fused = <u32>load<u16>(AFTER_SWAP + (opcode << 1))
        if (fused != 0 && load<u32>(at - SIZE, 4) == 32) {
          store<u16>(at - SIZE, fused)
          continue
        }
      } else if (last == OP_POP && opcode == POP) {
        store<u32>(at - SIZE, load<u32>(at - SIZE, 4) + 32, 4)
        continue
      }
    }
    emit(at, operation, opcode, operandOf(opcode, load<u8>(bytes + pc)), 0)
    at += SIZE
    const ending: u32 = operation == OP_INVALID ? CODE_ENDS : load<u8>(ENDS + opcode)
    if (ending == 0) continue
    closeBlock(open, gas, needed, growth)
    open = 0
    if (ending == CODE_ENDS) break
  }
  closeChunk(reading, at, pool)
  spend(<i64>(pc - from) * GAS_OF_DECODING)
  return first
}

/**
 * Writes a JUMPI to a constant position, fused with the comparison that is its condition, if possible. `at`: where the
 * next instruction is written. `last`: the operation of the previous instruction. Returns the address of the JUMPI. The
 * caller writes the target.
 */
function emitJump(at: usize, open: usize, last: u32): usize {
  let place = at
  let compared = last
  let isNegated = false
  if (last == OP_ISZERO) {
    place -= SIZE
    compared = place - SIZE > open ? load<u16>(place - SIZE) : 0
    isNegated = true
    if (compared == OP_ISZERO) {
      place -= SIZE
      isNegated = false
      compared = 0
    }
  }
  const fused: u32 = compared == 0 ? 0 : load<u16>((isNegated ? JUMPS_UNLESS : JUMPS_IF) + (compared << 1))
  if (fused == 0) {
    emit(place, isNegated ? OP_JUMP_TO_UNLESS : OP_JUMP_TO_IF, 0, 0, 0)
    return place
  }
  place -= SIZE
  const operand = load<u32>(place, 4)
  const previous: u32 = place - SIZE > open ? load<u16>(place - SIZE) : 0
  if (previous == OP_DUP) {
    const depth = load<u32>(place - SIZE, 4)
    if (depth == 0 && (fused == OP_JUMP_IF_EQ_K || fused == OP_JUMP_IF_GT_K)) {
      place -= SIZE
      emit(place, fused == OP_JUMP_IF_EQ_K ? OP_JUMP_IF_EQ_KEPT : OP_JUMP_IF_GT_KEPT, 0, operand, 0)
      return place
    }
    let both: u32 = 0
    if (fused == OP_JUMP_IF_LT_D) both = OP_JUMP_IF_LT_DD
    else if (fused == OP_JUMP_UNLESS_LT_D) both = OP_JUMP_UNLESS_LT_DD
    else if (fused == OP_JUMP_IF_GT_D) both = OP_JUMP_IF_GT_DD
    else if (fused == OP_JUMP_UNLESS_GT_D) both = OP_JUMP_UNLESS_GT_DD
    if (both != 0) {
      place -= SIZE
      // Without the copy of the second operand, the first is 32 bytes less deep; an `operand` of 0 is the copy itself.
      emit(place, both, depth, operand == 0 ? depth : operand - 32, 0)
      return place
    }
  }
  emit(place, fused, 0, operand, 0)
  return place
}
