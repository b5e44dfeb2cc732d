/**
 * Products modulo a number of more than 232 bits that is used again and again: Barrett's reduction (Menezes, van Oorschot and Vanstone,
 * "Handbook of Applied Cryptography", algorithm 14.42).
 *
 * Limbs have 29 bits here: the ten products of a column are summed in 64 bits without a carry, which WebAssembly has not.
 */

const MASK: u64 = (1 << 29) - 1

/** The modulus, four limbs of 64 bits and nine of 29 bits, and floor(2^522 / modulus), ten limbs of 29 bits. */
const modulus = memory.data(32)
const limbs = memory.data(72)
const inverse = memory.data(80)

/** Returns limb `index` of 29 bits of the number of `length` limbs of 64 bits at `a`. */
function limbOf(a: usize, length: usize, index: usize): u64 {
  const from = (index * 29) >> 6
  const shift: u64 = (index * 29) & 63
  const low = load<u64>(a + (from << 3)) >> shift
  const high: u64 = from + 1 < length ? (load<u64>(a + (from << 3), 8) << 1) << (63 - shift) : 0
  return (low | high) & MASK
}

/** Makes n the modulus; `quotient` is floor(2^522 / n), five limbs of 64 bits. */
export function useModulus(n: usize, quotient: usize): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(modulus + i, load<u64>(n + i))
  for (let i: usize = 0; i < 9; i++) store<u64>(limbs + (i << 3), limbOf(n, 4, i))
  for (let i: usize = 0; i < 10; i++) store<u64>(inverse + (i << 3), limbOf(quotient, 5, i))
}

/** Writes a * b modulo the modulus. */
export function multiplyModulo(a: usize, b: usize, result: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  const f0 = a0 & MASK
  const f1 = (a0 >> 29) & MASK
  const f2 = ((a0 >> 58) | (a1 << 6)) & MASK
  const f3 = (a1 >> 23) & MASK
  const f4 = ((a1 >> 52) | (a2 << 12)) & MASK
  const f5 = (a2 >> 17) & MASK
  const f6 = ((a2 >> 46) | (a3 << 18)) & MASK
  const f7 = (a3 >> 11) & MASK
  const f8 = a3 >> 40
  const g0 = b0 & MASK
  const g1 = (b0 >> 29) & MASK
  const g2 = ((b0 >> 58) | (b1 << 6)) & MASK
  const g3 = (b1 >> 23) & MASK
  const g4 = ((b1 >> 52) | (b2 << 12)) & MASK
  const g5 = (b2 >> 17) & MASK
  const g6 = ((b2 >> 46) | (b3 << 18)) & MASK
  const g7 = (b3 >> 11) & MASK
  const g8 = b3 >> 40
  // The product.
  let sum: u64 = 0
  sum = f0 * g0
  const x0 = sum & MASK
  sum = (sum >> 29) + f0 * g1 + f1 * g0
  const x1 = sum & MASK
  sum = (sum >> 29) + f0 * g2 + f1 * g1 + f2 * g0
  const x2 = sum & MASK
  sum = (sum >> 29) + f0 * g3 + f1 * g2 + f2 * g1 + f3 * g0
  const x3 = sum & MASK
  sum = (sum >> 29) + f0 * g4 + f1 * g3 + f2 * g2 + f3 * g1 + f4 * g0
  const x4 = sum & MASK
  sum = (sum >> 29) + f0 * g5 + f1 * g4 + f2 * g3 + f3 * g2 + f4 * g1 + f5 * g0
  const x5 = sum & MASK
  sum = (sum >> 29) + f0 * g6 + f1 * g5 + f2 * g4 + f3 * g3 + f4 * g2 + f5 * g1 + f6 * g0
  const x6 = sum & MASK
  sum = (sum >> 29) + f0 * g7 + f1 * g6 + f2 * g5 + f3 * g4 + f4 * g3 + f5 * g2 + f6 * g1 + f7 * g0
  const x7 = sum & MASK
  sum = (sum >> 29) + f0 * g8 + f1 * g7 + f2 * g6 + f3 * g5 + f4 * g4 + f5 * g3 + f6 * g2 + f7 * g1 + f8 * g0
  const x8 = sum & MASK
  sum = (sum >> 29) + f1 * g8 + f2 * g7 + f3 * g6 + f4 * g5 + f5 * g4 + f6 * g3 + f7 * g2 + f8 * g1
  const x9 = sum & MASK
  sum = (sum >> 29) + f2 * g8 + f3 * g7 + f4 * g6 + f5 * g5 + f6 * g4 + f7 * g3 + f8 * g2
  const x10 = sum & MASK
  sum = (sum >> 29) + f3 * g8 + f4 * g7 + f5 * g6 + f6 * g5 + f7 * g4 + f8 * g3
  const x11 = sum & MASK
  sum = (sum >> 29) + f4 * g8 + f5 * g7 + f6 * g6 + f7 * g5 + f8 * g4
  const x12 = sum & MASK
  sum = (sum >> 29) + f5 * g8 + f6 * g7 + f7 * g6 + f8 * g5
  const x13 = sum & MASK
  sum = (sum >> 29) + f6 * g8 + f7 * g7 + f8 * g6
  const x14 = sum & MASK
  sum = (sum >> 29) + f7 * g8 + f8 * g7
  const x15 = sum & MASK
  sum = (sum >> 29) + f8 * g8
  const x16 = sum & MASK
  const x17 = sum >> 29
  // The quotient: x / 2^232 times the inverse, without the last ten limbs; columns below 8 would change it once in 2^25, by one.
  const m0 = load<u64>(inverse)
  const m1 = load<u64>(inverse, 8)
  const m2 = load<u64>(inverse, 16)
  const m3 = load<u64>(inverse, 24)
  const m4 = load<u64>(inverse, 32)
  const m5 = load<u64>(inverse, 40)
  const m6 = load<u64>(inverse, 48)
  const m7 = load<u64>(inverse, 56)
  const m8 = load<u64>(inverse, 64)
  const m9 = load<u64>(inverse, 72)
  sum = x8 * m8 + x9 * m7 + x10 * m6 + x11 * m5 + x12 * m4 + x13 * m3 + x14 * m2 + x15 * m1 + x16 * m0
  sum = (sum >> 29) + x8 * m9 + x9 * m8 + x10 * m7 + x11 * m6 + x12 * m5 + x13 * m4 + x14 * m3 + x15 * m2 + x16 * m1 + x17 * m0
  sum = (sum >> 29) + x9 * m9 + x10 * m8 + x11 * m7 + x12 * m6 + x13 * m5 + x14 * m4 + x15 * m3 + x16 * m2 + x17 * m1
  const q0 = sum & MASK
  sum = (sum >> 29) + x10 * m9 + x11 * m8 + x12 * m7 + x13 * m6 + x14 * m5 + x15 * m4 + x16 * m3 + x17 * m2
  const q1 = sum & MASK
  sum = (sum >> 29) + x11 * m9 + x12 * m8 + x13 * m7 + x14 * m6 + x15 * m5 + x16 * m4 + x17 * m3
  const q2 = sum & MASK
  sum = (sum >> 29) + x12 * m9 + x13 * m8 + x14 * m7 + x15 * m6 + x16 * m5 + x17 * m4
  const q3 = sum & MASK
  sum = (sum >> 29) + x13 * m9 + x14 * m8 + x15 * m7 + x16 * m6 + x17 * m5
  const q4 = sum & MASK
  sum = (sum >> 29) + x14 * m9 + x15 * m8 + x16 * m7 + x17 * m6
  const q5 = sum & MASK
  sum = (sum >> 29) + x15 * m9 + x16 * m8 + x17 * m7
  const q6 = sum & MASK
  sum = (sum >> 29) + x16 * m9 + x17 * m8
  const q7 = sum & MASK
  sum = (sum >> 29) + x17 * m9
  const q8 = sum & MASK
  // The product less quotient * modulus: it has nine limbs, so only those are made.
  const n0 = load<u64>(limbs)
  const n1 = load<u64>(limbs, 8)
  const n2 = load<u64>(limbs, 16)
  const n3 = load<u64>(limbs, 24)
  const n4 = load<u64>(limbs, 32)
  const n5 = load<u64>(limbs, 40)
  const n6 = load<u64>(limbs, 48)
  const n7 = load<u64>(limbs, 56)
  const n8 = load<u64>(limbs, 64)
  let rest: i64 = 0
  rest = <i64>x0 - <i64>(q0 * n0)
  const y0 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x1 - <i64>(q0 * n1 + q1 * n0)
  const y1 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x2 - <i64>(q0 * n2 + q1 * n1 + q2 * n0)
  const y2 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x3 - <i64>(q0 * n3 + q1 * n2 + q2 * n1 + q3 * n0)
  const y3 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x4 - <i64>(q0 * n4 + q1 * n3 + q2 * n2 + q3 * n1 + q4 * n0)
  const y4 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x5 - <i64>(q0 * n5 + q1 * n4 + q2 * n3 + q3 * n2 + q4 * n1 + q5 * n0)
  const y5 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x6 - <i64>(q0 * n6 + q1 * n5 + q2 * n4 + q3 * n3 + q4 * n2 + q5 * n1 + q6 * n0)
  const y6 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x7 - <i64>(q0 * n7 + q1 * n6 + q2 * n5 + q3 * n4 + q4 * n3 + q5 * n2 + q6 * n1 + q7 * n0)
  const y7 = <u64>rest & MASK
  rest = (rest >> 29) + <i64>x8 - <i64>(q0 * n8 + q1 * n7 + q2 * n6 + q3 * n5 + q4 * n4 + q5 * n3 + q6 * n2 + q7 * n1 + q8 * n0)
  const y8 = <u64>rest & MASK
  let r0 = y0 | (y1 << 29) | (y2 << 58)
  let r1 = (y2 >> 6) | (y3 << 23) | (y4 << 52)
  let r2 = (y4 >> 12) | (y5 << 17) | (y6 << 46)
  let r3 = (y6 >> 18) | (y7 << 11) | (y8 << 40)
  let r4 = (y8 >> 24)
  const d0 = load<u64>(modulus)
  const d1 = load<u64>(modulus, 8)
  const d2 = load<u64>(modulus, 16)
  const d3 = load<u64>(modulus, 24)
  // The quotient may be too small by one or two.
  while (r4 != 0 || r3 >= d3) {
    const borrow0 = u64(r0 < d0)
    const e1 = r1 - d1
    const borrow1 = u64(r1 < d1) | u64(e1 < borrow0)
    const e2 = r2 - d2
    const borrow2 = u64(r2 < d2) | u64(e2 < borrow1)
    const e3 = r3 - d3
    const borrow3 = u64(r3 < d3) | u64(e3 < borrow2)
    if (r4 < borrow3) break
    r4 -= borrow3
    r0 -= d0
    r1 = e1 - borrow0
    r2 = e2 - borrow1
    r3 = e3 - borrow2
  }
  store<u64>(result, r0)
  store<u64>(result, r1, 8)
  store<u64>(result, r2, 16)
  store<u64>(result, r3, 24)
}
