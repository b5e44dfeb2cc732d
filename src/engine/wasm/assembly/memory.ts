// The memory of a frame: a block that grows with what is paid for.
import { FRAME_MEMORY, FRAME_MEMORY_ROOM, FRAME_MEMORY_SIZE, OUT_OF_GAS } from '../layout'
import { allocate, release, roomFor } from './heap'
import { isHigh } from './words'

/** More than any gas pays for. */
export const TOO_FAR: u64 = 0xffffffffffff

/** Returns the end of a range that two words give; 0 if it is empty. */
// @ts-ignore: decorator
@inline
export function endOf(offset: usize, length: usize): u64 {
  const bytes = load<u64>(length)
  if (isHigh(length)) return TOO_FAR
  if (bytes == 0) return 0
  return endAt(offset, bytes)
}

// @ts-ignore: decorator
@inline
export function endAt(offset: usize, bytes: u64): u64 {
  const begin = load<u64>(offset)
  return isHigh(offset) || (begin | bytes) > 0xffffffff ? TOO_FAR : begin + bytes
}

/** Returns the gas of memory of `words`. */
// @ts-ignore: decorator
@inline
function gasOf(words: u64): u64 {
  return words * 3 + ((words * words) >> 9)
}

/** Returns the gas of extending memory up to `end`; negative: more than there can be. */
export function memoryGas(frame: usize, end: u64): i64 {
  const size = <u64>load<u32>(frame, FRAME_MEMORY_SIZE)
  if (end <= size) return 0
  if (end > 0xffffffe0) return -OUT_OF_GAS
  return gasOf((end + 31) >> 5) - gasOf(size >> 5)
}

/** Extends memory up to `end`, which is paid for. */
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
  if (larger - size == 32) {
    const place = memoryAt + size
    store<u64>(place, 0)
    store<u64>(place, 0, 8)
    store<u64>(place, 0, 16)
    store<u64>(place, 0, 24)
  } else memory.fill(memoryAt + size, 0, larger - size)
  store<u32>(frame, larger, FRAME_MEMORY_SIZE)
}

/** Returns the gas of copying to a range of memory: an extension, and 3 for each word. */
export function copyGas(frame: usize, offset: usize, length: usize): i64 {
  const gas = memoryGas(frame, endOf(offset, length))
  return gas < 0 ? gas : gas + (((load<i64>(length) + 31) >> 5) * 3)
}

/** Copies `length` bytes to memory from `offset` in data of `size` bytes, behind which there are zeros. */
export function copyPadded(to: usize, data: usize, size: u32, offset: u32, length: u32): void {
  const there = offset >= size ? 0 : min(size - offset, length)
  // Behind the end there may be no memory at all.
  if (there != 0) memory.copy(to, data + offset, there)
  memory.fill(to + there, 0, length - there)
}
