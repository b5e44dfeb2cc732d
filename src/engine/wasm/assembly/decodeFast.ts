// The fast reading of code: checks gas and stack once per basic block, and fuses constants and common sequences.
import {
  CODE_BYTES, CODE_FAST, CODE_FAST_BLOCK, CODE_FAST_JUMPS, CODE_LENGTH, CODE_PLACES, CODE_RULES,
  COLLECTS_HITS, COUNTED_READING, HITS, RULES_NUMBER, STACK_IN, STACK_OUT, STATIC_GAS,
} from '../layout'
import { newReading, releaseReadings } from './code'
import {
  AFTER_DUP, AFTER_PUSH, AFTER_SWAP, CONTEXT_OF, ENDS, fold, FOLDS, JUMPS_IF, JUMPS_UNLESS, OP_BLOCK,
  OP_CALLDATALOAD_AT, OP_CONTEXT, OP_COUNTED_BLOCK, OP_DUP, OP_FIRST_JUMP, OP_INVALID, OP_ISZERO,
  OP_JUMP_IF_EQ_K, OP_JUMP_IF_EQ_KEPT, OP_JUMP_IF_GT_D, OP_JUMP_IF_GT_DD, OP_JUMP_IF_GT_K, OP_JUMP_IF_GT_KEPT,
  OP_JUMP_IF_LT_D, OP_JUMP_IF_LT_DD, OP_JUMP_TO, OP_JUMP_TO_IF, OP_JUMP_TO_UNLESS, OP_JUMP_UNLESS_GT_D,
  OP_JUMP_UNLESS_GT_DD, OP_JUMP_UNLESS_LT_D, OP_JUMP_UNLESS_LT_DD, OP_LAST_JUMP, OP_MLOAD_AT, OP_MSTORE_AT,
  OP_POP, OP_PUSH_SMALL, OP_STOP, OP_SWAP, OP_SWAP_POP,
} from './generated'
import { emit, emitPush, HEAD, isConstant, operationOf, SIZE } from './decodeRaw'
import {
  CALLDATALOAD, CODESIZE, DUP1, ISZERO, JUMP, JUMPDEST, JUMPI, LOG0, MLOAD, MSTORE, NOT, PC, POP, PUSH0,
  PUSH32, SWAP1,
} from './opcodes'
import { put, putBytes } from './words'

/** Values of `ENDS`. `BLOCK_ENDS`: the opcode ends a basic block. `CODE_ENDS`: execution never continues after it. */
const BLOCK_ENDS: u32 = 1
const CODE_ENDS: u32 = 2

const STACK_LIMIT: i32 = 32 * 1024

@inline
function closeBlock(block: usize, gas: u32, needed: i32, growth: i32): void {
  const need = needed << 5
  const room = STACK_LIMIT - (growth << 5) - need
  store<u32>(block, gas, 4)
  // The stack height in bytes minus `need` must be from 0 to `room`. One unsigned comparison checks both bounds.
  store<u32>(block, room < 0 ? 0x7fffffff : need, 8)
  store<u32>(block, room < 0 ? 0 : room, 12)
}

/** Decodes the fast reading of `code`, unless already decoded. */
export function decodeFast(code: usize): void {
  const isCounted = (load<u32>(HITS) & COLLECTS_HITS) != 0
  const reading = load<u32>(RULES_NUMBER) | (isCounted ? COUNTED_READING : 0)
  if (load<u32>(code, CODE_RULES) != reading) releaseReadings(code)
  if (load<u32>(code, CODE_FAST) != 0) return
  store<u32>(code, reading, CODE_RULES)
  const bytes = <usize>load<u32>(code, CODE_BYTES)
  const length = load<u32>(code, CODE_LENGTH)

  // Upper bounds for the numbers of instructions and constants.
  let instructions: u32 = 2
  let constants: u32 = 1
  for (let pc: u32 = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(bytes + pc)
    instructions++
    if (opcode >= PUSH0 && opcode <= PUSH32) {
      constants++
      pc += opcode - PUSH0
    } else {
      if (load<u8>(ENDS + opcode)) instructions++
      if (opcode == PC || opcode == CODESIZE) constants++
    }
  }
  const jumpBytes = (length + 16) << 2
  const size = HEAD + instructions * SIZE + (constants << 5) + (instructions << 3) + jumpBytes
  const block = newReading(size)
  const first = block + HEAD
  let pool = first + instructions * SIZE
  const places = pool + (constants << 5)
  const jumps = places + (instructions << 3)
  memory.fill(jumps, 0, jumpBytes)
  for (let pc: u32 = 0; pc < length; pc++) {
    const opcode = <u32>load<u8>(bytes + pc)
    if (opcode == JUMPDEST) store<u32>(jumps + (pc << 2), 1)
    else if (opcode > PUSH0 && opcode <= PUSH32) pc += opcode - PUSH0
  }

  let at = first
  /** The check instruction of the open basic block; 0 if no block is open. */
  let open: usize = 0
  let gas: u32 = 0
  let height: i32 = 0
  let needed: i32 = 0
  let growth: i32 = 0
  let pc: u32 = 0
  while (pc < length) {
    const opcode = <u32>load<u8>(bytes + pc)
    if (open == 0 || opcode == JUMPDEST) {
      if (open != 0) closeBlock(open, gas, needed, growth)
      open = at
      gas = 0
      height = 0
      needed = 0
      growth = 0
      emit(at, isCounted ? OP_COUNTED_BLOCK : OP_BLOCK, 0, 0, 0)
      const place = places + ((at - first) >> 1)
      store<u32>(place, pc)
      store<u32>(place, 0, 4)
      if (opcode == JUMPDEST) store<u32>(jumps + (pc << 2), at)
      at += SIZE
    }
    // Stores the code position of the instruction, and the gas of the block's instructions before it.
    const place = places + ((at - first) >> 1)
    store<u32>(place, pc)
    store<u32>(place, gas, 4)
    const operation = operationOf(opcode)
    if (operation != OP_INVALID) {
      const taken = <i32>load<u8>(STACK_IN + opcode)
      if (taken - height > needed) needed = taken - height
      height += <i32>load<u8>(STACK_OUT + opcode) - taken
      if (height > growth) growth = height
      gas += load<u32>(STATIC_GAS + (opcode << 2))
    }
    pc++
    const last: u32 = at - SIZE > open ? load<u16>(at - SIZE) : 0
    const before: u32 = at - 2 * SIZE > open ? load<u16>(at - 2 * SIZE) : 0

    if (opcode == JUMPDEST) continue
    if (opcode >= PUSH0 && opcode <= PUSH32 && operation != OP_INVALID) {
      putBytes(pool, bytes + pc, opcode - PUSH0)
      pc += opcode - PUSH0
      emitPush(at, pool)
      pool += 32
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
        put(pool, opcode == PC ? pc - 1 : length)
        emitPush(at, pool)
        pool += 32
        at += SIZE
        continue
      }
      if (isConstant(last)) {
        const constant = <usize>load<u32>(at - SIZE, 4)
        if (load<u8>(FOLDS + opcode)) {
          if (opcode == ISZERO || opcode == NOT) {
            fold(opcode, constant, constant, constant)
            emitPush(at - SIZE, constant)
            continue
          }
          if (isConstant(before)) {
            const other = <usize>load<u32>(at - 2 * SIZE, 4)
            fold(opcode, constant, other, other)
            at -= SIZE
            emitPush(at - SIZE, other)
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
          if (last == OP_PUSH_SMALL && target < <u64>length && load<u32>(jumps + (<usize>target << 2)) != 0) {
            at -= SIZE
            if (opcode == JUMP) emit(at, OP_JUMP_TO, 0, 0, target)
            else at = emitJump(at, open, target, before)
            at += SIZE
            closeBlock(open, gas, needed, growth)
            open = 0
            if (opcode == JUMP) pc = nextDestination(bytes, pc, length)
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
    emit(at, operation, opcode, opcode == POP ? 32 : 0, 0)
    at += SIZE
    const ending: u32 = operation == OP_INVALID ? CODE_ENDS : load<u8>(ENDS + opcode)
    if (ending == 0) continue
    closeBlock(open, gas, needed, growth)
    open = 0
    if (ending == CODE_ENDS) pc = nextDestination(bytes, pc, length)
  }
  // Adds a final STOP. A jump to its position fails, because the position has no JUMPDEST.
  const place = places + ((at - first) >> 1)
  store<u32>(place, length)
  store<u32>(place, gas, 4)
  if (open != 0) closeBlock(open, gas, needed, growth)
  emit(at, OP_STOP, 0, 0, 0)

  for (let jump = first; jump < at; jump += SIZE) {
    const operation = <u32>load<u16>(jump)
    if (operation >= OP_FIRST_JUMP && operation <= OP_LAST_JUMP) {
      store<u32>(jump, load<u32>(jumps + (load<u32>(jump, 8) << 2)), 8)
    }
  }
  store<u32>(code, block, CODE_FAST_BLOCK)
  store<u32>(code, jumps, CODE_FAST_JUMPS)
  store<u32>(code, places, CODE_PLACES)
  store<u32>(code, first, CODE_FAST)
}

/** Returns the position of the next JUMPDEST, or `length`. The code from `from` to that position is unreachable. */
function nextDestination(bytes: usize, from: u32, length: u32): u32 {
  let pc = from
  while (pc < length) {
    const opcode = <u32>load<u8>(bytes + pc)
    if (opcode == JUMPDEST) break
    pc += opcode > PUSH0 && opcode <= PUSH32 ? opcode - PUSH0 + 1 : 1
  }
  return pc
}

/**
 * Writes a JUMPI to a known position, fused with the comparison that is its condition, if possible. `at`: where the
 * next instruction is written. `last`: the operation of the previous instruction. Returns the address of the JUMPI.
 */
function emitJump(at: usize, open: usize, target: u64, last: u32): usize {
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
    emit(place, isNegated ? OP_JUMP_TO_UNLESS : OP_JUMP_TO_IF, 0, 0, target)
    return place
  }
  place -= SIZE
  const operand = load<u32>(place, 4)
  const previous: u32 = place - SIZE > open ? load<u16>(place - SIZE) : 0
  if (previous == OP_DUP) {
    const depth = load<u32>(place - SIZE, 4)
    if (depth == 0 && (fused == OP_JUMP_IF_EQ_K || fused == OP_JUMP_IF_GT_K)) {
      place -= SIZE
      emit(place, fused == OP_JUMP_IF_EQ_K ? OP_JUMP_IF_EQ_KEPT : OP_JUMP_IF_GT_KEPT, 0, operand, target)
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
      emit(place, both, depth, operand == 0 ? depth : operand - 32, target)
      return place
    }
  }
  emit(place, fused, 0, operand, target)
  return place
}
