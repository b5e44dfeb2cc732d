// Frames: calls and creations are opened and closed here, without recursion, so that code can call 1,024 frames deep.
import {
  ACCOUNT_ADDRESS,
  ACCOUNT_BALANCE,
  ACCOUNT_FLAGS,
  ACCOUNT_NONCE,
  AT_PRECOMPILE,
  BLOCK_FAILED,
  CODE_BYTES,
  CODE_FAST,
  CODE_FAST_BLOCK,
  CODE_LENGTH,
  CODE_LIMIT,
  CODE_PLACES,
  CODE_RAW_PLACES,
  CODE_TOO_LARGE,
  CREATE_COLLISION,
  CREATED,
  DEPENDS_ON_GAS,
  DEPOSIT_OUT_OF_GAS,
  EMPTY_CODE,
  ENDED,
  EXISTS,
  EXIT_CALL,
  EXIT_CREATE,
  EXIT_HASH,
  EXIT_PAUSE,
  EXIT_RETURN,
  EXIT_REVERT,
  EXIT_STOP,
  EXIT_WITHOUT_CODE,
  FAILS_WITHOUT_DEPOSIT,
  FIRST_ERROR,
  FRAME,
  FRAME_ACCOUNT,
  FRAME_CALLER,
  FRAME_CODE,
  FRAME_CODE_ACCOUNT,
  FRAME_DATA,
  FRAME_DATA_LENGTH,
  FRAME_DEPTH,
  FRAME_EXIT,
  FRAME_FLAGS,
  FRAME_GAS,
  FRAME_GAS_LIMIT,
  FRAME_INIT_CODE,
  FRAME_IP,
  FRAME_JOURNAL,
  FRAME_KIND,
  FRAME_LAST,
  FRAME_LOGS,
  FRAME_MEMORY,
  FRAME_MEMORY_ROOM,
  FRAME_MEMORY_SIZE,
  FRAME_OUT,
  FRAME_OUT_LENGTH,
  FRAME_OUTPUT,
  FRAME_OUTPUT_LENGTH,
  FRAME_REFUND,
  FRAME_SIZE,
  FRAME_SP,
  FRAME_STACK,
  FRAME_VALUE,
  FRAMES,
  GAS_TO_PAUSE,
  HAS_DELEGATIONS,
  HAS_STORAGE,
  INIT_CODE_LIMIT,
  INIT_CODE_TOO_LARGE,
  INSUFFICIENT_BALANCE,
  INVALID_CODE,
  IS_CONSOLE,
  IS_HASHING,
  IS_PRECOMPILE,
  IS_RAW,
  IS_REVERTING,
  IS_STATIC,
  JOURNAL_LENGTH,
  KEEPS_64TH,
  LOGS_LENGTH,
  METERS_INIT_CODE,
  OUT_OF_GAS,
  PAUSED,
  REFUND,
  REJECTS_EF,
  REMOVES_EMPTY,
  RETURN_DATA,
  RETURN_LENGTH,
  SCRATCH,
  STACK_IN,
  STACK_OUT,
  STACK_OVERFLOW,
  STACK_UNDERFLOW,
  STATIC_STATE_CHANGE,
  TOO_DEEP,
  TOUCHED,
  WATCHES,
  WATCHES_STEPS,
} from '../layout'
import { accountAt, isAbsent, setNonce, touch, transfer } from './accounts'
import { codeOf, delegateOf, hasCode, newCode, releaseCode, setCode } from './code'
import { decodeFast, decodeRaw } from './decode'
import { coldGas, hashOn, NEW_ACCOUNT, startLongHash, warm } from './dynamic'
import { OP_BLOCK, run } from './generated'
import { allocate, release, roomFor } from './heap'
import { callConsole, enter, exit } from './host'
import { mark, undo } from './journal'
import { keccak256, keccak256Word } from './keccak256'
import { endOf, extend, memoryGas } from './memory'
import { copy, isHigh, isLess, put, reverse, writeAddress } from './words'

const CREATE: u32 = 0xf0
const CALL: u32 = 0xf1
const CALLCODE: u32 = 0xf2
const DELEGATECALL: u32 = 0xf4
const CREATE2: u32 = 0xf5
const STATICCALL: u32 = 0xfa

const DEEPEST: u32 = 1024
const STIPEND: i64 = 2300
const VALUE_GAS: i64 = 9000
const DEPOSIT_GAS: i64 = 200
/** The gas of opening a frame, as far as pauses are concerned. */
const FRAME_GAS_OF_PAUSE: i64 = 500

/** A full stack, and one word below it. */
const STACK_BYTES: u32 = 32 * 1025
/** Stacks are cut from pieces; a callee's begins where the caller's ends, if it fits. */
const PIECE: u32 = 256 * 1024

let pieces: usize = 0 // the address of each piece
let pieceCount: u32 = 0

/** The value of calls without one. */
const NO_VALUE: usize = memory.data(32, 16)

/** Makes the frames. */
export function startFrames(): void {
  const block = allocate(1027 * FRAME_SIZE)
  memory.fill(block, 0, 1027 * FRAME_SIZE)
  store<u32>(FRAMES, block)
  pieces = allocate(1024 * 4)
  pieceCount = 1
  store<u32>(pieces, allocate(PIECE))
}

/** Returns the bottom of the stack of a frame over that of `caller`. */
function stackOver(caller: usize): usize {
  const top = <usize>load<u32>(caller, FRAME_SP) + 32
  // The pieces are few: one for every 256 KB that are in use.
  for (let i: u32 = 0; i < pieceCount; i++) {
    const piece = <usize>load<u32>(pieces + (i << 2))
    if (top < piece || top >= piece + PIECE) continue
    if (top + STACK_BYTES <= piece + PIECE) return top
    if (i + 1 == pieceCount) store<u32>(pieces + (pieceCount++ << 2), allocate(PIECE))
    return load<u32>(pieces + ((i + 1) << 2))
  }
  return load<u32>(pieces)
}

/** Begins the outermost frame: the words, flags and data of the frame `FRAMES` are written. Returns how `advance` did. */
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

/** Gas after which `advance` returns: some tens of microseconds, and a millisecond of what is slowest for its gas; where each step is reported, some of them. */
const GAS_BETWEEN: i64 = 200_000
const GAS_BETWEEN_STEPS: i64 = 20_000

function gasBetween(): i64 {
  return load<u32>(WATCHES) & WATCHES_STEPS ? GAS_BETWEEN_STEPS : GAS_BETWEEN
}

/** The gas that takes as long as decoding a byte of code. */
const GAS_OF_DECODING: i64 = 16

/** Counts gas, or what takes as long, towards the next pause. */
function spend(gas: i64): void {
  store<i64>(GAS_TO_PAUSE, load<i64>(GAS_TO_PAUSE) - gas)
}

/** Goes on with `advance` after a frame was opened or closed, unless it ended all. */
function settled(status: i32): i32 {
  return status == GOES_ON ? advance() : status
}

/** No reason to return to TypeScript. */
const GOES_ON: i32 = -1

/** Runs until the outermost frame has ended, or TypeScript has something to do. */
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
    if (result == EXIT_PAUSE) continue
    if (result == EXIT_HASH) {
      startLongHash(frame, load<u32>(frame, FRAME_SP))
      store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_HASHING, FRAME_FLAGS)
      continue
    }
    if (result == OPENED) status = opened
    else if (result >= FIRST_ERROR && !(load<u32>(frame, FRAME_FLAGS) & IS_RAW) && isUncertain(result)) goOnRaw(frame)
    else status = close(frame, result)
    if (status != GOES_ON) return status
  }
}

/** `openCall` and `openCreate` opened a frame, or closed it at once; `opened` says how `advance` goes on. */
const OPENED: i32 = -2
let opened: i32 = 0

/** Returns whether the raw reading may find another error first: the fast one charges blocks in advance. */
function isUncertain(error: i32): bool {
  return error == OUT_OF_GAS || error == BLOCK_FAILED
}

/** Continues a frame in the raw reading, at the instruction that failed. */
function goOnRaw(frame: usize): void {
  const code = <usize>load<u32>(frame, FRAME_CODE)
  decodeRaw(code)
  const ip = <usize>load<u32>(frame, FRAME_IP)
  const place = <usize>load<u32>(code, CODE_PLACES) + ((ip - load<u32>(code, CODE_FAST)) >> 1)
  if (load<u16>(ip) != OP_BLOCK) {
    // What the rest of the block costs was charged with it.
    let block = ip
    while (load<u16>(block) != OP_BLOCK) block -= 16
    store<i64>(frame, load<i64>(frame, FRAME_GAS) + <i64>load<u32>(block, 4) - <i64>load<u32>(place, 4), FRAME_GAS)
  }
  const pc = load<u32>(place)
  store<u32>(frame, load<u32>(load<u32>(code, CODE_RAW_PLACES) + (pc << 2)), FRAME_IP)
  store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_RAW, FRAME_FLAGS)
}

/** Returns the error of an instruction that failed its check in the raw reading. */
function checkError(frame: usize): i32 {
  const opcode = <u32>load<u16>(load<u32>(frame, FRAME_IP), 2)
  const height = (load<u32>(frame, FRAME_SP) - load<u32>(frame, FRAME_STACK)) >> 5
  const taken = <u32>load<u8>(STACK_IN + opcode)
  if (height < taken) return STACK_UNDERFLOW
  if (height - taken + <u32>load<u8>(STACK_OUT + opcode) > 1024) return STACK_OVERFLOW
  return OUT_OF_GAS
}

/** Sets what every frame begins with. */
function begin(frame: usize): void {
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

/** Returns whether the caller of a frame has not the value that the frame would get. */
function isPoor(frame: usize): bool {
  return isLess(load<u32>(frame, FRAME_CALLER) + ACCOUNT_BALANCE, frame + FRAME_VALUE)
}

/** Returns the gas of a call without what it passes on; negative: an error. */
export function callGas(frame: usize, sp: usize, kind: u32): i64 {
  const carries = kind == CALL || kind == CALLCODE
  const input = carries ? sp - 96 : sp - 64
  const hasValue = carries && !isZeroWord(sp - 64)
  if (kind == CALL && hasValue && load<u32>(frame, FRAME_FLAGS) & IS_STATIC) return -STATIC_STATE_CHANGE
  let gas = memoryGas(frame, max(endOf(input, input - 32), endOf(input - 64, input - 96)))
  if (gas < 0) return gas
  const account = accountAt(sp - 32)
  gas += coldGas(account)
  if (hasValue) gas += VALUE_GAS
  if (kind == CALL && (hasValue || !load<u32>(REMOVES_EMPTY)) && isAbsent(account)) gas += NEW_ACCOUNT
  if (load<u32>(HAS_DELEGATIONS) && hasCode(account)) {
    const delegate = delegateOf(codeOf(account))
    // The delegate of a delegate is not looked at.
    if (delegate != 0) gas += delegate == account ? 100 : 100 + coldGas(delegate)
  }
  return gas
}

// @ts-ignore: decorator
@inline
function isZeroWord(word: usize): bool {
  return (load<u64>(word) | load<u64>(word, 8) | load<u64>(word, 16) | load<u64>(word, 24)) == 0
}

/** Opens the frame of a call instruction. Returns `OPENED` or an error. */
function openCall(frame: usize): i32 {
  const ip = <usize>load<u32>(frame, FRAME_IP)
  const kind = <u32>load<u16>(ip, 2)
  const sp = <usize>load<u32>(frame, FRAME_SP)
  const cost = callGas(frame, sp, kind)
  if (cost < 0) return <i32>-cost
  let gas = load<i64>(frame, FRAME_GAS) - cost
  if (gas < 0) return OUT_OF_GAS
  // What it passes on: all that is asked for, from EIP-150 on at most all but a 64th.
  const asked: i64 = isHigh(sp) || load<i64>(sp) < 0 ? i64.MAX_VALUE : load<i64>(sp)
  let passed = asked
  if (load<u32>(KEEPS_64TH)) passed = min(asked, gas - (gas >> 6))
  else if (asked > gas) return OUT_OF_GAS
  gas -= passed
  store<u32>(DEPENDS_ON_GAS, 1)
  spend(cost)

  const carries = kind == CALL || kind == CALLCODE
  const input = carries ? sp - 96 : sp - 64
  const output = input - 64
  extend(frame, max(endOf(input, input - 32), endOf(output, output - 32)))
  const account = accountAt(sp - 32)
  warm(account)
  const callee = frame + FRAME_SIZE
  let flags = load<u32>(frame, FRAME_FLAGS) & IS_STATIC
  const hasValue = carries && !isZeroWord(sp - 64)
  if (hasValue) passed += STIPEND
  if (kind == STATICCALL) flags |= IS_STATIC
  const keepsAccount = kind == DELEGATECALL || kind == CALLCODE
  store<u32>(callee, kind, FRAME_KIND)
  store<u32>(callee, flags, FRAME_FLAGS)
  store<i64>(callee, passed, FRAME_GAS)
  store<u32>(callee, keepsAccount ? load<u32>(frame, FRAME_ACCOUNT) : <u32>account, FRAME_ACCOUNT)
  const caller = kind == DELEGATECALL ? load<u32>(frame, FRAME_CALLER) : load<u32>(frame, FRAME_ACCOUNT)
  store<u32>(callee, caller, FRAME_CALLER)
  store<u32>(callee, account, FRAME_CODE_ACCOUNT)
  copy(callee + FRAME_VALUE, carries ? sp - 64 : kind == DELEGATECALL ? frame + FRAME_VALUE : NO_VALUE)
  const memoryAt = load<u32>(frame, FRAME_MEMORY)
  const length = <u32>load<u64>(input - 32)
  store<u32>(callee, length == 0 ? 0 : memoryAt + <u32>load<u64>(input), FRAME_DATA)
  store<u32>(callee, length, FRAME_DATA_LENGTH)
  store<u32>(callee, <u32>load<u64>(output), FRAME_OUT)
  store<u32>(callee, <u32>load<u64>(output - 32), FRAME_OUT_LENGTH)
  let code = codeOf(account)
  const delegate = delegateOf(code)
  if (delegate != 0) {
    warm(delegate)
    code = codeOf(delegate)
  }

  // The caller's stack ends below the operands, and is where the callee's begins.
  store<u32>(frame, (carries ? sp - 192 : sp - 160) - 32, FRAME_SP)
  store<u32>(frame, ip + 16, FRAME_IP)
  store<i64>(frame, gas, FRAME_GAS)
  push(frame, callee)
  if (load<u32>(callee, FRAME_DEPTH) > DEEPEST) return refuse(callee, TOO_DEEP)
  if (hasValue && isPoor(callee)) return refuse(callee, INSUFFICIENT_BALANCE)
  opened = openMessage(callee, code)
  return OPENED
}

/** Makes `callee` the open frame. */
function push(frame: usize, callee: usize): void {
  store<u32>(callee, load<u32>(frame, FRAME_DEPTH) + 1, FRAME_DEPTH)
  store<u32>(callee, stackOver(frame), FRAME_STACK)
  store<u32>(FRAME, callee)
  begin(callee)
}

/** Closes a frame that is not opened because of its depth or the caller's balance: its gas is not used. */
function refuse(callee: usize, error: i32): i32 {
  if (load<u32>(WATCHES)) enter(callee)
  opened = close(callee, error)
  return OPENED
}

/** Begins a call that pays its value and runs `code`, or a precompile. */
function openMessage(frame: usize, code: usize): i32 {
  const kind = load<u32>(frame, FRAME_KIND)
  const called = load<u32>(frame, FRAME_CODE_ACCOUNT)
  const isOutermost = load<u32>(frame, FRAME_DEPTH) == 0
  if (load<u32>(WATCHES)) enter(frame)
  const flags = load<u32>(called, ACCOUNT_FLAGS)
  if (flags & IS_CONSOLE && (kind == CALL || kind == STATICCALL)) callConsole(frame)
  if (isOutermost && isPoor(frame)) return close(frame, INSUFFICIENT_BALANCE)
  if (kind == CALL) transfer(load<u32>(frame, FRAME_CALLER), called, frame + FRAME_VALUE)
  else if (kind == STATICCALL) touch(called)
  if (flags & IS_PRECOMPILE) return AT_PRECOMPILE
  if (load<u32>(code, CODE_LENGTH) == 0) return close(frame, EXIT_STOP)
  enterCode(frame, code)
  return GOES_ON
}

/** Makes a frame run `code`. */
function enterCode(frame: usize, code: usize): void {
  if (load<u32>(code, CODE_FAST) == 0) spend(<i64>load<u32>(code, CODE_LENGTH) * GAS_OF_DECODING)
  decodeFast(code)
  store<u32>(frame, code, FRAME_CODE)
  if (load<u32>(WATCHES) & WATCHES_STEPS) {
    store<u32>(frame, load<u32>(code, CODE_FAST), FRAME_IP)
    goOnRaw(frame)
  } else store<u32>(frame, load<u32>(code, CODE_FAST), FRAME_IP)
}

/** Returns the gas of a creation without what it passes on; negative: an error. */
export function createGas(frame: usize, sp: usize, kind: u32): i64 {
  if (load<u32>(frame, FRAME_FLAGS) & IS_STATIC) return -STATIC_STATE_CHANGE
  let gas = memoryGas(frame, endOf(sp - 32, sp - 64))
  if (gas < 0) return gas
  const length = load<u64>(sp - 64)
  const words = <i64>((length + 31) >> 5)
  if (load<u32>(METERS_INIT_CODE)) {
    if (length > <u64>load<u32>(INIT_CODE_LIMIT)) return -INIT_CODE_TOO_LARGE
    gas += words * 2
  }
  return kind == CREATE2 ? gas + words * 6 : gas
}

/** Opens the frame of a creation instruction. Returns `OPENED` or an error. */
function openCreate(frame: usize): i32 {
  const ip = <usize>load<u32>(frame, FRAME_IP)
  const kind = <u32>load<u16>(ip, 2)
  const sp = <usize>load<u32>(frame, FRAME_SP)
  const cost = createGas(frame, sp, kind)
  if (cost < 0) return <i32>-cost
  let gas = load<i64>(frame, FRAME_GAS) - cost
  if (gas < 0) return OUT_OF_GAS
  extend(frame, endOf(sp - 32, sp - 64))
  const passed = load<u32>(KEEPS_64TH) ? gas - (gas >> 6) : gas
  gas -= passed
  store<u32>(DEPENDS_ON_GAS, 1)
  spend(cost)

  const creator = <usize>load<u32>(frame, FRAME_ACCOUNT)
  const callee = frame + FRAME_SIZE
  const length = <u32>load<u64>(sp - 64)
  const initCode: usize = length == 0 ? 0 : <usize>load<u32>(frame, FRAME_MEMORY) + <usize>load<u64>(sp - 32)
  store<u32>(callee, kind, FRAME_KIND)
  store<u32>(callee, 0, FRAME_FLAGS)
  store<i64>(callee, passed, FRAME_GAS)
  store<u32>(callee, creator, FRAME_CALLER)
  copy(callee + FRAME_VALUE, sp)
  store<u32>(callee, initCode, FRAME_DATA)
  store<u32>(callee, length, FRAME_DATA_LENGTH)
  store<u32>(callee, 0, FRAME_OUT_LENGTH)
  store<u32>(callee, 0, FRAME_ACCOUNT)
  const top = kind == CREATE2 ? sp - 128 : sp - 96
  copy(SALT, sp - 96)

  store<u32>(frame, top, FRAME_SP)
  store<u32>(frame, ip + 16, FRAME_IP)
  store<i64>(frame, gas, FRAME_GAS)
  const nonce = load<u64>(creator, ACCOUNT_NONCE)
  const isTooDeep = load<u32>(frame, FRAME_DEPTH) >= DEEPEST
  if (!isTooDeep && !isPoor(callee) && nonce != u64.MAX_VALUE) {
    if (kind == CREATE2) addressOfSalt(creator, SALT, initCode, length)
    else addressOfNonce(creator, nonce)
    const account = accountAt(SCRATCH)
    setNonce(creator, nonce + 1)
    warm(account)
    store<u32>(callee, account, FRAME_ACCOUNT)
    push(frame, callee)
    opened = openCreation(callee)
    return OPENED
  }
  push(frame, callee)
  return refuse(callee, isTooDeep ? TOO_DEEP : INSUFFICIENT_BALANCE)
}

const SALT: usize = memory.data(32, 16)

/** Writes the address of a contract that `creator` creates with a nonce to `SCRATCH`, as a word. */
function addressOfNonce(creator: usize, nonce: u64): void {
  // RLP of a list of 20 bytes and a number.
  const place = SCRATCH + 64
  const bytes = <u32>((71 - clz<u64>(nonce)) >> 3)
  const isShort = nonce < 0x80
  store<u8>(place, 0xc0 + 21 + (isShort ? 1 : 1 + bytes))
  store<u8>(place + 1, 0x80 + 20)
  writeAddress(place + 2, creator + ACCOUNT_ADDRESS)
  let end = place + 22
  if (isShort) store<u8>(end++, nonce == 0 ? 0x80 : <u8>nonce)
  else {
    store<u8>(end++, 0x80 + bytes)
    for (let i = <i32>bytes - 1; i >= 0; i--) store<u8>(end++, <u8>(nonce >> (<u64>i << 3)))
  }
  keccak256Word(place, <u32>(end - place), SCRATCH)
}

/** Writes the address of CREATE2 (EIP-1014) to `SCRATCH`, as a word. */
function addressOfSalt(creator: usize, salt: usize, initCode: usize, length: u32): void {
  const place = SCRATCH + 64
  store<u8>(place, 0xff)
  writeAddress(place + 1, creator + ACCOUNT_ADDRESS)
  reverse(place + 21, salt)
  keccak256(initCode, length, place + 53)
  keccak256Word(place, 85, SCRATCH)
}

/** Begins a creation: init code is the data of the frame. */
function openCreation(frame: usize): i32 {
  const account = <usize>load<u32>(frame, FRAME_ACCOUNT)
  const initCode = load<u32>(frame, FRAME_DATA)
  const length = load<u32>(frame, FRAME_DATA_LENGTH)
  store<u32>(frame, account, FRAME_CODE_ACCOUNT)
  if (load<u32>(WATCHES)) enter(frame)
  store<u32>(frame, 0, FRAME_DATA_LENGTH)
  // EIP-684, EIP-7610.
  const isTaken = load<u64>(account, ACCOUNT_NONCE) != 0 || hasCode(account)
  if (isTaken || load<u32>(account, ACCOUNT_FLAGS) & HAS_STORAGE) return close(frame, CREATE_COLLISION)
  mark(account, EXISTS | TOUCHED | CREATED)
  if (load<u32>(REMOVES_EMPTY)) setNonce(account, 1)
  transfer(load<u32>(frame, FRAME_CALLER), account, frame + FRAME_VALUE)
  if (length == 0) return close(frame, EXIT_STOP)
  const code = newCode(length)
  memory.copy(load<u32>(code, CODE_BYTES), initCode, length)
  store<u32>(frame, code, FRAME_INIT_CODE)
  enterCode(frame, code)
  return GOES_ON
}

/** Stores the code that a creation returned. Returns how the frame ends. */
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

/** Ends a frame. Returns `GOES_ON` or, if it was the outermost one, `ENDED`; `PAUSED` if there is much to undo. */
function close(frame: usize, result: i32): i32 {
  const kind = load<u32>(frame, FRAME_KIND)
  const isCreation = kind == CREATE || kind == CREATE2
  let end = result
  if (end == BLOCK_FAILED) end = checkError(frame)
  if (end < FIRST_ERROR && end != EXIT_REVERT && isCreation) end = deposit(frame)
  const isRefused = end == TOO_DEEP || end == INSUFFICIENT_BALANCE
  if (end >= FIRST_ERROR) {
    store<u32>(frame, 0, FRAME_OUTPUT_LENGTH)
    if (!isRefused) store<i64>(frame, 0, FRAME_GAS)
  }
  store<u32>(frame, end, FRAME_EXIT)
  return end >= FIRST_ERROR || end == EXIT_REVERT ? revert(frame) : closed(frame)
}

/** Computes a part of the hash at which a frame is. */
function hash(frame: usize): i32 {
  const sp = <usize>load<u32>(frame, FRAME_SP)
  if (!hashOn(frame, sp)) return PAUSED
  store<u32>(frame, sp - 32, FRAME_SP)
  store<u32>(frame, load<u32>(frame, FRAME_IP) + 16, FRAME_IP)
  store<u32>(frame, load<u32>(frame, FRAME_FLAGS) & ~IS_HASHING, FRAME_FLAGS)
  return GOES_ON
}

/** The bytes of the journal that are undone at a time: a millisecond's worth. */
const MOST_UNDONE: u32 = 1 << 20

/** Undoes what a frame did that failed, and ends it. Returns as `close`, or `PAUSED` before all is undone. */
function revert(frame: usize): i32 {
  if (!undo(load<u32>(frame, FRAME_JOURNAL), MOST_UNDONE)) {
    store<u32>(frame, load<u32>(frame, FRAME_FLAGS) | IS_REVERTING, FRAME_FLAGS)
    return PAUSED
  }
  store<u32>(LOGS_LENGTH, load<u32>(frame, FRAME_LOGS))
  store<i64>(REFUND, load<i64>(frame, FRAME_REFUND))
  return closed(frame)
}

/** Makes the caller of a frame that has ended the open one. */
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

/** Releases what belongs to a frame. */
function releaseBlocks(frame: usize): void {
  const block = load<u32>(frame, FRAME_MEMORY)
  if (block != 0) release(block, load<u32>(frame, FRAME_MEMORY_ROOM))
  const initCode = load<u32>(frame, FRAME_INIT_CODE)
  if (initCode != 0) releaseCode(initCode)
}

/** Releases what belongs to the frames that are open: the run is broken off. */
export function dropFrames(): void {
  const first = load<u32>(FRAMES)
  for (let frame = load<u32>(FRAME); frame >= first; frame -= FRAME_SIZE) releaseBlocks(frame)
  store<u32>(FRAME, 0)
}

let returnRoom: u32 = 0

/** Returns a place for return data of `length` bytes. */
export function returnPlace(length: u32): usize {
  if (length > returnRoom) {
    if (returnRoom != 0) release(load<u32>(RETURN_DATA), returnRoom)
    store<u32>(RETURN_DATA, allocate(length))
    returnRoom = roomFor(length)
  }
  store<u32>(RETURN_LENGTH, length)
  return load<u32>(RETURN_DATA)
}

/** Keeps what a frame returned. */
function returned(output: usize, length: u32): void {
  const place = returnPlace(length)
  if (length != 0 && place != output) memory.copy(place, output, length)
}

/** Ends the frame of a precompile, whose output is in the place that `returnPlace` gave: as `advance`. */
export function closePrecompile(gasLeft: i64, result: i32): i32 {
  const frame = <usize>load<u32>(FRAME)
  store<i64>(frame, gasLeft, FRAME_GAS)
  store<u32>(frame, load<u32>(RETURN_DATA), FRAME_OUTPUT)
  store<u32>(frame, result < FIRST_ERROR ? load<u32>(RETURN_LENGTH) : 0, FRAME_OUTPUT_LENGTH)
  spend(load<i64>(frame, FRAME_GAS_LIMIT) - gasLeft)
  return settled(close(frame, result))
}

/** Returns the gas of a call or creation without what it passes on. */
export function frameGas(frame: usize, sp: usize, kind: u32): i64 {
  return kind == CREATE || kind == CREATE2 ? createGas(frame, sp, kind) : callGas(frame, sp, kind)
}
