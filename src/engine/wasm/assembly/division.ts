/**
 * Division of words. WebAssembly divides at most 64 bits, so quotients are computed with a reciprocal of the divisor
 * (Möller and Granlund, "Improved division by invariant integers", 2011). Division by zero returns zero, as in the EVM.
 */
import { absolute, copy, isHigh, isLess, LOW, mulHigh, negate, ONES, set } from './words'
import { shiftRight } from './shifts'

export const left = memory.data(32)

export const first = memory.data(32)

export const second = memory.data(32)

/** The last normalised single-limb divisor and its reciprocal. Programs often divide by the same number. */
let knownDivisor: u64 = 0

let knownReciprocal: u64 = 0

/** Returns floor((2^128 - 1) / divisor) - 2^64 for a divisor with its highest bit set (Knuth, 4.3.1, algorithm D). */
function reciprocalOf(divisor: u64): u64 {
  const high = divisor >> 32
  const low = divisor & LOW
  // The dividend (2^128 - 1) - 2^64 * divisor has the upper half ~divisor, and a lower half of ones.
  const upper = ~divisor
  let digit1 = upper / high
  let rest = upper - digit1 * high
  while (digit1 > LOW || digit1 * low > ((rest << 32) | LOW)) {
    digit1--
    rest += high
    if (rest > LOW) break
  }
  const remainder = ((upper << 32) | LOW) - digit1 * divisor
  let digit0 = remainder / high
  rest = remainder - digit0 * high
  while (digit0 > LOW || digit0 * low > ((rest << 32) | LOW)) {
    digit0--
    rest += high
    if (rest > LOW) break
  }
  return (digit1 << 32) + digit0
}

@inline
function reciprocal(divisor: u64): u64 {
  if (divisor == knownDivisor) return knownReciprocal
  const found = reciprocalOf(divisor)
  knownDivisor = divisor
  knownReciprocal = found
  return found
}

/** Returns the reciprocal of (d1, d0). The highest bit of d1 must be set (Möller and Granlund, algorithm 6). */
@inline
function reciprocal2(d1: u64, d0: u64): u64 {
  let v = reciprocal(d1)
  let p = d1 * v + d0
  if (p < d0) {
    v--
    if (p >= d1) {
      v--
      p -= d1
    }
    p -= d1
  }
  const t1 = mulHigh(v, d0)
  const t0 = v * d0
  p += t1
  if (p < t1) {
    v--
    if (p > d1 || (p == d1 && t0 >= d0)) v--
  }
  return v
}

/** Divides `count` limbs at `a` by a limb, and returns the remainder. Writes the quotient unless `quotient` is 0. */
export function divideByLimb(a: usize, count: usize, divisor: u64, quotient: usize): u64 {
  let i = count << 3
  while (i != 0 && load<u64>(a + i - 8) == 0) {
    i -= 8
    if (quotient != 0) store<u64>(quotient + i, 0)
  }
  if (i == 0) return 0
  let limb = load<u64>(a + i - 8)
  let remainder: u64 = 0
  if (limb < divisor) {
    i -= 8
    if (quotient != 0) store<u64>(quotient + i, 0)
    if (i == 0) return limb
    remainder = limb
  } else if (i == 8) {
    const digit = limb / divisor
    if (quotient != 0) store<u64>(quotient, digit)
    return limb - digit * divisor
  }
  if (divisor <= LOW) {
    while (i != 0) {
      i -= 8
      limb = load<u64>(a + i)
      const upper = (remainder << 32) | (limb >> 32)
      const digit1 = upper / divisor
      const lower = ((upper - digit1 * divisor) << 32) | (limb & LOW)
      const digit0 = lower / divisor
      remainder = lower - digit0 * divisor
      if (quotient != 0) store<u64>(quotient + i, (digit1 << 32) | digit0)
    }
    return remainder
  }
  const shift = clz(divisor)
  const back = shift ^ 63
  const d = divisor << shift
  const v = reciprocal(d)
  limb = load<u64>(a + i - 8)
  let r = (remainder << shift) | ((limb >> 1) >> back)
  while (i != 0) {
    i -= 8
    const next: u64 = i != 0 ? load<u64>(a + i - 8) : 0
    const u = (limb << shift) | ((next >> 1) >> back)
    limb = next
    // Divides (r, u) by d (Möller and Granlund, algorithm 4).
    const q0 = v * r + u
    let q = mulHigh(v, r) + r + u64(q0 < u) + 1
    r = u - q * d
    if (r > q0) {
      q--
      r += d
    }
    if (r >= d) {
      q++
      r -= d
    }
    if (quotient != 0) store<u64>(quotient + i, q)
  }
  return r >> shift
}

/**
 * Divides `count` limbs at `a` (at least four) by a divisor of two to four limbs. Writes the remainder to `left`, and
 * `count` quotient limbs unless `quotient` is 0; `quotient` may be `a`.
 *
 * Knuth's algorithm D, with quotient digits from the reciprocal of the divisor's two upper limbs (Möller and Granlund,
 * algorithm 5). Divisor and dividend are shifted left until the highest of the divisor's 256 bits is set.
 */
export function divideByLimbs(a: usize, count: usize, divisor: usize, quotient: usize): void {
  let d0 = load<u64>(divisor)
  let d1 = load<u64>(divisor, 8)
  let d2 = load<u64>(divisor, 16)
  let d3 = load<u64>(divisor, 24)
  let limbs: usize = 0
  while (d3 == 0) {
    d3 = d2
    d2 = d1
    d1 = d0
    d0 = 0
    limbs++
  }
  const shift = clz(d3)
  const back = shift ^ 63
  d3 = (d3 << shift) | ((d2 >> 1) >> back)
  d2 = (d2 << shift) | ((d1 >> 1) >> back)
  d1 = (d1 << shift) | ((d0 >> 1) >> back)
  d0 = d0 << shift
  const v = reciprocal2(d3, d2)
  // (r3, r2, r1, r0) is the current remainder; further limbs of the dividend follow from the highest down.
  let at = a + ((count - 4) << 3)
  const a3 = load<u64>(at, 24)
  const a2 = load<u64>(at, 16)
  const a1 = load<u64>(at, 8)
  let limb = load<u64>(at)
  let r3 = (a3 >> 1) >> back
  let r2 = (a3 << shift) | ((a2 >> 1) >> back)
  let r1 = (a2 << shift) | ((a1 >> 1) >> back)
  let r0 = (a1 << shift) | ((limb >> 1) >> back)
  let digits = count - 3 + limbs
  if (quotient != 0) for (let i = digits; i < count; i++) store<u64>(quotient + (i << 3), 0)
  while (digits != 0) {
    digits--
    let next: u64 = 0
    if (at != a) {
      at -= 8
      next = load<u64>(at)
    }
    const u = (limb << shift) | ((next >> 1) >> back)
    limb = next
    let q: u64 = 0
    if (r3 == 0 && r2 < d3) {
      r3 = r2
      r2 = r1
      r1 = r0
      r0 = u
    } else {
      let s2: u64 = 0
      let s3: u64 = 0
      let over: u64 = 0
      if (r3 == d3 && r2 == d2) {
        q = ONES
        s2 = r1 + d2
        const carry = u64(s2 < d2)
        s3 = d3 + carry
        over = u64(s3 < carry)
      } else {
        // q and (s3, s2) are quotient and remainder of (r3, r2, r1) / (d3, d2).
        const q0 = v * r3 + r2
        q = mulHigh(v, r3) + r3 + u64(q0 < r2)
        const t0 = d2 * q
        const m2 = r1 - t0
        s2 = m2 - d2
        s3 = r2 - q * d3 - mulHigh(d2, q) - u64(r1 < t0) - d3 - u64(m2 < d2)
        q++
        if (s3 >= q0) {
          q--
          s2 += d2
          s3 += d3 + u64(s2 < d2)
        }
        if (s3 > d3 || (s3 == d3 && s2 >= d2)) {
          q++
          s3 -= d3 + u64(s2 < d2)
          s2 -= d2
        }
      }
      // Subtracts q * (d1, d0) from (over, s3, s2, r0, u).
      const t0 = q * d0
      const carry = mulHigh(q, d0)
      const t1 = q * d1 + carry
      const t2 = mulHigh(q, d1) + u64(t1 < carry)
      const borrow0 = u64(u < t0)
      const m1 = r0 - t1
      const borrow1 = u64(r0 < t1) + u64(m1 < borrow0)
      const m2 = s2 - t2
      const borrow2 = u64(s2 < t2) + u64(m2 < borrow1)
      r0 = u - t0
      r1 = m1 - borrow0
      r2 = m2 - borrow1
      r3 = s3 - borrow2
      if (u64(s3 < borrow2) > over) {
        // In rare cases the quotient digit q was too large by one.
        q--
        r0 += d0
        const carry0 = u64(r0 < d0)
        const n1 = r1 + d1
        r1 = n1 + carry0
        const carry1 = u64(n1 < d1) + u64(r1 < carry0)
        const n2 = r2 + d2
        r2 = n2 + carry1
        r3 += d3 + u64(n2 < d2) + u64(r2 < carry1)
      }
    }
    if (quotient != 0) store<u64>(quotient + (digits << 3), q)
  }
  for (; limbs != 0; limbs--) {
    r0 = r1
    r1 = r2
    r2 = r3
    r3 = 0
  }
  set(
    left,
    (r0 >> shift) | ((r1 << 1) << back),
    (r1 >> shift) | ((r2 << 1) << back),
    (r2 >> shift) | ((r3 << 1) << back),
    r3 >> shift,
  )
}

@inline
export function isPowerOfTwo(a: usize): bool {
  return (
    popcnt(load<u64>(a)) + popcnt(load<u64>(a, 8)) + popcnt(load<u64>(a, 16)) + popcnt(load<u64>(a, 24)) == 1
  )
}

export function trailingZeros(a: usize): u64 {
  let i: usize = 0
  while (load<u64>(a + i) == 0) i += 8
  return ctz(load<u64>(a + i)) + (<u64>i << 3)
}

export function div(a: usize, b: usize, result: usize): void {
  if (!isHigh(b)) {
    const divisor = load<u64>(b)
    if ((divisor & (divisor - 1)) == 0) {
      if (divisor == 0) set(result, 0, 0, 0, 0)
      else shiftRight(a, ctz(divisor), 0, result)
    } else divideByLimb(a, 4, divisor, result)
  } else if (isLess(a, b)) set(result, 0, 0, 0, 0)
  else if (isPowerOfTwo(b)) shiftRight(a, trailingZeros(b), 0, result)
  else divideByLimbs(a, 4, b, result)
}

export function mod(a: usize, b: usize, result: usize): void {
  if (!isHigh(b)) {
    const divisor = load<u64>(b)
    if ((divisor & (divisor - 1)) == 0) set(result, divisor == 0 ? 0 : load<u64>(a) & (divisor - 1), 0, 0, 0)
    else set(result, divideByLimb(a, 4, divisor, 0), 0, 0, 0)
  } else if (isLess(a, b)) copy(result, a)
  else {
    divideByLimbs(a, 4, b, 0)
    copy(result, left)
  }
}

/** Writes the signed quotient a / b, rounded towards zero; -2^255 / -1 is -2^255. */
export function sdiv(a: usize, b: usize, result: usize): void {
  const negative = (<i64>(load<u64>(a, 24) ^ load<u64>(b, 24))) < 0
  absolute(a, first)
  absolute(b, second)
  div(first, second, result)
  if (negative) negate(result, result)
}

/** Writes the signed remainder of a / b. It has the sign of a. */
export function smod(a: usize, b: usize, result: usize): void {
  const negative = <i64>load<u64>(a, 24) < 0
  absolute(a, first)
  absolute(b, second)
  mod(first, second, result)
  if (negative) negate(result, result)
}
