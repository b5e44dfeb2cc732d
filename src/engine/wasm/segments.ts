/** Reads what the module keeps in segments (`assembly/segments.ts`). */
import { SEGMENT } from './layout.ts'
import type { Memory } from './memory.ts'

/** Returns a copy of the first `length` bytes of the segments in `list`. */
export function segmentBytes(memory: Memory, list: number, length: number): Uint8Array {
  if (length <= SEGMENT) return memory.bytes(memory.u32(list), length)
  const bytes = new Uint8Array(length)
  for (let at = 0, entry = list; at < length; at += SEGMENT, entry += 4) {
    const place = memory.u32(entry)
    bytes.set(memory.u8.subarray(place, place + Math.min(SEGMENT, length - at)), at)
  }
  return bytes
}
