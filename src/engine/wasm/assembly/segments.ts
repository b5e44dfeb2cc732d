// Storage that grows without being copied: segments of 256 KB, which stay, and a list of them. A position counts bytes over all of
// them.
import { SEGMENT, SEGMENT_BITS } from '../layout'
import { allocate } from './heap'

/** As many as a memory has room for. */
const MOST: u32 = 1 << (32 - SEGMENT_BITS)

/** Returns a list of segments that will be made. */
export function newSegments(): usize {
  const list = allocate(MOST << 2)
  memory.fill(list, 0, MOST << 2)
  return list
}

/** Returns the offset of a position in its segment. */
// @ts-ignore: decorator
@inline
export function offsetOf(position: u32): u32 {
  return position & (SEGMENT - 1)
}

/** Returns the address of a position that was written. */
// @ts-ignore: decorator
@inline
export function placeOf(list: usize, position: u32): usize {
  return <usize>load<u32>(list + (<usize>(position >> SEGMENT_BITS) << 2)) + offsetOf(position)
}

/** Returns the address of a position, whose segment is made if it is not there. */
// @ts-ignore: decorator
@inline
export function newPlaceOf(list: usize, position: u32): usize {
  const segment = list + (<usize>(position >> SEGMENT_BITS) << 2)
  if (load<u32>(segment) == 0) store<u32>(segment, <u32>allocate(SEGMENT))
  return <usize>load<u32>(segment) + offsetOf(position)
}

/** Writes bytes from a position on. */
export function append(list: usize, position: u32, from: usize, length: u32): void {
  let written: u32 = 0
  while (written < length) {
    const part = min(length - written, SEGMENT - offsetOf(position + written))
    memory.copy(newPlaceOf(list, position + written), from + written, part)
    written += part
  }
}
