// Frames: their stacks and their initial fields.
import {
  ACCOUNT_BALANCE, FRAME, FRAME_CALLER, FRAME_DEPTH, FRAME_FLAGS, FRAME_GAS, FRAME_GAS_LIMIT, FRAME_GAS_NEED,
  FRAME_INIT_CODE, FRAME_JOURNAL, FRAME_LAST, FRAME_LOGS, FRAME_MEMORY, FRAME_MEMORY_ROOM, FRAME_MEMORY_SIZE,
  FRAME_OUTPUT_LENGTH, FRAME_REFUND, FRAME_SIZE, FRAME_SP, FRAME_STACK, FRAME_VALUE, FRAMES, GAS_TO_PAUSE,
  GAS_USES, IS_STATIC, JOURNAL_LENGTH, KEEPS_64TH, LOGS_LENGTH, MAKES_CALLS, OBSERVES_GAS, REFUND,
  RETURN_LENGTH,
} from '../layout'
import { allocate } from './heap'
import { isLess } from './words'

/** The gas that a call with value gives to its callee, in addition to the gas of the caller. */
export const STIPEND: i64 = 2300

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
  store<i64>(frame, 0, FRAME_GAS_NEED)
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

/** Raises the gas with which `frame` must start, so that it takes the same course. */
export function noteGasNeed(frame: usize, need: i64): void {
  if (need > load<i64>(frame, FRAME_GAS_NEED)) store<i64>(frame, need, FRAME_GAS_NEED)
}

@inline
export function noteGasUse(flags: u32): void {
  store<u32>(GAS_USES, load<u32>(GAS_USES) | flags)
}

/** Notes a call or a creation. Before EIP-150 a call could ask for more gas than there was. */
export function noteCall(): void {
  noteGasUse(load<u32>(KEEPS_64TH) ? MAKES_CALLS : MAKES_CALLS | OBSERVES_GAS)
}

@inline
export function isStatic(frame: usize): bool {
  return (load<u32>(frame, FRAME_FLAGS) & IS_STATIC) != 0
}
