// Instructions whose gas depends on their operands. `xGas` returns the gas, or an error as a negative number, and changes nothing;
// `x` does the rest. Those without a function for gas have static gas alone.
import {
  ACCOUNT_ADDRESS,
  ACCOUNT_BALANCE,
  ACCOUNT_FLAGS,
  ALWAYS_WARM,
  BLOB_COUNT,
  BLOB_HASHES,
  CODE_BYTES,
  CODE_LENGTH,
  CREATED,
  DESTROYED,
  DESTROYS_NEW_ONLY,
  EXP_BYTE_GAS,
  FRAME_ACCOUNT,
  FRAME_CODE,
  FRAME_DATA,
  FRAME_DATA_LENGTH,
  FRAME_DEPTH,
  FRAME_FLAGS,
  FRAME_GAS,
  FRAME_GAS_LIMIT,
  FRAME_JOURNAL,
  FRAME_MEMORY,
  GAS_AT_LEAST,
  HAS_ACCESS_COSTS,
  IS_STATIC,
  KEEPS_64TH,
  LOGS,
  LOGS_LENGTH,
  NUMBER,
  OUT_OF_GAS,
  OUT_OF_RETURN_DATA,
  REFUND,
  REMOVES_EMPTY,
  RETURN_DATA,
  RETURN_LENGTH,
  SCRATCH,
  SEGMENT,
  SELFDESTRUCT_REFUND,
  SLOT_BEFORE,
  SLOT_FLAGS,
  SLOT_VALUE,
  SSTORE_CLEAR_REFUND,
  SSTORE_DIRTY_GAS,
  SSTORE_LEGACY,
  SSTORE_RESET_GAS,
  SSTORE_RULE,
  SSTORE_SENTRY,
  STATIC_STATE_CHANGE,
  WARM,
  WATCHES,
} from '../layout'
import { accountAt, isAbsent, isEmpty, setBalance, slotAt, transfer } from './accounts'
import { codeHashOf, codeOf } from './code'
import { allocate } from './heap'
import { blockHash, destroyed } from './host'
import { mark, markSlot, recordSlot } from './journal'
import { keccak256Word, keccakBlocks, keccakOfPair, keccakStart, keccakWordEnd } from './keccak256'
import { copyGas, copyPadded, endOf, extend, memoryGas } from './memory'
import { append, newPlaceOf, newSegments, offsetOf } from './segments'
import { exp } from './uint256'
import { clamped, copy, isEqual, isHigh, isZero, put, reverse } from './words'

/** What a cold account and a cold slot cost more than warm ones (EIP-2929). */
export const COLD_ACCOUNT: i64 = 2500
const COLD_SLOT: i64 = 2000
const COLD_SLOT_WRITTEN: i64 = 2100
const COLD_BENEFICIARY: i64 = 2600

export const NEW_ACCOUNT: i64 = 25000
const SET: i64 = 20000
const SENTRY: i64 = 2300

// @ts-ignore: decorator
@inline
function isStatic(frame: usize): bool {
  return (load<u32>(frame, FRAME_FLAGS) & IS_STATIC) != 0
}

/** Returns what reading an account costs more because it is cold. */
export function coldGas(account: usize): i64 {
  return isCold(account) ? COLD_ACCOUNT : 0
}

// @ts-ignore: decorator
@inline
function isCold(account: usize): bool {
  return load<u32>(HAS_ACCESS_COSTS) != 0 && !(load<u32>(account, ACCOUNT_FLAGS) & (WARM | ALWAYS_WARM))
}

/** Makes an account warm. */
export function warm(account: usize): void {
  if (load<u32>(HAS_ACCESS_COSTS)) mark(account, WARM)
}

export function powerGas(frame: usize, sp: usize): i64 {
  const exponent = sp - 32
  let bytes: i64 = 0
  for (let limb: i32 = 3; limb >= 0; limb--) {
    const value = load<u64>(exponent + (<usize>limb << 3))
    if (value != 0) {
      bytes = <i64>limb * 8 + ((71 - <i64>clz<u64>(value)) >> 3)
      break
    }
  }
  return bytes * <i64>load<u32>(EXP_BYTE_GAS)
}

export function power(frame: usize, sp: usize): void {
  exp(sp, sp - 32, sp - 32)
}

export function keccakGas(frame: usize, sp: usize): i64 {
  const gas = memoryGas(frame, endOf(sp, sp - 32))
  return gas < 0 ? gas : gas + ((load<i64>(sp - 32) + 31) >> 5) * 6
}

export function keccak(frame: usize, sp: usize): void {
  extend(frame, endOf(sp, sp - 32))
  const length = <u32>load<u64>(sp - 32)
  const data: usize = length == 0 ? 0 : load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(sp)
  if (length == 64) hashOfPair(data, sp - 32)
  else keccak256Word(data, length, sp - 32)
}

/** The bytes that are hashed at a time: a millisecond's worth of whole blocks. */
const HASHED_AT_ONCE: u32 = 136 * 4096
let hashed: u32 = 0

/** Returns whether a hash is computed in parts: `startLongHash`, then `hashOn` until that returns true. */
export function isLongHash(sp: usize): bool {
  return load<u64>(sp - 32) > <u64>HASHED_AT_ONCE
}

export function startLongHash(frame: usize, sp: usize): void {
  extend(frame, endOf(sp, sp - 32))
  keccakStart()
  hashed = 0
}

/** Hashes the next part. Returns whether it was the last one. */
export function hashOn(frame: usize, sp: usize): bool {
  const data = <usize>load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(sp) + hashed
  const left = <u32>load<u64>(sp - 32) - hashed
  if (left > HASHED_AT_ONCE) {
    keccakBlocks(data, HASHED_AT_ONCE)
    hashed += HASHED_AT_ONCE
    return false
  }
  keccakWordEnd(data, left, sp - 32)
  return true
}

/** Hashes of 64 bytes: what mappings compute for the same few keys again and again. Each entry has the bytes and the hash. */
const ENTRY: u32 = 96
const ENTRIES: u32 = 512
let hashes: usize = 0

/** Writes the hash of 64 bytes as a word. */
function hashOfPair(data: usize, result: usize): void {
  if (hashes == 0) {
    hashes = allocate(ENTRIES * ENTRY)
    memory.fill(hashes, 0, ENTRIES * ENTRY)
    // An entry of zeros is one too.
    for (let i: u32 = 0; i < ENTRIES; i++) keccakOfPair(hashes, hashes + i * ENTRY + 64)
  }
  const mixed =
    (load<u64>(data) ^ load<u64>(data, 8)) * 0x9e3779b97f4a7c15 +
    (load<u64>(data, 16) ^ load<u64>(data, 24)) * 0xc2b2ae3d27d4eb4f +
    (load<u64>(data, 32) ^ load<u64>(data, 40)) * 0x165667b19e3779f9 +
    (load<u64>(data, 48) ^ load<u64>(data, 56)) * 0x85ebca77c2b2ae63
  const entry = hashes + (<u32>(mixed >> 40) & (ENTRIES - 1)) * ENTRY
  if (!isEqual(entry, data) || !isEqual(entry + 32, data + 32)) {
    keccakOfPair(data, entry + 64)
    copy(entry, data)
    copy(entry + 32, data + 32)
  }
  copy(result, entry + 64)
}

export function balanceGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export function balance(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  copy(sp, account + ACCOUNT_BALANCE)
}

export function selfbalance(frame: usize, sp: usize): void {
  copy(sp + 32, load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_BALANCE)
}

export function extcodesizeGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export function extcodesize(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  put(sp, load<u32>(codeOf(account), CODE_LENGTH))
}

export function extcodehashGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export function extcodehash(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  if (isEmpty(account)) put(sp, 0)
  else copy(sp, codeHashOf(account))
}

export function extcodecopyGas(frame: usize, sp: usize): i64 {
  const gas = copyGas(frame, sp - 32, sp - 96)
  return gas < 0 ? gas : gas + coldGas(accountAt(sp))
}

export function extcodecopy(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  copyToMemory(frame, sp - 32, load<u32>(codeOf(account), CODE_BYTES), load<u32>(codeOf(account), CODE_LENGTH))
}

/** Copies data to memory: the operands are the place in memory, the offset in the data, and the length, from `top` down. */
function copyToMemory(frame: usize, top: usize, data: usize, size: u32): void {
  const length = <u32>load<u64>(top - 64)
  if (length == 0) return
  extend(frame, endOf(top, top - 64))
  copyPadded(load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(top), data, size, clamped(top - 32), length)
}

export function calldatacopyGas(frame: usize, sp: usize): i64 {
  return copyGas(frame, sp, sp - 64)
}

export function calldatacopy(frame: usize, sp: usize): void {
  copyToMemory(frame, sp, load<u32>(frame, FRAME_DATA), load<u32>(frame, FRAME_DATA_LENGTH))
}

/** Writes a word of calldata from `offset` on. */
export function readCalldata(frame: usize, offset: u64, to: usize): void {
  const length = <u64>load<u32>(frame, FRAME_DATA_LENGTH)
  const data = <usize>load<u32>(frame, FRAME_DATA)
  if (offset + 32 <= length) {
    reverse(to, data + <usize>offset)
    return
  }
  put(to, 0)
  for (let i: u64 = offset; i < length; i++) store<u8>(to + 31 - <usize>(i - offset), load<u8>(data + <usize>i))
}

export function calldataload(frame: usize, sp: usize): void {
  if (isHigh(sp) || load<u64>(sp) > 0xffffffff) put(sp, 0)
  else readCalldata(frame, load<u64>(sp), sp)
}

export function codecopyGas(frame: usize, sp: usize): i64 {
  return copyGas(frame, sp, sp - 64)
}

export function codecopy(frame: usize, sp: usize): void {
  const code = <usize>load<u32>(frame, FRAME_CODE)
  copyToMemory(frame, sp, load<u32>(code, CODE_BYTES), load<u32>(code, CODE_LENGTH))
}

export function returndatacopyGas(frame: usize, sp: usize): i64 {
  const gas = copyGas(frame, sp, sp - 64)
  if (gas < 0) return gas
  const offset = sp - 32
  const end = load<u64>(offset) + load<u64>(sp - 64)
  if (!isHigh(offset) && load<u64>(offset) <= 0xffffffff && end <= <u64>load<u32>(RETURN_LENGTH)) return gas
  return gas > load<i64>(frame, FRAME_GAS) ? gas : -OUT_OF_RETURN_DATA
}

export function returndatacopy(frame: usize, sp: usize): void {
  copyToMemory(frame, sp, load<u32>(RETURN_DATA), load<u32>(RETURN_LENGTH))
}

export function mcopyGas(frame: usize, sp: usize): i64 {
  const to = endOf(sp, sp - 64)
  const from = endOf(sp - 32, sp - 64)
  const gas = memoryGas(frame, max(to, from))
  return gas < 0 ? gas : gas + ((load<i64>(sp - 64) + 31) >> 5) * 3
}

export function mcopy(frame: usize, sp: usize): void {
  const length = <u32>load<u64>(sp - 64)
  if (length == 0) return
  extend(frame, max(endOf(sp, sp - 64), endOf(sp - 32, sp - 64)))
  const memoryAt = load<u32>(frame, FRAME_MEMORY)
  memory.copy(memoryAt + <u32>load<u64>(sp), memoryAt + <u32>load<u64>(sp - 32), length)
}

export function blockhash(frame: usize, sp: usize): void {
  const number = load<u64>(sp)
  const current = load<u64>(NUMBER)
  if (isHigh(sp) || number >= current || current - number > 256) put(sp, 0)
  else blockHash(<f64>number, sp)
}

export function blobhash(frame: usize, sp: usize): void {
  if (isHigh(sp) || load<u64>(sp) >= <u64>load<u32>(BLOB_COUNT)) put(sp, 0)
  else copy(sp, <usize>load<u32>(BLOB_HASHES) + (<usize>load<u64>(sp) << 5))
}

/** The slot that the gas was computed for: `sload` and `sstore` follow at once. */
let slot: usize = 0

// @ts-ignore: decorator
@inline
function isColdSlot(slot: usize): bool {
  return !(load<u32>(slot, SLOT_FLAGS) & WARM) && load<u32>(HAS_ACCESS_COSTS) != 0
}

export function sloadGas(frame: usize, sp: usize): i64 {
  slot = slotAt(load<u32>(frame, FRAME_ACCOUNT), sp)
  return isColdSlot(slot) ? COLD_SLOT : 0
}

export function sload(frame: usize, sp: usize): void {
  if (isColdSlot(slot)) markSlot(slot, WARM)
  copy(sp, slot + SLOT_VALUE)
}

export function sstoreGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const rule = load<u32>(SSTORE_RULE)
  if (rule == SSTORE_SENTRY && load<i64>(frame, FRAME_GAS) <= SENTRY) return -OUT_OF_GAS
  slot = slotAt(load<u32>(frame, FRAME_ACCOUNT), sp)
  const value = sp - 32
  const current = slot + SLOT_VALUE
  if (rule == SSTORE_LEGACY) return isZero(current) && !isZero(value) ? SET : 5000
  const cold = isColdSlot(slot) ? COLD_SLOT_WRITTEN : 0
  if (isEqual(current, value) || !isEqual(current, slot + SLOT_BEFORE)) return cold + <i64>load<u32>(SSTORE_DIRTY_GAS)
  return cold + (isZero(current) ? SET : <i64>load<u32>(SSTORE_RESET_GAS))
}

export function sstore(frame: usize, sp: usize): void {
  const value = sp - 32
  const current = slot + SLOT_VALUE
  const rule = load<u32>(SSTORE_RULE)
  if (rule == SSTORE_SENTRY && load<u32>(frame, FRAME_DEPTH) == 0) noteNeed(frame)
  if (isColdSlot(slot)) markSlot(slot, WARM)
  if (isEqual(current, value)) return
  store<i64>(REFUND, load<i64>(REFUND) + sstoreRefund(sp))
  recordSlot(slot, load<u32>(frame, FRAME_JOURNAL))
  copy(current, value)
}

/** Returns what the SSTORE whose gas was computed last adds to the refund counter. */
export function sstoreRefund(sp: usize): i64 {
  const value = sp - 32
  const current = slot + SLOT_VALUE
  if (isEqual(current, value)) return 0
  const clear = <i64>load<u32>(SSTORE_CLEAR_REFUND)
  if (load<u32>(SSTORE_RULE) == SSTORE_LEGACY) return isZero(value) ? clear : 0
  return refundOf(slot + SLOT_BEFORE, current, value, clear)
}

/** Returns what a change of a slot adds to the refund counter (EIP-1283, EIP-2200). */
function refundOf(before: usize, current: usize, value: usize, clear: i64): i64 {
  let refund: i64 = 0
  const wasZero = isZero(before)
  if (!wasZero) {
    if (isZero(current)) refund -= clear
    else if (isZero(value)) refund += clear
  }
  if (isEqual(before, value)) {
    refund += (wasZero ? SET : <i64>load<u32>(SSTORE_RESET_GAS)) - <i64>load<u32>(SSTORE_DIRTY_GAS)
  }
  return refund
}

/** Notes the gas that SSTORE required of the outermost frame, from its beginning on; it was not charged yet. */
function noteNeed(frame: usize): void {
  const need = load<i64>(frame, FRAME_GAS_LIMIT) - load<i64>(frame, FRAME_GAS) + SENTRY + 1
  if (need > load<i64>(GAS_AT_LEAST)) store<i64>(GAS_AT_LEAST, need)
}

export function tload(frame: usize, sp: usize): void {
  copy(sp, slotAt(load<u32>(frame, FRAME_ACCOUNT) | 1, sp) + SLOT_VALUE)
}

export function tstoreGas(frame: usize, sp: usize): i64 {
  return isStatic(frame) ? -STATIC_STATE_CHANGE : 0
}

export function tstore(frame: usize, sp: usize): void {
  const item = slotAt(load<u32>(frame, FRAME_ACCOUNT) | 1, sp)
  recordSlot(item, load<u32>(frame, FRAME_JOURNAL))
  copy(item + SLOT_VALUE, sp - 32)
}

/** Returns the gas of LOG beyond its topics. */
function logGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const gas = memoryGas(frame, endOf(sp, sp - 32))
  return gas < 0 ? gas : gas + load<i64>(sp - 32) * 8
}

/** Makes the place of logs. */
export function startLogs(): void {
  store<u32>(LOGS, <u32>newSegments())
}

/** Adds a log: number of topics, length of data, address (24 bytes); topics; data, up to a multiple of 8. */
function log(frame: usize, sp: usize, topics: u32): void {
  extend(frame, endOf(sp, sp - 32))
  const list = <usize>load<u32>(LOGS)
  const length = <u32>load<u64>(sp - 32)
  const begin = load<u32>(LOGS_LENGTH)
  const head = 32 + (topics << 5)
  const isCut = offsetOf(begin) + head > <u32>SEGMENT
  const place = isCut ? SCRATCH : newPlaceOf(list, begin)
  const address = <usize>load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_ADDRESS
  store<u32>(place, topics)
  store<u32>(place, length, 4)
  store<u64>(place, load<u64>(address), 8)
  store<u64>(place, load<u64>(address, 8), 16)
  store<u64>(place, load<u64>(address, 16), 24)
  for (let i: u32 = 0; i < topics; i++) reverse(place + 32 + (<usize>i << 5), sp - 64 - (<usize>i << 5))
  if (isCut) append(list, begin, SCRATCH, head)
  if (length != 0) append(list, begin + head, <usize>load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(sp), length)
  store<u32>(LOGS_LENGTH, begin + head + ((length + 7) & ~7))
}

export function log0Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log1Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log2Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log3Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log4Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log0(frame: usize, sp: usize): void {
  log(frame, sp, 0)
}
export function log1(frame: usize, sp: usize): void {
  log(frame, sp, 1)
}
export function log2(frame: usize, sp: usize): void {
  log(frame, sp, 2)
}
export function log3(frame: usize, sp: usize): void {
  log(frame, sp, 3)
}
export function log4(frame: usize, sp: usize): void {
  log(frame, sp, 4)
}

export function selfdestructGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const beneficiary = accountAt(sp)
  const account = load<u32>(frame, FRAME_ACCOUNT)
  let gas: i64 = 0
  if (isCold(beneficiary)) gas = COLD_BENEFICIARY
  const pays = !load<u32>(REMOVES_EMPTY) || !isZero(account + ACCOUNT_BALANCE)
  if (load<u32>(KEEPS_64TH) && pays && isAbsent(beneficiary)) gas += NEW_ACCOUNT
  return gas
}

export function selfdestruct(frame: usize, sp: usize): void {
  const beneficiary = accountAt(sp)
  const account = <usize>load<u32>(frame, FRAME_ACCOUNT)
  warm(beneficiary)
  if (load<u32>(WATCHES)) destroyed(account, beneficiary)
  const flags = load<u32>(account, ACCOUNT_FLAGS)
  if (!(flags & DESTROYED)) store<i64>(REFUND, load<i64>(REFUND) + <i64>load<u32>(SELFDESTRUCT_REFUND))
  const isDestroyed = !load<u32>(DESTROYS_NEW_ONLY) || (flags & CREATED) != 0
  if (beneficiary != account) {
    copy(WORD, account + ACCOUNT_BALANCE)
    transfer(account, beneficiary, WORD)
  } else if (isDestroyed) {
    put(WORD, 0)
    setBalance(account, WORD)
  }
  if (isDestroyed) mark(account, DESTROYED)
}

const WORD: usize = memory.data(32, 16)
