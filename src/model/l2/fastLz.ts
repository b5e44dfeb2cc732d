/**
 * The length of data compressed with FastLZ (level 1). Since Fjord the fee for data on L1 follows from it: the number
 * must equal that of op-geth's `FlzCompressLen` and of solady's `LibZip`, which contracts call.
 */

/** Positions by the hash of the three bytes at them. */
const TABLE = new Uint32Array(8_192)
/** The greatest distance of a match. */
const REACH = 0x1fff
/** The number of bytes at the end that are not searched for matches. */
const TAIL = 13

/** Returns the length of `bytes` after compression. */
export function fastLzLength(bytes: Uint8Array): number {
  TABLE.fill(0)
  const limit = Math.max(0, bytes.length - TAIL)
  let length = 0
  /** The bytes before this position are counted. */
  let anchor = 0
  let at = 2
  while (at < limit) {
    const sequence = threeAt(bytes, at)
    const hash = hashOf(sequence)
    const candidate = TABLE[hash]!
    TABLE[hash] = at
    if (at - candidate > REACH || threeAt(bytes, candidate) !== sequence) {
      at++
      continue
    }
    // A match at the last position is ignored, as in both other implementations.
    if (at + 1 >= limit) break
    if (at > anchor) length += literalsLength(at - anchor)
    const matched = matchLength(bytes, candidate + 3, at + 3, limit + 9)
    length += copyLength(matched)
    at += matched
    TABLE[hashOf(threeAt(bytes, at))] = at
    TABLE[hashOf(threeAt(bytes, at + 1))] = at + 1
    at += 2
    anchor = at
  }
  return length + literalsLength(bytes.length - anchor)
}

function threeAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
}

function hashOf(sequence: number): number {
  return Math.imul(sequence, 2_654_435_769) >>> 19
}

/**
 * Returns the number of equal bytes from both positions on, plus one for the byte that differs, unless the end is
 * reached.
 */
function matchLength(bytes: Uint8Array, from: number, at: number, end: number): number {
  let count = 0
  while (at + count < end) {
    const isSame = bytes[from + count] === bytes[at + count]
    count++
    if (!isSame) break
  }
  return count
}

/** Returns the length of `count` literal bytes: each run of up to 32 has one byte for its length. */
function literalsLength(count: number): number {
  return count + Math.ceil(count / 32)
}

/**
 * Returns the length of the instructions for a match: two bytes for a short one, three for others, in parts of at most
 * 262 bytes.
 */
function copyLength(matched: number): number {
  const rest = matched - 1
  return 3 * Math.floor(rest / 262) + (rest % 262 >= 6 ? 3 : 2)
}
