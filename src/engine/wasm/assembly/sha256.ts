/** SHA-256 (FIPS 180-4). */

/** The eight words of the hash, the 64 words of the message schedule, and the last block. */
const hash = memory.data(32)
const schedule = memory.data(256)
const block = memory.data(64)

/** Section 4.2.2: of the cube roots of the first 64 primes. */
const constants = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])

// @ts-ignore: decorators of functions
@inline
function first(e: u32, f: u32, g: u32, h: u32, at: usize): u32 {
  const sum = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25)
  return h + sum + (g ^ (e & (f ^ g))) + load<u32>(constants + at) + load<u32>(schedule + at)
}

// @ts-ignore: decorators of functions
@inline
function second(a: u32, b: u32, c: u32): u32 {
  return (rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22)) + ((a & b) | (c & (a | b)))
}

/** Section 6.2.2: takes in 64 bytes. */
function compress(data: usize): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(schedule + i, bswap<u32>(load<u32>(data + i)))
  for (let i: usize = 64; i < 256; i += 4) {
    const near = load<u32>(schedule + i - 8)
    const far = load<u32>(schedule + i - 60)
    const nearMixed = rotr<u32>(near, 17) ^ rotr<u32>(near, 19) ^ (near >> 10)
    const farMixed = rotr<u32>(far, 7) ^ rotr<u32>(far, 18) ^ (far >> 3)
    store<u32>(schedule + i, nearMixed + load<u32>(schedule + i - 28) + farMixed + load<u32>(schedule + i - 64))
  }
  let a = load<u32>(hash)
  let b = load<u32>(hash, 4)
  let c = load<u32>(hash, 8)
  let d = load<u32>(hash, 12)
  let e = load<u32>(hash, 16)
  let f = load<u32>(hash, 20)
  let g = load<u32>(hash, 24)
  let h = load<u32>(hash, 28)
  // Eight rounds, after which each variable has its own name again.
  for (let i: usize = 0; i < 256; i += 32) {
    let t = first(e, f, g, h, i)
    d += t
    h = t + second(a, b, c)
    t = first(d, e, f, g, i + 4)
    c += t
    g = t + second(h, a, b)
    t = first(c, d, e, f, i + 8)
    b += t
    f = t + second(g, h, a)
    t = first(b, c, d, e, i + 12)
    a += t
    e = t + second(f, g, h)
    t = first(a, b, c, d, i + 16)
    h += t
    d = t + second(e, f, g)
    t = first(h, a, b, c, i + 20)
    g += t
    c = t + second(d, e, f)
    t = first(g, h, a, b, i + 24)
    f += t
    b = t + second(c, d, e)
    t = first(f, g, h, a, i + 28)
    e += t
    a = t + second(b, c, d)
  }
  store<u32>(hash, load<u32>(hash) + a)
  store<u32>(hash, load<u32>(hash, 4) + b, 4)
  store<u32>(hash, load<u32>(hash, 8) + c, 8)
  store<u32>(hash, load<u32>(hash, 12) + d, 12)
  store<u32>(hash, load<u32>(hash, 16) + e, 16)
  store<u32>(hash, load<u32>(hash, 20) + f, 20)
  store<u32>(hash, load<u32>(hash, 24) + g, 24)
  store<u32>(hash, load<u32>(hash, 28) + h, 28)
}

/** Writes the 32 bytes of the hash of `length` bytes. */
export function sha256(data: usize, length: usize, result: usize): void {
  store<u64>(hash, 0xbb67ae856a09e667)
  store<u64>(hash, 0xa54ff53a3c6ef372, 8)
  store<u64>(hash, 0x9b05688c510e527f, 16)
  store<u64>(hash, 0x5be0cd191f83d9ab, 24)
  let rest = length
  for (; rest >= 64; rest -= 64) {
    compress(data)
    data += 64
  }
  // Padding: a bit, zeros, and the length in bits.
  memory.fill(block, 0, 64)
  memory.copy(block, data, rest)
  store<u8>(block + rest, 0x80)
  if (rest > 55) {
    compress(block)
    memory.fill(block, 0, 64)
  }
  store<u64>(block, bswap<u64>((<u64>length) << 3), 56)
  compress(block)
  for (let i: usize = 0; i < 32; i += 4) store<u32>(result + i, bswap<u32>(load<u32>(hash + i)))
}
