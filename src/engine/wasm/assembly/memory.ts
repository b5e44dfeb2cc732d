import {
  ACCOUNT_ADDRESS, CODE_BYTES, CODE_LENGTH, FRAME_ACCOUNT, FRAME_CODE, FRAME_DATA, FRAME_DATA_LENGTH,
  FRAME_GAS, FRAME_MEMORY, FRAME_MEMORY_ROOM, FRAME_MEMORY_SIZE, LOGS, LOGS_LENGTH, OUT_OF_GAS,
  OUT_OF_RETURN_DATA, RETURN_DATA, RETURN_LENGTH, SCRATCH, SEGMENT, STATIC_STATE_CHANGE,
} from '../layout'
import { coldGas, warm } from './environment'
import { accountAt } from './accounts'
import { codeOf } from './code'
import { isStatic } from './frame'
import { allocate, append, newPlaceOf, newSegments, offsetOf, release, roomFor } from './heap'
import { clamped, copy, isHigh, put, reverse } from './words'

/** The end of a memory range that is too large: extending the memory would cost more gas than any gas limit. */
export const TOO_FAR: u64 = 0xffffffffffff

/** Returns the end of a memory range, whose offset and length are words; 0 for an empty range. */
@inline
export function endOf(offset: usize, length: usize): u64 {
  const bytes = load<u64>(length)
  if (isHigh(length)) return TOO_FAR
  if (bytes == 0) return 0
  return endAt(offset, bytes)
}

@inline
export function endAt(offset: usize, bytes: u64): u64 {
  const begin = load<u64>(offset)
  return isHigh(offset) || (begin | bytes) > 0xffffffff ? TOO_FAR : begin + bytes
}

@inline
function gasOf(words: u64): u64 {
  return words * 3 + ((words * words) >> 9)
}

/** Returns the gas of extending the memory up to `end`; negative if no gas limit could cover it. */
export function memoryGas(frame: usize, end: u64): i64 {
  const size = <u64>load<u32>(frame, FRAME_MEMORY_SIZE)
  if (end <= size) return 0
  if (end > 0xffffffe0) return -OUT_OF_GAS
  return gasOf((end + 31) >> 5) - gasOf(size >> 5)
}

/** Extends the memory up to `end`. The caller has charged the gas. */
export function extend(frame: usize, end: u64): void {
  const size = load<u32>(frame, FRAME_MEMORY_SIZE)
  if (end <= size) return
  const larger = <u32>((end + 31) & ~31)
  if (larger > load<u32>(frame, FRAME_MEMORY_ROOM)) {
    const block = allocate(larger)
    const old = load<u32>(frame, FRAME_MEMORY)
    memory.copy(block, old, size)
    if (old != 0) release(old, load<u32>(frame, FRAME_MEMORY_ROOM))
    store<u32>(frame, block, FRAME_MEMORY)
    store<u32>(frame, roomFor(larger), FRAME_MEMORY_ROOM)
  }
  const memoryAt = <usize>load<u32>(frame, FRAME_MEMORY)
  if (larger - size == 32) put(memoryAt + size, 0)
  else memory.fill(memoryAt + size, 0, larger - size)
  store<u32>(frame, larger, FRAME_MEMORY_SIZE)
}

/** Returns the gas of copying to a range of memory: the gas of extending the memory, and 3 per word. */
export function copyGas(frame: usize, offset: usize, length: usize): i64 {
  const gas = memoryGas(frame, endOf(offset, length))
  return gas < 0 ? gas : gas + (((load<i64>(length) + 31) >> 5) * 3)
}

/** Copies `length` bytes from `offset` in `data`, which has `size` bytes. Bytes after the end of `data` are zero. */
export function copyPadded(to: usize, data: usize, size: u32, offset: u32, length: u32): void {
  const there = offset >= size ? 0 : min(size - offset, length)
  // If nothing is copied, `data + offset` may lie outside the module's memory.
  if (there != 0) memory.copy(to, data + offset, there)
  memory.fill(to + there, 0, length - there)
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

/** Copies data to memory. The operands are, from `top` down: offset in memory, offset in the data, length. */
function copyToMemory(frame: usize, top: usize, data: usize, size: u32): void {
  const length = <u32>load<u64>(top - 64)
  if (length == 0) return
  extend(frame, endOf(top, top - 64))
  copyPadded(load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(top), data, size, clamped(top - 32), length)
}

export function calldatacopyGas(frame: usize, sp: usize): i64 {
  return copyGas(frame, sp, sp - 64)
}

export { calldatacopyGas as codecopyGas }

export function calldatacopy(frame: usize, sp: usize): void {
  copyToMemory(frame, sp, load<u32>(frame, FRAME_DATA), load<u32>(frame, FRAME_DATA_LENGTH))
}

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

/** Returns the gas of LOG in addition to the gas of its topics. */
export function logGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const gas = memoryGas(frame, endOf(sp, sp - 32))
  return gas < 0 ? gas : gas + load<i64>(sp - 32) * 8
}

export function startLogs(): void {
  store<u32>(LOGS, <u32>newSegments())
}

/** Adds a log: number of topics, length of the data, address (24 bytes), topics, and data padded to a multiple of 8. */
export function log(frame: usize, sp: usize, topics: u32): void {
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
