import {
  ACCOUNT_ADDRESS, ACCOUNT_FLAGS, ACCOUNT_NONCE, CODE_BYTES, CODE_IS_INIT, CREATE_COLLISION, CREATED,
  EXISTS, EXIT_STOP, FRAME_ACCOUNT, FRAME_CALLER, FRAME_CODE_ACCOUNT, FRAME_DATA,
  FRAME_DATA_LENGTH, FRAME_DEPTH, FRAME_FLAGS, FRAME_GAS, FRAME_INIT_CODE, FRAME_IP, FRAME_KIND, FRAME_MEMORY,
  FRAME_OUT_LENGTH, FRAME_SIZE, FRAME_SP, FRAME_VALUE, HAS_STORAGE, INIT_CODE_LIMIT, INIT_CODE_TOO_LARGE,
  INSUFFICIENT_BALANCE, IS_STATIC, KEEPS_64TH, METERS_INIT_CODE, OUT_OF_GAS, REMOVES_EMPTY, SCRATCH,
  STATIC_STATE_CHANGE, TOO_DEEP, TOUCHED, WATCHES,
} from '../layout'
import { warm } from './environment'
import { accountAt, setNonce, transfer } from './accounts'
import { DEEPEST } from './calls'
import { close, refuse } from './closing'
import { hasCode, newCode } from './code'
import { enterCode } from './decoding'
import { GOES_ON, isPoor, noteCall, openedWith, push, spend } from './frame'
import { CREATE2 } from './opcodes'
import { enter } from './host'
import { mark } from './journal'
import { keccak256, keccak256Word } from './keccak256'
import { endOf, extend, memoryGas } from './memory'
import { copy, reverse, writeAddress } from './words'

/** Returns the gas of a creation, excluding the gas passed to its frame; negative for an error. */
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

export function openCreate(frame: usize): i32 {
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
  noteCall()
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
    return openedWith(openCreation(callee))
  }
  push(frame, callee)
  return refuse(callee, isTooDeep ? TOO_DEEP : INSUFFICIENT_BALANCE)
}

const SALT: usize = memory.data(32, 16)

/** Writes the address of the contract that `creator` creates with `nonce` to `SCRATCH`, as a word. */
function addressOfNonce(creator: usize, nonce: u64): void {
  // Encodes the list [creator, nonce] in RLP.
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

/** Writes the address of a CREATE2 contract (EIP-1014) to `SCRATCH`, as a word. */
function addressOfSalt(creator: usize, salt: usize, initCode: usize, length: u32): void {
  const place = SCRATCH + 64
  store<u8>(place, 0xff)
  writeAddress(place + 1, creator + ACCOUNT_ADDRESS)
  reverse(place + 21, salt)
  keccak256(initCode, length, place + 53)
  keccak256Word(place, 85, SCRATCH)
}

export function openCreation(frame: usize): i32 {
  const account = <usize>load<u32>(frame, FRAME_ACCOUNT)
  const initCode = load<u32>(frame, FRAME_DATA)
  const length = load<u32>(frame, FRAME_DATA_LENGTH)
  store<u32>(frame, account, FRAME_CODE_ACCOUNT)
  if (load<u32>(WATCHES)) enter(frame)
  store<u32>(frame, 0, FRAME_DATA_LENGTH)
  // The address is taken if the account has a nonce or code (EIP-684) or storage (EIP-7610).
  const isTaken = load<u64>(account, ACCOUNT_NONCE) != 0 || hasCode(account)
  if (isTaken || load<u32>(account, ACCOUNT_FLAGS) & HAS_STORAGE) return close(frame, CREATE_COLLISION)
  mark(account, EXISTS | TOUCHED | CREATED)
  if (load<u32>(REMOVES_EMPTY)) setNonce(account, 1)
  transfer(load<u32>(frame, FRAME_CALLER), account, frame + FRAME_VALUE)
  if (length == 0) return close(frame, EXIT_STOP)
  const code = newCode(length)
  memory.copy(load<u32>(code, CODE_BYTES), initCode, length)
  store<u32>(code, 1, CODE_IS_INIT)
  store<u32>(frame, code, FRAME_INIT_CODE)
  enterCode(frame, code)
  return GOES_ON
}
