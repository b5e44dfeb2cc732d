import {
  ACCOUNT_ADDRESS, BLOCK_FAILED, CODE_LIMIT, CODE_TOO_LARGE, DEPOSIT_OUT_OF_GAS, ENDED, EXIT_RETURN,
  EXIT_REVERT, EXIT_WITHOUT_CODE, FAILS_WITHOUT_DEPOSIT, FIRST_ERROR, FRAME, FRAME_ACCOUNT, FRAME_DEPTH,
  FRAME_EXIT, FRAME_FLAGS, FRAME_GAS, FRAME_GAS_LIMIT, FRAME_GAS_NEED, FRAME_INIT_CODE, FRAME_IP, FRAME_JOURNAL,
  FRAME_KIND, FRAME_LOGS, FRAME_MEMORY, FRAME_MEMORY_ROOM, FRAME_OUT, FRAME_OUT_LENGTH, FRAME_OUTPUT,
  FRAME_OUTPUT_LENGTH, FRAME_REFUND, FRAME_SIZE, FRAME_SP, FRAME_STACK, FRAME_VALUE, FRAMES,
  INSUFFICIENT_BALANCE, INVALID_CODE, IS_REVERTING, LOGS_LENGTH, OBSERVES_GAS, OUT_OF_GAS, PAUSED, REFUND,
  REJECTS_EF, RETURN_DATA, RETURN_LENGTH, STACK_IN, STACK_OUT, STACK_OVERFLOW, STACK_UNDERFLOW, TOO_DEEP,
  WATCHES,
} from '../layout'
import { releaseCode, setCode } from './code'
import { GOES_ON, noteGasNeed, noteGasUse, openedWith, STIPEND } from './frame'
import { CALL, CALLCODE, CREATE, CREATE2 } from './opcodes'
import { allocate, release, roomFor } from './heap'
import { enter, exit } from './host'
import { undo } from './journal'
import { copy, isZero, put } from './words'

const DEPOSIT_GAS: i64 = 200

/** Returns the error of an instruction that failed its check in the raw reading (`decodeRaw.ts`). */
function checkError(frame: usize): i32 {
  const opcode = <u32>load<u16>(load<u32>(frame, FRAME_IP), 2)
  const height = (load<u32>(frame, FRAME_SP) - load<u32>(frame, FRAME_STACK)) >> 5
  const taken = <u32>load<u8>(STACK_IN + opcode)
  if (height < taken) return STACK_UNDERFLOW
  if (height - taken + <u32>load<u8>(STACK_OUT + opcode) > 1024) return STACK_OVERFLOW
  return OUT_OF_GAS
}

@inline
function isRefusal(error: i32): bool {
  return error == TOO_DEEP || error == INSUFFICIENT_BALANCE
}

/** Closes a frame that cannot open because of the call depth or the caller's balance. The caller gets its gas back. */
export function refuse(callee: usize, error: i32): i32 {
  if (load<u32>(WATCHES)) enter(callee)
  return openedWith(close(callee, error))
}

/** Stores a creation's code. Returns the frame's exit: `EXIT_RETURN`, `EXIT_WITHOUT_CODE` or an error. */
function deposit(frame: usize): i32 {
  const length = load<u32>(frame, FRAME_OUTPUT_LENGTH)
  const place = <usize>load<u32>(frame, FRAME_OUTPUT)
  if (length > load<u32>(CODE_LIMIT)) return CODE_TOO_LARGE
  if (length > 0 && load<u8>(place) == 0xef && load<u32>(REJECTS_EF)) return INVALID_CODE
  const gas = load<i64>(frame, FRAME_GAS) - <i64>length * DEPOSIT_GAS
  if (gas < 0) {
    store<u32>(frame, 0, FRAME_OUTPUT_LENGTH)
    return load<u32>(FAILS_WITHOUT_DEPOSIT) ? DEPOSIT_OUT_OF_GAS : EXIT_WITHOUT_CODE
  }
  store<i64>(frame, gas, FRAME_GAS)
  if (length > 0) setCode(load<u32>(frame, FRAME_ACCOUNT), place, length)
  return EXIT_RETURN
}

/** Ends a frame. Returns `GOES_ON`; `ENDED` for the outermost frame; `PAUSED` if undoing its changes takes long. */
export function close(frame: usize, result: i32): i32 {
  const kind = load<u32>(frame, FRAME_KIND)
  const isCreation = kind == CREATE || kind == CREATE2
  let end = result
  if (end == BLOCK_FAILED) end = checkError(frame)
  if (end < FIRST_ERROR && end != EXIT_REVERT && isCreation) end = deposit(frame)
  if (end >= FIRST_ERROR) {
    store<u32>(frame, 0, FRAME_OUTPUT_LENGTH)
    if (!isRefusal(end)) store<i64>(frame, 0, FRAME_GAS)
  }
  store<u32>(frame, end, FRAME_EXIT)
  return end >= FIRST_ERROR || end == EXIT_REVERT ? revert(frame) : closed(frame)
}

/** The maximum number of journal bytes to undo between two pauses, which takes about a millisecond. */
const MOST_UNDONE: u32 = 1 << 20

/** Undoes the changes of a failed frame and ends it. Returns a status like `close`: `PAUSED` until all is undone. */
export function revert(frame: usize): i32 {
  if (!undo(load<u32>(frame, FRAME_JOURNAL), MOST_UNDONE)) {
    store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_REVERTING, FRAME_FLAGS)
    return PAUSED
  }
  store<u32>(LOGS_LENGTH, load<u32>(frame, FRAME_LOGS))
  store<i64>(REFUND, load<i64>(frame, FRAME_REFUND))
  return closed(frame)
}

function closed(frame: usize): i32 {
  const end = <i32>load<u32>(frame, FRAME_EXIT)
  const kind = load<u32>(frame, FRAME_KIND)
  const isCreation = kind == CREATE || kind == CREATE2
  if (load<u32>(WATCHES)) exit(frame)
  const output = load<u32>(frame, FRAME_OUTPUT)
  const length = load<u32>(frame, FRAME_OUTPUT_LENGTH)
  const isOutermost = load<u32>(frame, FRAME_DEPTH) == 0
  const succeeded = end < FIRST_ERROR && end != EXIT_REVERT
  if (isOutermost) {
    returned(output, length)
    releaseBlocks(frame)
    store<u32>(FRAME, 0)
    return ENDED
  }
  if (isCreation && succeeded) store<u32>(RETURN_LENGTH, 0)
  else returned(output, length)
  releaseBlocks(frame)
  const caller = frame - FRAME_SIZE
  noteCalleeNeed(caller, frame, end)
  store<u32>(FRAME, caller)
  store<i64>(caller, load<i64>(caller, FRAME_GAS) + load<i64>(frame, FRAME_GAS), FRAME_GAS)
  const sp = <usize>load<u32>(caller, FRAME_SP) + 32
  store<u32>(caller, sp, FRAME_SP)
  if (!succeeded) put(sp, 0)
  else if (isCreation) copy(sp, load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_ADDRESS)
  else put(sp, 1)
  const written = min(length, load<u32>(frame, FRAME_OUT_LENGTH))
  if (written != 0) {
    memory.copy(load<u32>(caller, FRAME_MEMORY) + load<u32>(frame, FRAME_OUT), load<u32>(RETURN_DATA), written)
  }
  return GOES_ON
}

/** Raises the gas need of `caller`, which passes at most 63/64 of its gas to `callee` (EIP-150). */
function noteCalleeNeed(caller: usize, callee: usize, end: i32): void {
  if (end >= FIRST_ERROR && !isRefusal(end)) {
    // The callee has used all its gas.
    noteGasUse(OBSERVES_GAS)
    return
  }
  const kind = load<u32>(callee, FRAME_KIND)
  const hasStipend = (kind == CALL || kind == CALLCODE) && !isZero(callee + FRAME_VALUE)
  const stipend: i64 = hasStipend ? STIPEND : 0
  const limit = load<i64>(callee, FRAME_GAS_LIMIT)
  const need = max(load<i64>(callee, FRAME_GAS_NEED), limit - load<i64>(callee, FRAME_GAS)) - stipend
  const left = load<i64>(caller, FRAME_GAS) + limit - stipend
  const leastLeft = need > 0 ? ((need - 1) << 6) / 63 + 1 : 0
  noteGasNeed(caller, load<i64>(caller, FRAME_GAS_LIMIT) - left + leastLeft)
}

function releaseBlocks(frame: usize): void {
  const block = load<u32>(frame, FRAME_MEMORY)
  if (block != 0) release(block, load<u32>(frame, FRAME_MEMORY_ROOM))
  const initCode = load<u32>(frame, FRAME_INIT_CODE)
  if (initCode != 0) releaseCode(initCode)
}

export function dropFrames(): void {
  const first = load<u32>(FRAMES)
  for (let frame = load<u32>(FRAME); frame >= first; frame -= FRAME_SIZE) releaseBlocks(frame)
  store<u32>(FRAME, 0)
}

let returnRoom: u32 = 0

export function returnPlace(length: u32): usize {
  if (length > returnRoom) {
    if (returnRoom != 0) release(load<u32>(RETURN_DATA), returnRoom)
    store<u32>(RETURN_DATA, allocate(length))
    returnRoom = roomFor(length)
  }
  store<u32>(RETURN_LENGTH, length)
  return load<u32>(RETURN_DATA)
}

function returned(output: usize, length: u32): void {
  const place = returnPlace(length)
  if (length != 0 && place != output) memory.copy(place, output, length)
}
