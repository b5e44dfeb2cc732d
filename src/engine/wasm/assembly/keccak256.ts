/** Keccak-256: the sponge of FIPS 202 with a rate of 1,088 bits, and the padding 0x01 instead of SHA-3's 0x06. */
import { permute, squeeze } from './permutation'
import { reverse } from './words'

/** Bytes absorbed before each permutation. */
const RATE: usize = 136

const state = memory.data(200)

/** The state for hashing 64 bytes: their lanes and their padding. The other lanes stay zero. */
const pair = memory.data(200)
const LAST_BIT: u64 = 0x8000000000000000

export function keccakStart(): void {
  for (let i: usize = 0; i < 200; i += 40) {
    store<u64>(state + i, 0)
    store<u64>(state + i, 0, 8)
    store<u64>(state + i, 0, 16)
    store<u64>(state + i, 0, 24)
    store<u64>(state + i, 0, 32)
  }
}

/** Absorbs `length` bytes, except an incomplete last block. Returns the number of bytes in that block. */
export function keccakBlocks(data: usize, length: usize): usize {
  for (; length >= RATE; length -= RATE) {
    for (let i: usize = 0; i < RATE; i += 8) take(i, load<u64>(data + i))
    data += RATE
    permute(state)
  }
  return length
}

/** Absorbs the last `length` bytes, and writes the hash of all absorbed bytes as a word. */
export function keccakWordEnd(data: usize, length: usize, result: usize): void {
  const rest = keccakBlocks(data, length)
  data += length - rest
  let i: usize = 0
  for (; i + 8 <= rest; i += 8) take(i, load<u64>(data + i))
  // `last` has the bytes after the last whole lane, and the first bit of the padding. Lanes are written whole, because
  // reading a lane right after writing one of its bytes stalls the processor.
  let last: u64 = 1
  for (let end = rest; end > i; end--) last = (last << 8) | <u64>load<u8>(data + end - 1)
  take(i, last)
  take(RATE - 8, LAST_BIT)
  squeeze(state, result)
}

@inline
function take(i: usize, bytes: u64): void {
  store<u64>(state + i, load<u64>(state + i) ^ bytes)
}

export function keccak256Word(data: usize, length: usize, result: usize): void {
  keccakStart()
  keccakWordEnd(data, length, result)
}

export function keccakOfPair(data: usize, result: usize): void {
  for (let i: usize = 0; i < 64; i += 8) store<u64>(pair + i, load<u64>(data + i))
  store<u64>(pair, 1, 64)
  store<u64>(pair, LAST_BIT, RATE - 8)
  squeeze(pair, result)
}

/** Writes the hash of `length` bytes as 32 bytes, most significant first. */
export function keccak256(data: usize, length: usize, result: usize): void {
  keccak256Word(data, length, result)
  reverse(result, result)
}
