/**
 * How long bytes become when FastLZ (level 1) compresses them. Since Fjord that is what tells how much of L1 a transaction
 * takes: the same number has to come out as in op-geth's `FlzCompressLen`, and in solady's `LibZip` that contracts call.
 */

/** Positions by the hash of the three bytes that stand there. */
const TABLE = new Uint32Array(8_192)
/** How far back a match may lie. */
const REACH = 0x1fff
/** The end is never looked at for matches. */
const TAIL = 13

/** The length of `bytes`, compressed. */
export function fastLzLength(bytes: Uint8Array): number {
  TABLE.fill(0)
  const limit = Math.max(0, bytes.length - TAIL)
  let length = 0
  /** Up to here all is written. */
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
    // What is found one before the limit counts no more: both of the others stop there.
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

/** How many bytes from there on are the same, and one more: the one that differs, unless it is the end. */
function matchLength(bytes: Uint8Array, from: number, at: number, end: number): number {
  let count = 0
  while (at + count < end) {
    const isSame = bytes[from + count] === bytes[at + count]
    count++
    if (!isSame) break
  }
  return count
}

/** Each run of up to 32 bytes that are written as they are has its length before it. */
function literalsLength(count: number): number {
  return count + Math.ceil(count / 32)
}

/** A match takes two bytes if it is short, three if not, and is at most so long. */
function copyLength(matched: number): number {
  const rest = matched - 1
  return 3 * Math.floor(rest / 262) + (rest % 262 >= 6 ? 3 : 2)
}
