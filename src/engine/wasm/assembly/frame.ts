// Frames: their stacks, their initial fields, and the start of their code.
import {
  ACCOUNT_BALANCE, CODE_FAST, CODE_LENGTH, CODE_PLACES, CODE_RAW_PLACES, FRAME, FRAME_CALLER, FRAME_CODE,
  FRAME_DEPTH, FRAME_FLAGS, FRAME_GAS, FRAME_GAS_LIMIT, FRAME_INIT_CODE, FRAME_IP, FRAME_JOURNAL, FRAME_LAST,
  FRAME_LOGS, FRAME_MEMORY, FRAME_MEMORY_ROOM, FRAME_MEMORY_SIZE, FRAME_OUTPUT_LENGTH, FRAME_REFUND,
  FRAME_SIZE, FRAME_SP, FRAME_STACK, FRAME_VALUE, FRAMES, GAS_TO_PAUSE, IS_RAW, IS_STATIC, JOURNAL_LENGTH,
  LOGS_LENGTH, REFUND, RETURN_LENGTH, WATCHES, WATCHES_STEPS,
} from '../layout'
import { decodeFast } from './decodeFast'
import { decodeRaw } from './decodeRaw'
import { OP_BLOCK, OP_COUNTED_BLOCK } from './generated'
import { allocate } from './heap'
import { countBlock } from './hits'
import { isLess } from './words'


/** Bytes of a full stack: 1,024 words, and one unused word below the first item. */
const STACK_BYTES: u32 = 32 * 1025
/** Bytes of a piece of memory for stacks. A stack without room after its caller's stack starts in the next piece. */
const PIECE: u32 = 256 * 1024

export let pieces: usize = 0 // the address of each piece
let pieceCount: u32 = 0

export function startFrames(): void {
  const block = allocate(1027 * FRAME_SIZE)
  memory.fill(block, 0, 1027 * FRAME_SIZE)
  store<u32>(FRAMES, block)
  pieces = allocate(1024 * 4)
  pieceCount = 1
  store<u32>(pieces, allocate(PIECE))
}

function stackOver(caller: usize): usize {
  const top = <usize>load<u32>(caller, FRAME_SP) + 32
  // There are few pieces: one per 256 KB in use.
  for (let i: u32 = 0; i < pieceCount; i++) {
    const piece = <usize>load<u32>(pieces + (i << 2))
    if (top < piece || top >= piece + PIECE) continue
    if (top + STACK_BYTES <= piece + PIECE) return top
    if (i + 1 == pieceCount) store<u32>(pieces + (pieceCount++ << 2), allocate(PIECE))
    return load<u32>(pieces + ((i + 1) << 2))
  }
  return load<u32>(pieces)
}

/** Decoding one byte of code takes about as long as instructions that use this much gas. */
const GAS_OF_DECODING: i64 = 16

/** Counts gas towards the next pause. For other work, `gas` is the gas of instructions that take as long. */
export function spend(gas: i64): void {
  store<i64>(GAS_TO_PAUSE, load<i64>(GAS_TO_PAUSE) - gas)
}

/** The status of a run that continues without a return to TypeScript. */
export const GOES_ON: i32 = -1

/** Returned by `openCall` and `openCreate` after a frame was opened or closed. `opened` then has the status. */
export const OPENED: i32 = -2
export let opened: i32 = 0

export function openedWith(status: i32): i32 {
  opened = status
  return OPENED
}

@inline
function isBlock(ip: usize): bool {
  const operation = <u32>load<u16>(ip)
  return operation == OP_BLOCK || operation == OP_COUNTED_BLOCK
}

export function goOnRaw(frame: usize): void {
  const code = <usize>load<u32>(frame, FRAME_CODE)
  decodeRaw(code)
  const ip = <usize>load<u32>(frame, FRAME_IP)
  const place = <usize>load<u32>(code, CODE_PLACES) + ((ip - load<u32>(code, CODE_FAST)) >> 1)
  if (isBlock(ip)) countBlock(code, load<u32>(place))
  else {
    // The fast reading charged the whole block, so the gas of the instructions from `ip` on is added back.
    let block = ip
    while (!isBlock(block)) block -= 16
    store<i64>(frame, load<i64>(frame, FRAME_GAS) + <i64>load<u32>(block, 4) - <i64>load<u32>(place, 4), FRAME_GAS)
  }
  const pc = load<u32>(place)
  store<u32>(frame, load<u32>(load<u32>(code, CODE_RAW_PLACES) + (pc << 2)), FRAME_IP)
  store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_RAW, FRAME_FLAGS)
}

export function begin(frame: usize): void {
  store<u32>(frame, load<u32>(frame, FRAME_STACK), FRAME_SP)
  store<u32>(frame, 0, FRAME_MEMORY)
  store<u32>(frame, 0, FRAME_MEMORY_SIZE)
  store<u32>(frame, 0, FRAME_MEMORY_ROOM)
  store<i64>(frame, load<i64>(frame, FRAME_GAS), FRAME_GAS_LIMIT)
  store<u32>(frame, load<u32>(JOURNAL_LENGTH), FRAME_JOURNAL)
  store<u32>(frame, load<u32>(LOGS_LENGTH), FRAME_LOGS)
  store<i64>(frame, load<i64>(REFUND), FRAME_REFUND)
  store<u32>(frame, 0, FRAME_OUTPUT_LENGTH)
  store<u32>(frame, 0, FRAME_LAST)
  store<u32>(frame, 0, FRAME_INIT_CODE)
  store<u32>(RETURN_LENGTH, 0)
}

export function isPoor(frame: usize): bool {
  return isLess(load<u32>(frame, FRAME_CALLER) + ACCOUNT_BALANCE, frame + FRAME_VALUE)
}

export function push(frame: usize, callee: usize): void {
  store<u32>(callee, load<u32>(frame, FRAME_DEPTH) + 1, FRAME_DEPTH)
  store<u32>(callee, stackOver(frame), FRAME_STACK)
  store<u32>(FRAME, callee)
  begin(callee)
}

export function enterCode(frame: usize, code: usize): void {
  if (load<u32>(code, CODE_FAST) == 0) spend(<i64>load<u32>(code, CODE_LENGTH) * GAS_OF_DECODING)
  decodeFast(code)
  store<u32>(frame, code, FRAME_CODE)
  if (load<u32>(WATCHES) & WATCHES_STEPS) {
    store<u32>(frame, load<u32>(code, CODE_FAST), FRAME_IP)
    goOnRaw(frame)
  } else store<u32>(frame, load<u32>(code, CODE_FAST), FRAME_IP)
}

@inline
export function isStatic(frame: usize): bool {
  return (load<u32>(frame, FRAME_FLAGS) & IS_STATIC) != 0
}
