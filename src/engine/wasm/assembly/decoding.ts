// Decodes code when frames get to it: at the start of a frame, and at jumps to positions that were not run before.
import {
  CODE_FAST, CODE_LENGTH, CODE_RAW, CODE_RULES, COLLECTS_HITS, COUNTED_READING, FRAME_CODE, FRAME_FLAGS,
  FRAME_GAS, FRAME_IP, FRAME_SP, HITS, INVALID_JUMP, IS_RAW, READING_START, RULES_NUMBER, WATCHES,
  WATCHES_STEPS,
} from '../layout'
import { decodeFast, LINK } from './decodeFast'
import { decodeRaw, emit, SIZE } from './decodeRaw'
import { isDestination } from './destinations'
import { GOES_ON } from './frame'
import { OP_BLOCK, OP_COUNTED_BLOCK, OP_JUMP, OP_JUMP_TO, OP_LINK, OP_NEXT } from './generated'
import { allocate } from './heap'
import { countBlock } from './hits'
import {
  addChunk, destinationAt, drops, isBlock, LARGEST_CHUNK, limitReadings, newReading, releaseReading,
  releaseReadings, use,
} from './readings'
import { isHigh } from './words'

/** Returns the value of `CODE_RULES` for the code that is decoded in this run. */
function rulesOfRun(): u32 {
  return load<u32>(RULES_NUMBER) | (load<u32>(HITS) & COLLECTS_HITS ? COUNTED_READING : 0)
}

/** Sets the first instruction of `frame`, which runs `code`. */
export function enterCode(frame: usize, code: usize): void {
  if (load<u32>(code, CODE_RULES) != rulesOfRun()) releaseReadings(code)
  store<u32>(frame, code, FRAME_CODE)
  const isRaw = (load<u32>(WATCHES) & WATCHES_STEPS) != 0
  if (isRaw) store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_RAW, FRAME_FLAGS)
  const reading = <usize>load<u32>(code + (isRaw ? CODE_RAW : CODE_FAST))
  let start: usize = reading == 0 ? 0 : load<u32>(reading, READING_START)
  if (start != 0) use(code)
  else {
    start = instructionAt(code, isRaw, 0, false)
    store<u32>(load<u32>(code + (isRaw ? CODE_RAW : CODE_FAST)), start, READING_START)
  }
  store<u32>(frame, start, FRAME_IP)
}

/** Returns a pointer to the instruction at position `pc`. `isInside`: whether `pc` is within a basic block. */
function instructionAt(code: usize, isRaw: bool, pc: u32, isInside: bool): usize {
  limitReadings()
  const field = code + (isRaw ? CODE_RAW : CODE_FAST)
  let reading = <usize>load<u32>(field)
  if (reading == 0) {
    reading = newReading()
    store<u32>(field, reading)
    store<u32>(code, rulesOfRun(), CODE_RULES)
  }
  use(code)
  const known = destinationAt(reading, pc)
  if (known != 0) return known
  return isRaw ? decodeRaw(code, reading, pc) : decodeFast(code, reading, pc, isInside, 0)
}

/** Continues `frame` at the position to which its instruction leads. Returns `GOES_ON` or `INVALID_JUMP`. */
export function decodeNext(frame: usize): i32 {
  const ip = <usize>load<u32>(frame, FRAME_IP)
  const code = <usize>load<u32>(frame, FRAME_CODE)
  const operation = <u32>load<u16>(ip)
  let sp = <usize>load<u32>(frame, FRAME_SP)
  let pc: u32
  if (operation == OP_NEXT) pc = load<u32>(ip, 4)
  else {
    if (operation == OP_LINK) pc = load<u16>(ip, 2)
    else {
      if (isHigh(sp) || load<u64>(sp) >= <u64>load<u32>(code, CODE_LENGTH)) return INVALID_JUMP
      pc = load<u32>(sp)
      sp -= operation == OP_JUMP ? 32 : 64
    }
    if (!isDestination(code, pc)) return INVALID_JUMP
  }
  const before = drops
  const isRaw = (load<u32>(frame, FRAME_FLAGS) & IS_RAW) != 0
  const next = instructionAt(code, isRaw, pc, operation == OP_NEXT && load<u16>(ip, 2) != 0)
  store<u32>(frame, sp, FRAME_SP)
  store<u32>(frame, next, FRAME_IP)
  if (drops == before) {
    if (operation == OP_NEXT) emit(ip, OP_JUMP_TO, 0, pc, next)
    else if (operation == OP_LINK) store<u32>(ip - LINK, next, 8)
  }
  return GOES_ON
}

/** Continues in the raw reading. */
export function goOnRaw(frame: usize): void {
  const code = <usize>load<u32>(frame, FRAME_CODE)
  const ip = <usize>load<u32>(frame, FRAME_IP)
  let pc: u32
  if (isBlock(ip)) {
    pc = load<u32>(ip, 8)
    if (load<u16>(ip) == OP_COUNTED_BLOCK) countBlock(code, pc)
  } else {
    // The fast reading charged the whole block, so the gas of the instructions from `ip` on is added back.
    const place = placeOf(code, ip)
    pc = load<u32>(place)
    const gas = <i64>load<u32>(blockOf(ip), 4) - <i64>load<u32>(place, 4)
    store<i64>(frame, load<i64>(frame, FRAME_GAS) + gas, FRAME_GAS)
  }
  store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_RAW, FRAME_FLAGS)
  store<u32>(frame, instructionAt(code, true, pc, false), FRAME_IP)
}

function blockOf(ip: usize): usize {
  let block = ip
  while (!isBlock(block)) block -= SIZE
  return block
}

let places: usize = 0

/**
 * Returns a pointer to two u32 of an instruction of the fast reading: its position in the code, and the gas of earlier
 * instructions of its block. Few runs ask for them, so they are not kept, but the block is decoded again.
 */
export function placeOf(code: usize, ip: usize): usize {
  if (places == 0) places = allocate(LARGEST_CHUNK / SIZE * 8)
  const block = blockOf(ip)
  const reading = newReading()
  addChunk(reading, LARGEST_CHUNK)
  decodeFast(code, reading, load<u32>(block, 8), load<u16>(block) == OP_BLOCK, places)
  releaseReading(reading)
  return places + ((ip - block) >> 1)
}
