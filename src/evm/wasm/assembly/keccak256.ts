/** Keccak-256 as Ethereum uses it: the sponge of FIPS 202 with 1,088 bits of rate, padded with 0x01 (not SHA-3's 0x06). */

/** Bytes that are taken in before each permutation. */
const RATE: usize = 136

/** The 25 lanes, 5 by 5, rows first. */
const state = memory.data(200)

/** Section 3.2.5: what iota adds in each of the 24 rounds. */
const constants = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
  0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
  0x000000000000800a, 0x800000008000000a, 0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
])

/**
 * Keccak-f[1600] (section 3.3).
 *
 * Six lanes are complemented, so that chi needs one NOT for a row, or none ("Keccak implementation overview", section 2.2). One round for each
 * iteration: with the rounds written out one after another V8 keeps fewer lanes in registers and takes twice as long. Lines stand in the order, and
 * variables outside of the loop, that made V8 move lanes least.
 */
function permute(): void {
  let a0 = load<u64>(state)
  let a1 = ~load<u64>(state, 8)
  let a2 = ~load<u64>(state, 16)
  let a3 = load<u64>(state, 24)
  let a4 = load<u64>(state, 32)
  let a5 = load<u64>(state, 40)
  let a6 = load<u64>(state, 48)
  let a7 = load<u64>(state, 56)
  let a8 = ~load<u64>(state, 64)
  let a9 = load<u64>(state, 72)
  let a10 = load<u64>(state, 80)
  let a11 = load<u64>(state, 88)
  let a12 = ~load<u64>(state, 96)
  let a13 = load<u64>(state, 104)
  let a14 = load<u64>(state, 112)
  let a15 = load<u64>(state, 120)
  let a16 = load<u64>(state, 128)
  let a17 = ~load<u64>(state, 136)
  let a18 = load<u64>(state, 144)
  let a19 = load<u64>(state, 152)
  let a20 = ~load<u64>(state, 160)
  let a21 = load<u64>(state, 168)
  let a22 = load<u64>(state, 176)
  let a23 = load<u64>(state, 184)
  let a24 = load<u64>(state, 192)
  let e0: u64 = 0
  let e1: u64 = 0
  let e2: u64 = 0
  let e3: u64 = 0
  let e4: u64 = 0
  let e5: u64 = 0
  let e6: u64 = 0
  let e7: u64 = 0
  let e8: u64 = 0
  let e9: u64 = 0
  let e10: u64 = 0
  let e11: u64 = 0
  let e12: u64 = 0
  let e13: u64 = 0
  let e14: u64 = 0
  let e15: u64 = 0
  let e16: u64 = 0
  let e17: u64 = 0
  let e18: u64 = 0
  let e19: u64 = 0
  let e20: u64 = 0
  let e21: u64 = 0
  let e22: u64 = 0
  let e23: u64 = 0
  let e24: u64 = 0
  let b0: u64 = 0, b1: u64 = 0, b2: u64 = 0, b3: u64 = 0, b4: u64 = 0
  let c0: u64 = 0, c1: u64 = 0, c2: u64 = 0, c3: u64 = 0, c4: u64 = 0
  let d0: u64 = 0, d1: u64 = 0, d2: u64 = 0, d3: u64 = 0, d4: u64 = 0
  let n: u64 = 0
  for (let at = constants; at < constants + 192; at += 8) {
    // Theta: each column's parity goes to its neighbours.
    c3 = a18 ^ a8 ^ a13 ^ a23 ^ a3
    c4 = a9 ^ a14 ^ a19 ^ a24 ^ a4
    c2 = a12 ^ a17 ^ a22 ^ a7 ^ a2
    c0 = a15 ^ a0 ^ a20 ^ a5 ^ a10
    c1 = a11 ^ a16 ^ a21 ^ a1 ^ a6
    d1 = c0 ^ rotl<u64>(c2, 1)
    d4 = c3 ^ rotl<u64>(c0, 1)
    d3 = c2 ^ rotl<u64>(c4, 1)
    d2 = c1 ^ rotl<u64>(c3, 1)
    d0 = c4 ^ rotl<u64>(c1, 1)
    // Rho and pi: rotated lanes of five columns become a row. Chi: a row's lanes are mixed.
    b3 = rotl<u64>(a18 ^ d3, 21)
    b4 = rotl<u64>(a24 ^ d4, 14)
    b0 = a0 ^ d0
    b2 = rotl<u64>(a12 ^ d2, 43)
    b1 = rotl<u64>(a6 ^ d1, 44)
    e0 = b0 ^ (b1 | b2) ^ load<u64>(at)
    e3 = b3 ^ (b4 | b0)
    e1 = b1 ^ (~b2 | b3)
    e4 = b4 ^ (b0 & b1)
    e2 = b2 ^ (b3 & b4)
    b2 = rotl<u64>(a13 ^ d3, 25)
    b1 = rotl<u64>(a7 ^ d2, 6)
    b4 = rotl<u64>(a20 ^ d0, 18)
    b0 = rotl<u64>(a1 ^ d1, 1)
    b3 = rotl<u64>(a19 ^ d4, 8)
    n = ~b3
    e10 = b0 ^ (b1 | b2)
    e14 = b4 ^ (b0 & b1)
    e13 = n ^ (b4 | b0)
    e12 = b2 ^ (n & b4)
    e11 = b1 ^ (b2 & b3)
    b1 = rotl<u64>(a8 ^ d3, 55)
    b3 = rotl<u64>(a15 ^ d0, 41)
    b2 = rotl<u64>(a14 ^ d4, 39)
    b0 = rotl<u64>(a2 ^ d2, 62)
    b4 = rotl<u64>(a21 ^ d1, 2)
    n = ~b1
    e23 = b3 ^ (b4 | b0)
    e24 = b4 ^ (b0 & b1)
    e20 = b0 ^ (n & b2)
    e22 = b2 ^ (b3 & b4)
    e21 = n ^ (b2 | b3)
    b0 = rotl<u64>(a3 ^ d3, 28)
    b3 = rotl<u64>(a16 ^ d1, 45)
    b1 = rotl<u64>(a9 ^ d4, 20)
    b4 = rotl<u64>(a22 ^ d2, 61)
    b2 = rotl<u64>(a10 ^ d0, 3)
    e7 = b2 ^ (b3 | ~b4)
    e6 = b1 ^ (b2 & b3)
    e9 = b4 ^ (b0 & b1)
    e5 = b0 ^ (b1 | b2)
    e8 = b3 ^ (b4 | b0)
    b0 = rotl<u64>(a4 ^ d4, 27)
    b4 = rotl<u64>(a23 ^ d3, 56)
    b3 = rotl<u64>(a17 ^ d2, 15)
    b2 = rotl<u64>(a11 ^ d1, 10)
    b1 = rotl<u64>(a5 ^ d0, 36)
    n = ~b3
    e16 = b1 ^ (b2 | b3)
    e18 = n ^ (b4 & b0)
    e17 = b2 ^ (n | b4)
    e15 = b0 ^ (b1 & b2)
    e19 = b4 ^ (b0 | b1)
    a0 = e0
    a1 = e1
    a2 = e2
    a3 = e3
    a4 = e4
    a5 = e5
    a6 = e6
    a7 = e7
    a8 = e8
    a9 = e9
    a10 = e10
    a11 = e11
    a12 = e12
    a13 = e13
    a14 = e14
    a15 = e15
    a16 = e16
    a17 = e17
    a18 = e18
    a19 = e19
    a20 = e20
    a21 = e21
    a22 = e22
    a23 = e23
    a24 = e24
  }
  store<u64>(state, a0)
  store<u64>(state, ~a1, 8)
  store<u64>(state, ~a2, 16)
  store<u64>(state, a3, 24)
  store<u64>(state, a4, 32)
  store<u64>(state, a5, 40)
  store<u64>(state, a6, 48)
  store<u64>(state, a7, 56)
  store<u64>(state, ~a8, 64)
  store<u64>(state, a9, 72)
  store<u64>(state, a10, 80)
  store<u64>(state, a11, 88)
  store<u64>(state, ~a12, 96)
  store<u64>(state, a13, 104)
  store<u64>(state, a14, 112)
  store<u64>(state, a15, 120)
  store<u64>(state, a16, 128)
  store<u64>(state, ~a17, 136)
  store<u64>(state, a18, 144)
  store<u64>(state, a19, 152)
  store<u64>(state, ~a20, 160)
  store<u64>(state, a21, 168)
  store<u64>(state, a22, 176)
  store<u64>(state, a23, 184)
  store<u64>(state, a24, 192)
}

/** Begins a hash. */
export function keccakStart(): void {
  for (let i: usize = 0; i < 200; i += 40) {
    store<u64>(state + i, 0)
    store<u64>(state + i, 0, 8)
    store<u64>(state + i, 0, 16)
    store<u64>(state + i, 0, 24)
    store<u64>(state + i, 0, 32)
  }
}

/** Takes in the whole blocks of `length` bytes. Returns the length of the rest. */
export function keccakBlocks(data: usize, length: usize): usize {
  for (; length >= RATE; length -= RATE) {
    for (let i: usize = 0; i < RATE; i += 8) store<u64>(state + i, load<u64>(state + i) ^ load<u64>(data + i))
    data += RATE
    permute()
  }
  return length
}

/** Takes in the last bytes: leaves the hash in the first four lanes. */
function absorbEnd(data: usize, length: usize): void {
  const rest = keccakBlocks(data, length)
  data += length - rest
  let i: usize = 0
  for (; i + 8 <= rest; i += 8) store<u64>(state + i, load<u64>(state + i) ^ load<u64>(data + i))
  for (; i < rest; i++) store<u8>(state + i, load<u8>(state + i) ^ load<u8>(data + i))
  store<u8>(state + i, load<u8>(state + i) ^ 1)
  store<u8>(state, load<u8>(state, RATE - 1) ^ 0x80, RATE - 1)
  permute()
}

/** Writes the 32 bytes of the hash of `length` bytes. */
export function keccak256(data: usize, length: usize, result: usize): void {
  keccakStart()
  absorbEnd(data, length)
  store<u64>(result, load<u64>(state))
  store<u64>(result, load<u64>(state, 8), 8)
  store<u64>(result, load<u64>(state, 16), 16)
  store<u64>(result, load<u64>(state, 24), 24)
}

/** Writes the hash of `length` bytes as a word: four limbs, the least significant first. */
export function keccak256Word(data: usize, length: usize, result: usize): void {
  keccakStart()
  keccakWordEnd(data, length, result)
}

/** Takes in the last bytes, and writes the hash of all as a word. */
export function keccakWordEnd(data: usize, length: usize, result: usize): void {
  absorbEnd(data, length)
  store<u64>(result, bswap<u64>(load<u64>(state, 24)))
  store<u64>(result, bswap<u64>(load<u64>(state, 16)), 8)
  store<u64>(result, bswap<u64>(load<u64>(state, 8)), 16)
  store<u64>(result, bswap<u64>(load<u64>(state)), 24)
}
