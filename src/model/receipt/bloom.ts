/** The 2048-bit Bloom filter over the addresses and topics of logs (Yellow Paper, 4.3.1). */
import { fromHex, type Hex, toHex } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Log } from './filter.ts'

/** 256 bytes. */
export type Bloom = Uint8Array

export const EMPTY_BLOOM: Bloom = new Uint8Array(256)
export const EMPTY_BLOOM_HEX: Hex = toHex(EMPTY_BLOOM)

/** Returns the Bloom filter of `logs`; for an empty list the shared `EMPTY_BLOOM`. */
export function bloomOf(logs: readonly Log[]): Bloom {
  if (logs.length === 0) return EMPTY_BLOOM
  const bloom = new Uint8Array(256)
  for (const log of logs) {
    add(bloom, log.address)
    for (const topic of log.topics) add(bloom, topic)
  }
  return bloom
}

/** Returns the union of Bloom filters. */
export function union(blooms: readonly Bloom[]): Bloom {
  const set = blooms.filter((bloom) => bloom !== EMPTY_BLOOM)
  if (set.length === 0) return EMPTY_BLOOM
  const union = new Uint8Array(256)
  for (const bloom of set) for (let i = 0; i < 256; i++) union[i]! |= bloom[i]!
  return union
}

function add(bloom: Uint8Array, item: Hex): void {
  const hash = keccak256(fromHex(item))
  for (let i = 0; i < 6; i += 2) {
    const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047
    bloom[255 - (bit >> 3)]! |= 1 << (bit & 7)
  }
}
