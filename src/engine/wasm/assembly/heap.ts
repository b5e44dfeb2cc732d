// The heap: blocks whose sizes are powers of two, with a list of free blocks per size. The memory grows if no block of
// the needed size is free. Each run has a limit for the bytes in use. Long lists, such as the journal, consist of
// segments of one size.
//
// Tests compile the module with assertions: each block then ends with a mark that detects misuse.
import { SEGMENT, SEGMENT_BITS } from '../layout'
import { outOfMemory } from './host'

const SMALLEST = 6 // 64 bytes
const MARK_BYTES: u32 = ASC_NO_ASSERT ? 0 : 8
const IN_USE: u64 = 0x1234567890abcdef
const IS_FREE: u64 = 0xfedcba0987654321
const FREE: usize = memory.data(33 * 4, 16)

let top: usize = 0
/** The bytes of the blocks in use, and their limit. */
let used: u64 = 0
let limit: u64 = u64.MAX_VALUE

/** Limits the bytes in use to `bytes` more than now. */
export function limitUse(bytes: u32): void {
  limit = used + bytes
}

export function endLimit(): void {
  limit = u64.MAX_VALUE
}

@inline
function orderOf(size: u32): u32 {
  const bytes = size + MARK_BYTES
  return bytes <= 64 ? SMALLEST : 32 - clz<u32>(bytes - 1)
}

/** With assertions, traps if the mark of a block is not `expected`: after a write past its end, or a second release. */
@inline
function changeMark(block: usize, order: u32, expected: u64, mark: u64): void {
  if (MARK_BYTES == 0) return
  const place = block + ((<usize>1) << order) - MARK_BYTES
  assert(load<u64>(place) == expected)
  store<u64>(place, mark)
}

/** Returns a block of `size` bytes, aligned to 64, with arbitrary content. The host throws if the limit is exceeded. */
export function allocate(size: u32): usize {
  const order = orderOf(size)
  const inUse = used + ((<u64>1) << order)
  if (inUse > limit) outOfMemory()
  used = inUse
  const list = FREE + ((<usize>order) << 2)
  const free = <usize>load<u32>(list)
  if (free != 0) {
    changeMark(free, order, IS_FREE, IN_USE)
    store<u32>(list, load<u32>(free))
    return free
  }
  if (order >= 31) unreachable()
  if (top == 0) top = (__heap_base + 63) & ~63
  const block = top
  const end = <u64>block + ((<u64>1) << order)
  const there = (<u64>memory.size()) << 16
  if (end > there) {
    const missing = <i32>((end - there + 0xffff) >> 16)
    // Grows the memory by at least a quarter, so that it grows rarely.
    const spare = <i32>(there >> 18)
    if (memory.grow(max(missing, spare)) < 0 && memory.grow(missing) < 0) unreachable()
  }
  top = <usize>end
  changeMark(block, order, 0, IN_USE)
  return block
}

/** Releases a block. `size` must be the size that was passed to `allocate`. */
export function release(block: usize, size: u32): void {
  const order = orderOf(size)
  changeMark(block, order, IN_USE, IS_FREE)
  used -= (<u64>1) << order
  const list = FREE + ((<usize>order) << 2)
  store<u32>(block, load<u32>(list))
  store<u32>(list, <u32>block)
}

/** Returns the usable size of the block that is allocated for `size` bytes. */
export function roomFor(size: u32): u32 {
  return ((<u32>1) << orderOf(size)) - MARK_BYTES
}

const MOST: u32 = 1 << (32 - SEGMENT_BITS)

export function newSegments(): usize {
  const list = allocate(MOST << 2)
  memory.fill(list, 0, MOST << 2)
  return list
}

@inline
export function offsetOf(position: u32): u32 {
  return position & (SEGMENT - 1)
}

/** Returns the memory address of a position in a list of segments. The position's segment must exist. */
@inline
export function placeOf(list: usize, position: u32): usize {
  return <usize>load<u32>(list + (<usize>(position >> SEGMENT_BITS) << 2)) + offsetOf(position)
}

@inline
export function newPlaceOf(list: usize, position: u32): usize {
  const segment = list + (<usize>(position >> SEGMENT_BITS) << 2)
  if (load<u32>(segment) == 0) store<u32>(segment, <u32>allocate(SEGMENT))
  return <usize>load<u32>(segment) + offsetOf(position)
}

/** Writes bytes to a list of segments, starting at `position`. */
export function append(list: usize, position: u32, from: usize, length: u32): void {
  let written: u32 = 0
  while (written < length) {
    const part = min(length - written, SEGMENT - offsetOf(position + written))
    memory.copy(newPlaceOf(list, position + written), from + written, part)
    written += part
  }
}
