// Runs frames without recursion, so that code can call 1,024 frames deep.
import {
  BLOCK_FAILED, EXIT_CALL, EXIT_CREATE, EXIT_DECODE, EXIT_HASH, EXIT_PAUSE, FIRST_ERROR, FRAME, FRAME_CODE, FRAME_DEPTH,
  FRAME_FLAGS, FRAME_GAS, FRAME_GAS_LIMIT, FRAME_IP, FRAME_KIND, FRAME_OUTPUT, FRAME_OUTPUT_LENGTH, FRAME_SP,
  FRAME_STACK, FRAMES, GAS_TO_PAUSE, INSUFFICIENT_BALANCE, INVALID_JUMP, IS_HASHING, IS_RAW, IS_REVERTING, OUT_OF_GAS,
  PAUSED, RETURN_DATA, RETURN_LENGTH, WATCHES, WATCHES_STEPS,
} from '../layout'
import { openCall, openMessage } from './calls'
import { close, revert } from './closing'
import { openCreate, openCreation } from './creations'
import { begin, GOES_ON, isPoor, OPENED, opened, pieces, spend } from './frame'
import { decodeNext, goOnRaw } from './decoding'
import { CREATE } from './opcodes'
import { run } from './generated'
import { hashOn, startLongHash } from './hashing'
import { uncountRest } from './hits'

/** Gas counted towards the next pause each time a frame starts or continues. */
const FRAME_GAS_OF_PAUSE: i64 = 500

/** Starts the outermost frame, whose fields the caller has written to `FRAMES`. Returns what `advance` returns. */
export function start(): i32 {
  const frame = <usize>load<u32>(FRAMES)
  store<u32>(frame, 0, FRAME_DEPTH)
  store<u32>(frame, load<u32>(pieces), FRAME_STACK)
  store<i64>(GAS_TO_PAUSE, gasBetween())
  const kind = load<u32>(frame, FRAME_KIND)
  const code = load<u32>(frame, FRAME_CODE)
  store<u32>(FRAME, frame)
  begin(frame)
  if (kind == CREATE) {
    if (isPoor(frame)) return settled(close(frame, INSUFFICIENT_BALANCE))
    return settled(openCreation(frame))
  }
  return settled(openMessage(frame, code))
}

/** The gas between two pauses, which takes up to a millisecond. Runs that report steps use `GAS_BETWEEN_STEPS`. */
const GAS_BETWEEN: i64 = 200_000
const GAS_BETWEEN_STEPS: i64 = 20_000

function gasBetween(): i64 {
  return load<u32>(WATCHES) & WATCHES_STEPS ? GAS_BETWEEN_STEPS : GAS_BETWEEN
}

/** Continues with `advance` after a frame was opened or closed, unless TypeScript has to act. */
function settled(status: i32): i32 {
  return status == GOES_ON ? advance() : status
}

/** Runs until the outermost frame has ended or TypeScript has to act. Returns the status. */
export function advance(): i32 {
  while (true) {
    if (load<i64>(GAS_TO_PAUSE) <= 0) {
      store<i64>(GAS_TO_PAUSE, gasBetween())
      return PAUSED
    }
    const frame = <usize>load<u32>(FRAME)
    if (load<u32>(frame, FRAME_FLAGS) & (IS_REVERTING | IS_HASHING)) {
      const piece = load<u32>(frame, FRAME_FLAGS) & IS_REVERTING ? revert(frame) : hash(frame)
      if (piece != GOES_ON) return piece
      continue
    }
    const before = load<i64>(frame, FRAME_GAS)
    let result = run(frame)
    const used = before - load<i64>(frame, FRAME_GAS)
    spend(used + FRAME_GAS_OF_PAUSE)
    let status: i32 = GOES_ON
    if (result == EXIT_CALL) result = openCall(frame)
    else if (result == EXIT_CREATE) result = openCreate(frame)
    else if (result == EXIT_DECODE) result = decodeNext(frame)
    if (result == EXIT_PAUSE || result == GOES_ON) continue
    if (result == EXIT_HASH) {
      startLongHash(frame, load<u32>(frame, FRAME_SP))
      store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_HASHING, FRAME_FLAGS)
      continue
    }
    if (result == OPENED) status = opened
    else if (result >= FIRST_ERROR && !(load<u32>(frame, FRAME_FLAGS) & IS_RAW) && isUncertain(result)) goOnRaw(frame)
    else {
      // A jump is the last instruction of its block.
      if (result >= FIRST_ERROR && result != INVALID_JUMP) uncountRest(frame)
      status = close(frame, result)
    }
    if (status != GOES_ON) return status
  }
}

/** Returns whether the raw reading may find a different error, because the fast reading charges a block in advance. */
function isUncertain(error: i32): bool {
  return error == OUT_OF_GAS || error == BLOCK_FAILED
}

function hash(frame: usize): i32 {
  const sp = <usize>load<u32>(frame, FRAME_SP)
  if (!hashOn(frame, sp)) return PAUSED
  store<u32>(frame, sp - 32, FRAME_SP)
  store<u32>(frame, load<u32>(frame, FRAME_IP) + 16, FRAME_IP)
  store<u32>(frame, load<u32>(frame, FRAME_FLAGS) & ~IS_HASHING, FRAME_FLAGS)
  return GOES_ON
}

/** Ends the frame of a precompile. Its output is at `returnPlace`. Returns a status like `advance`. */
export function closePrecompile(gasLeft: i64, result: i32): i32 {
  const frame = <usize>load<u32>(FRAME)
  store<i64>(frame, gasLeft, FRAME_GAS)
  store<u32>(frame, load<u32>(RETURN_DATA), FRAME_OUTPUT)
  store<u32>(frame, result < FIRST_ERROR ? load<u32>(RETURN_LENGTH) : 0, FRAME_OUTPUT_LENGTH)
  spend(load<i64>(frame, FRAME_GAS_LIMIT) - gasLeft)
  return settled(close(frame, result))
}
