/** Bloom filters as a part of a packed block: the numbers of their bits while these are few, else all 256 bytes. */

import { type Bloom, EMPTY_BLOOM } from '../../model/receipt/bloom.ts'
import type { PackReader, PackWriter } from './packed.ts'

/** From this number of bits on, their numbers would take as much as the filter. */
const MANY = 127

/** Writes a filter. */
export function packBloom(writer: PackWriter, bloom: Bloom): void {
  const lengthAt = writer.at
  writer.byte(0)
  if (bloom === EMPTY_BLOOM) return
  let bits = 0
  for (let i = 0; i < 256; i++) {
    for (let rest = bloom[i]!; rest !== 0; rest &= rest - 1) {
      if (++bits === MANY) {
        writer.at = lengthAt
        writer.byte(MANY)
        writer.raw(bloom)
        return
      }
      const bit = i * 8 + (31 - Math.clz32(rest & -rest))
      writer.byte(bit >> 8)
      writer.byte(bit & 255)
    }
  }
  writer.setByte(lengthAt, bits)
}

/** Returns the filter that begins where `reader` is; an empty one is `EMPTY_BLOOM`. */
export function readBloom(reader: PackReader): Bloom {
  const bits = reader.byte()
  if (bits === 0) return EMPTY_BLOOM
  if (bits === MANY) return reader.raw(256)
  const bloom = new Uint8Array(256)
  for (let i = 0; i < bits; i++) {
    const bit = (reader.byte() << 8) | reader.byte()
    bloom[bit >> 3]! |= 1 << (bit & 7)
  }
  return bloom
}
