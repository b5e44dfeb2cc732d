/** Products and powers of words modulo 2^256. Parameters are pointers to words; `result` may be an operand. */
import { first, isPowerOfTwo, left, second, trailingZeros } from './division'
import { copy, isHigh, isZero, mulHigh, set } from './words'
import { shiftLeft } from './shifts'

export function mul(a: usize, b: usize, result: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  const aMore = a1 | a2 | a3
  const bMore = b1 | b2 | b3
  if ((aMore | bMore) == 0) {
    set(result, a0 * b0, mulHigh(a0, b0), 0, 0)
    return
  }
  if (bMore == 0) return scale(a0, a1, a2, a3, b0, result)
  if (aMore == 0) return scale(b0, b1, b2, b3, a0, result)
  // Long multiplication: adds the products of limbs row by row, each with the carry of the previous product.
  let carry = mulHigh(a0, b0)
  const r0 = a0 * b0
  let part = a0 * b1
  let r1 = part + carry
  carry = mulHigh(a0, b1) + u64(r1 < part)
  part = a0 * b2
  let r2 = part + carry
  carry = mulHigh(a0, b2) + u64(r2 < part)
  let r3 = a0 * b3 + carry

  part = a1 * b0
  r1 += part
  carry = mulHigh(a1, b0) + u64(r1 < part)
  part = a1 * b1
  r2 += part
  let more = u64(r2 < part)
  r2 += carry
  carry = mulHigh(a1, b1) + more + u64(r2 < carry)
  r3 += a1 * b2 + carry

  part = a2 * b0
  r2 += part
  carry = mulHigh(a2, b0) + u64(r2 < part)
  r3 += a2 * b1 + carry + a3 * b0
  set(result, r0, r1, r2, r3)
}

@inline
function scale(a0: u64, a1: u64, a2: u64, a3: u64, factor: u64, result: usize): void {
  const carry0 = mulHigh(a0, factor)
  const r1 = a1 * factor + carry0
  const carry1 = mulHigh(a1, factor) + u64(r1 < carry0)
  const r2 = a2 * factor + carry1
  const carry2 = mulHigh(a2, factor) + u64(r2 < carry1)
  set(result, a0 * factor, r1, r2, a3 * factor + carry2)
}

export function exp(base: usize, exponent: usize, result: usize): void {
  const e0 = load<u64>(exponent)
  const large = isHigh(exponent) || e0 > 255
  if (isZero(exponent) || (load<u64>(base) == 1 && !isHigh(base))) {
    set(result, 1, 0, 0, 0)
    return
  }
  if ((load<u8>(base) & 1) == 0) {
    // The result has `exponent` times as many trailing zero bits as an even base; with more than 255, the result is 0.
    const zeros = isZero(base) ? 256 : trailingZeros(base)
    if (large || zeros * e0 > 255) {
      set(result, 0, 0, 0, 0)
      return
    }
    if (isPowerOfTwo(base)) {
      set(first, 1, 0, 0, 0)
      shiftLeft(first, zeros * e0, result)
      return
    }
  }
  copy(first, base)
  copy(second, exponent)
  copy(left, first)
  let i: usize = 24
  while (load<u64>(second + i) == 0) i -= 8
  let limb = load<u64>(second + i)
  let bit: u64 = 63 - clz(limb)
  while (true) {
    while (bit != 0) {
      bit--
      mul(left, left, left)
      if ((limb >> bit) & 1) mul(left, first, left)
    }
    if (i == 0) break
    i -= 8
    limb = load<u64>(second + i)
    bit = 64
  }
  copy(result, left)
}
