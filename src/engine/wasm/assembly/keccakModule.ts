// A module that hashes outside of runs (`src/crypto/keccak.ts`). The message is at `BUFFER`, and then its hash.
import { keccak256, keccakBlocks, keccakStart, keccakWordEnd } from './keccak256'
import { reverse } from './words'

/** 120 times the bytes that are absorbed before each permutation. */
export const BUFFER: usize = memory.data(16320, 16)

export function hash(length: u32): void {
  keccak256(BUFFER, length, BUFFER)
}

export function begin(): void {
  keccakStart()
}

/** Absorbs the whole buffer. */
export function absorb(): void {
  keccakBlocks(BUFFER, 16320)
}

export function end(length: u32): void {
  keccakWordEnd(BUFFER, length, BUFFER)
  reverse(BUFFER, BUFFER)
}
