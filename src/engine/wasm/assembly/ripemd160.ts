/** RIPEMD-160 (Dobbertin, Bosselaers and Preneel, "RIPEMD-160: a strengthened version of RIPEMD", 1996). */

/** The five words of the hash, and the last block. */
const hash = memory.data(20)
const block = memory.data(64)

/** Which word of the message each of the 80 steps takes, and by how much it rotates; in the left line and in the right. */
const leftWords = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8, 3, 10, 14, 4, 9, 15, 8, 1, 2,
  7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
])
const rightWords = memory.data<u8>([
  5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2, 15, 5, 1, 3, 7, 14, 6, 9, 11,
  8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14, 12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
])
const leftTurns = memory.data<u8>([
  11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12, 11, 13, 6, 7, 14, 9, 13,
  15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12, 9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5,
  6,
])
const rightTurns = memory.data<u8>([
  8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11, 9, 7, 15, 11, 8, 6, 6, 14,
  12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8, 8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11,
  11,
])
const leftConstants = memory.data<u32>([0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e])
const rightConstants = memory.data<u32>([0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0])

/** The function of each sixteen steps; the right line takes them in reverse. */
// @ts-ignore: decorators of functions
@inline
function mixed(group: usize, x: u32, y: u32, z: u32): u32 {
  switch (<i32>group) {
    case 0:
      return x ^ y ^ z
    case 1:
      return z ^ (x & (y ^ z))
    case 2:
      return (x | ~y) ^ z
    case 3:
      return y ^ (z & (x ^ y))
    default:
      return x ^ (y | ~z)
  }
}

/** Takes in 64 bytes. */
function compress(data: usize): void {
  let a = load<u32>(hash)
  let b = load<u32>(hash, 4)
  let c = load<u32>(hash, 8)
  let d = load<u32>(hash, 12)
  let e = load<u32>(hash, 16)
  let a2 = a
  let b2 = b
  let c2 = c
  let d2 = d
  let e2 = e
  for (let i: usize = 0; i < 80; i++) {
    const group = i >> 4
    let word = load<u32>(data + ((<usize>load<u8>(leftWords + i)) << 2)) + load<u32>(leftConstants + (group << 2))
    let next = rotl<u32>(a + mixed(group, b, c, d) + word, load<u8>(leftTurns + i)) + e
    a = e
    e = d
    d = rotl<u32>(c, 10)
    c = b
    b = next
    word = load<u32>(data + ((<usize>load<u8>(rightWords + i)) << 2)) + load<u32>(rightConstants + (group << 2))
    next = rotl<u32>(a2 + mixed(4 - group, b2, c2, d2) + word, load<u8>(rightTurns + i)) + e2
    a2 = e2
    e2 = d2
    d2 = rotl<u32>(c2, 10)
    c2 = b2
    b2 = next
  }
  const sum = load<u32>(hash, 4) + c + d2
  store<u32>(hash, load<u32>(hash, 8) + d + e2, 4)
  store<u32>(hash, load<u32>(hash, 12) + e + a2, 8)
  store<u32>(hash, load<u32>(hash, 16) + a + b2, 12)
  store<u32>(hash, load<u32>(hash) + b + c2, 16)
  store<u32>(hash, sum)
}

/** Writes the hash of `length` bytes as the precompile returns it: 12 bytes of zeros, then its 20 bytes. */
export function ripemd160(data: usize, length: usize, result: usize): void {
  store<u32>(hash, 0x67452301)
  store<u32>(hash, 0xefcdab89, 4)
  store<u32>(hash, 0x98badcfe, 8)
  store<u32>(hash, 0x10325476, 12)
  store<u32>(hash, 0xc3d2e1f0, 16)
  let rest = length
  for (; rest >= 64; rest -= 64) {
    compress(data)
    data += 64
  }
  // Padding: a bit, zeros, and the length in bits, the lowest byte first.
  memory.fill(block, 0, 64)
  memory.copy(block, data, rest)
  store<u8>(block + rest, 0x80)
  if (rest > 55) {
    compress(block)
    memory.fill(block, 0, 64)
  }
  store<u64>(block, (<u64>length) << 3, 56)
  compress(block)
  store<u64>(result, 0)
  store<u32>(result, 0, 8)
  for (let i: usize = 0; i < 20; i += 4) store<u32>(result + i, load<u32>(hash + i), 12)
}
