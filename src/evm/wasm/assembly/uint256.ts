/**
 * Arithmetic modulo 2^256 on words: 32 bytes in linear memory, four 64-bit limbs, the least significant first.
 *
 * Functions take pointers to words and write the result to one; it may be the word of an operand. Division by zero
 * gives zero, as in the EVM. WebAssembly multiplies and divides no more than 64 bits: upper halves of products are made of four products of 32 bits, and
 * quotients by multiplication with a reciprocal (Möller and Granlund, "Improved division by invariant integers", 2011).
 */

import { multiplyModulo, useModulus } from './barrett'
import { mulHigh } from './limbs'

const LOW: u64 = 0xffffffff
const ONES: u64 = 0xffffffffffffffff

/** The product of two words, or a number that is to be divided: nine limbs. */
const wide = memory.data(72)
/** What a division leaves, and absolute values of signed operands. */
const left = memory.data(32)
const first = memory.data(32)
const second = memory.data(32)

/** The last modulus of a product that has more than 232 bits, and whether it is prepared for more of them. */
const lastModulus = memory.data(32)
let isPrepared = false

/** The last divisor of one limb (normalised) and its reciprocal: programs divide by the same numbers again and again. */
let knownDivisor: u64 = 0
let knownReciprocal: u64 = 0

// @ts-ignore: decorators of functions
@inline
function set(result: usize, r0: u64, r1: u64, r2: u64, r3: u64): void {
  store<u64>(result, r0)
  store<u64>(result, r1, 8)
  store<u64>(result, r2, 16)
  store<u64>(result, r3, 24)
}

// @ts-ignore: decorators of functions
@inline
function copy(from: usize, result: usize): void {
  set(result, load<u64>(from), load<u64>(from, 8), load<u64>(from, 16), load<u64>(from, 24))
}

// @ts-ignore: decorators of functions
@inline
function isZero(a: usize): bool {
  return (load<u64>(a) | load<u64>(a, 8) | load<u64>(a, 16) | load<u64>(a, 24)) == 0
}

/** Whether `a` is less than `b`. */
// @ts-ignore: decorators of functions
@inline
function less(a: usize, b: usize): bool {
  if (load<u64>(a, 24) != load<u64>(b, 24)) return load<u64>(a, 24) < load<u64>(b, 24)
  if (load<u64>(a, 16) != load<u64>(b, 16)) return load<u64>(a, 16) < load<u64>(b, 16)
  if (load<u64>(a, 8) != load<u64>(b, 8)) return load<u64>(a, 8) < load<u64>(b, 8)
  return load<u64>(a) < load<u64>(b)
}

/** Writes -a. */
function negate(a: usize, result: usize): void {
  const a0 = load<u64>(a)
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const none0 = u64(a0 == 0)
  const none1 = none0 & u64(a1 == 0)
  const none2 = none1 & u64(a2 == 0)
  set(result, 0 - a0, ~a1 + none0, ~a2 + none1, ~load<u64>(a, 24) + none2)
}

// @ts-ignore: decorators of functions
@inline
function absolute(a: usize, result: usize): void {
  if (<i64>load<u64>(a, 24) < 0) negate(a, result)
  else copy(a, result)
}

/** Writes a * b. */
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
  // Row by row: each line adds the product of two limbs at its place, with the carry of the line before.
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

/** Writes the product of a word and one limb. */
// @ts-ignore: decorators of functions
@inline
function scale(a0: u64, a1: u64, a2: u64, a3: u64, factor: u64, result: usize): void {
  const carry0 = mulHigh(a0, factor)
  const r1 = a1 * factor + carry0
  const carry1 = mulHigh(a1, factor) + u64(r1 < carry0)
  const r2 = a2 * factor + carry1
  const carry2 = mulHigh(a2, factor) + u64(r2 < carry1)
  set(result, a0 * factor, r1, r2, a3 * factor + carry2)
}

/** Writes the eight limbs of a * b to `wide`. */
// @ts-ignore: decorators of functions
@inline
function multiplyWide(a: usize, b: usize): void {
  const b0 = load<u64>(b)
  const b1 = load<u64>(b, 8)
  const b2 = load<u64>(b, 16)
  const b3 = load<u64>(b, 24)
  let r0: u64 = 0
  let r1: u64 = 0
  let r2: u64 = 0
  let r3: u64 = 0
  for (let i: usize = 0; i < 32; i += 8) {
    const limb = load<u64>(a + i)
    let part = limb * b0
    let sum = part + r0
    let carry = mulHigh(limb, b0) + u64(sum < part)
    store<u64>(wide + i, sum)

    part = limb * b1
    sum = part + r1
    let more = u64(sum < part)
    r0 = sum + carry
    carry = mulHigh(limb, b1) + more + u64(r0 < sum)

    part = limb * b2
    sum = part + r2
    more = u64(sum < part)
    r1 = sum + carry
    carry = mulHigh(limb, b2) + more + u64(r1 < sum)

    part = limb * b3
    sum = part + r3
    more = u64(sum < part)
    r2 = sum + carry
    r3 = mulHigh(limb, b3) + more + u64(r2 < sum)
  }
  set(wide + 32, r0, r1, r2, r3)
}

/**
 * Returns floor((2^128 - 1) / divisor) - 2^64 of a divisor whose highest bit is set.
 *
 * Two digits of 32 bits by the processor's own division (Knuth, volume 2, 4.3.1, algorithm D).
 */
function reciprocalOf(divisor: u64): u64 {
  const high = divisor >> 32
  const low = divisor & LOW
  // (2^128 - 1) - 2^64 * divisor, divided by the divisor: its upper half is ~divisor, its lower half all ones.
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

// @ts-ignore: decorators of functions
@inline
function reciprocal(divisor: u64): u64 {
  if (divisor == knownDivisor) return knownReciprocal
  const found = reciprocalOf(divisor)
  knownDivisor = divisor
  knownReciprocal = found
  return found
}

/** Returns the reciprocal of the two limbs (d1, d0), the highest bit of d1 being set (Möller and Granlund, algorithm 6). */
// @ts-ignore: decorators of functions
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

/**
 * Divides the `count` limbs at `a` by one limb that is not 0. Writes as many limbs of the quotient unless `quotient` is 0 (it may be `a`);
 * returns the remainder.
 */
function divideByLimb(a: usize, count: usize, divisor: u64, quotient: usize): u64 {
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
    // Möller and Granlund, algorithm 4: (r, u) / d.
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
 * Divides the `count` limbs at `a` (four or more) by a divisor of two to four limbs. Writes the remainder to `left`, and `count` limbs of
 * the quotient unless `quotient` is 0 (it may be `a`).
 *
 * Knuth's algorithm D, its quotient digits by the reciprocal of the divisor's two upper limbs (Möller and Granlund, algorithm 5).
 * The divisor is shifted until the highest of its 256 bits is set, the dividend as far.
 */
function divideByLimbs(a: usize, count: usize, divisor: usize, quotient: usize): void {
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
  // (r3, r2, r1, r0) is what is left so far, less than the divisor; limbs of the dividend follow from above.
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
        // q and (s3, s2): (r3, r2, r1) divided by (d3, d2).
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
      // (over, s3, s2, r0, u) - q * (d1, d0)
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
        // The digit was too large by one, which is rare.
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

// @ts-ignore: decorators of functions
@inline
function isPowerOfTwo(a: usize): bool {
  return (
    popcnt(load<u64>(a)) + popcnt(load<u64>(a, 8)) + popcnt(load<u64>(a, 16)) + popcnt(load<u64>(a, 24)) == 1
  )
}

/** Returns how many zero bits stand below the lowest bit of `a` that is set; `a` is not 0. */
function trailingZeros(a: usize): u64 {
  let i: usize = 0
  while (load<u64>(a + i) == 0) i += 8
  return ctz(load<u64>(a + i)) + (<u64>i << 3)
}

/** Writes a / b, rounded down. */
export function div(a: usize, b: usize, result: usize): void {
  if ((load<u64>(b, 8) | load<u64>(b, 16) | load<u64>(b, 24)) == 0) {
    const divisor = load<u64>(b)
    if ((divisor & (divisor - 1)) == 0) {
      if (divisor == 0) set(result, 0, 0, 0, 0)
      else shiftRight(a, ctz(divisor), 0, result)
    } else divideByLimb(a, 4, divisor, result)
  } else if (less(a, b)) set(result, 0, 0, 0, 0)
  else if (isPowerOfTwo(b)) shiftRight(a, trailingZeros(b), 0, result)
  else divideByLimbs(a, 4, b, result)
}

/** Writes a modulo b. */
export function mod(a: usize, b: usize, result: usize): void {
  if ((load<u64>(b, 8) | load<u64>(b, 16) | load<u64>(b, 24)) == 0) {
    const divisor = load<u64>(b)
    if ((divisor & (divisor - 1)) == 0) set(result, divisor == 0 ? 0 : load<u64>(a) & (divisor - 1), 0, 0, 0)
    else set(result, divideByLimb(a, 4, divisor, 0), 0, 0, 0)
  } else if (less(a, b)) copy(a, result)
  else {
    divideByLimbs(a, 4, b, 0)
    copy(left, result)
  }
}

/** Writes a / b of signed numbers, rounded towards zero; -2^255 / -1 is -2^255. */
export function sdiv(a: usize, b: usize, result: usize): void {
  const negative = (<i64>(load<u64>(a, 24) ^ load<u64>(b, 24))) < 0
  absolute(a, first)
  absolute(b, second)
  div(first, second, result)
  if (negative) negate(result, result)
}

/** Writes the remainder of a / b of signed numbers; it has the sign of a. */
export function smod(a: usize, b: usize, result: usize): void {
  const negative = <i64>load<u64>(a, 24) < 0
  absolute(a, first)
  absolute(b, second)
  mod(first, second, result)
  if (negative) negate(result, result)
}

/** Writes a + b modulo n; the sum has 257 bits. */
export function addmod(a: usize, b: usize, n: usize, result: usize): void {
  if (isZero(n)) {
    set(result, 0, 0, 0, 0)
    return
  }
  if (!less(a, n)) {
    mod(a, n, first)
    a = first
  }
  if (!less(b, n)) {
    mod(b, n, second)
    b = second
  }
  const n0 = load<u64>(n)
  const n1 = load<u64>(n, 8)
  const n2 = load<u64>(n, 16)
  const n3 = load<u64>(n, 24)
  // Both are less than n, so n is subtracted once at most.
  const a1 = load<u64>(a, 8)
  const a2 = load<u64>(a, 16)
  const a3 = load<u64>(a, 24)
  const s0 = load<u64>(a) + load<u64>(b)
  const carry0 = u64(s0 < load<u64>(a))
  const m1 = a1 + load<u64>(b, 8)
  const s1 = m1 + carry0
  const carry1 = u64(m1 < a1) + u64(s1 < carry0)
  const m2 = a2 + load<u64>(b, 16)
  const s2 = m2 + carry1
  const carry2 = u64(m2 < a2) + u64(s2 < carry1)
  const m3 = a3 + load<u64>(b, 24)
  const s3 = m3 + carry2
  const carry3 = u64(m3 < a3) + u64(s3 < carry2)

  const borrow0 = u64(s0 < n0)
  const d1 = s1 - n1
  const borrow1 = u64(s1 < n1) + u64(d1 < borrow0)
  const d2 = s2 - n2
  const borrow2 = u64(s2 < n2) + u64(d2 < borrow1)
  const d3 = s3 - n3
  const borrow3 = u64(s3 < n3) + u64(d3 < borrow2)
  if (borrow3 > carry3) set(result, s0, s1, s2, s3)
  else set(result, s0 - n0, d1 - borrow0, d2 - borrow1, d3 - borrow2)
}

/** Writes a * b modulo n; the product has 512 bits. */
export function mulmod(a: usize, b: usize, n: usize, result: usize): void {
  const n0 = load<u64>(n)
  const n3 = load<u64>(n, 24)
  const middle = load<u64>(n, 8) | load<u64>(n, 16)
  if ((middle | n3) == 0 && n0 <= 1) {
    set(result, 0, 0, 0, 0)
    return
  }
  const isNear = n0 != 0 && (load<u64>(n, 8) & load<u64>(n, 16) & n3) == ONES
  if (n3 >> 41 != 0 && !isNear && isKnown(n)) return multiplyModulo(a, b, result)
  multiplyWide(a, b)
  if ((middle | n3) == 0) set(result, divideByLimb(wide, 8, n0, 0), 0, 0, 0)
  else if (isZero(wide + 32)) mod(wide, n, result)
  else if (isNear) fold(0 - n0, result)
  else {
    divideByLimbs(wide, 8, n, 0)
    copy(left, result)
  }
}

/**
 * Whether n was the modulus of the last product too; then it is prepared for `multiplyModulo`. Programs that multiply modulo a number do so
 * again and again.
 */
function isKnown(n: usize): bool {
  const difference =
    (load<u64>(n) ^ load<u64>(lastModulus)) |
    (load<u64>(n, 8) ^ load<u64>(lastModulus, 8)) |
    (load<u64>(n, 16) ^ load<u64>(lastModulus, 16)) |
    (load<u64>(n, 24) ^ load<u64>(lastModulus, 24))
  if (difference != 0) {
    copy(n, lastModulus)
    isPrepared = false
    return false
  }
  if (!isPrepared) {
    // 2^522
    memory.fill(wide, 0, 64)
    store<u64>(wide, 1 << 10, 64)
    divideByLimbs(wide, 9, n, wide)
    useModulus(n, wide)
    isPrepared = true
  }
  return true
}

/** Writes the eight limbs of `wide` modulo n = 2^256 - c: 2^256 is c modulo n, so the upper half times c is added to the lower. */
function fold(c: u64, result: usize): void {
  const h0 = load<u64>(wide, 32)
  const h1 = load<u64>(wide, 40)
  const h2 = load<u64>(wide, 48)
  const h3 = load<u64>(wide, 56)
  let part = h0 * c
  let r0 = load<u64>(wide) + part
  let carry = mulHigh(h0, c) + u64(r0 < part)
  part = h1 * c
  let sum = load<u64>(wide, 8) + part
  let more = u64(sum < part)
  let r1 = sum + carry
  carry = mulHigh(h1, c) + more + u64(r1 < carry)
  part = h2 * c
  sum = load<u64>(wide, 16) + part
  more = u64(sum < part)
  let r2 = sum + carry
  carry = mulHigh(h2, c) + more + u64(r2 < carry)
  part = h3 * c
  sum = load<u64>(wide, 24) + part
  more = u64(sum < part)
  let r3 = sum + carry
  // At most c: once more for what exceeds 256 bits, and for what that carries.
  let top = mulHigh(h3, c) + more + u64(r3 < carry)
  while (top != 0) {
    part = top * c
    r0 += part
    carry = mulHigh(top, c) + u64(r0 < part)
    r1 += carry
    more = u64(r1 < carry)
    r2 += more
    more = u64(r2 < more)
    r3 += more
    top = u64(r3 < more)
  }
  set(result, r0, r1, r2, r3)
  if ((r1 & r2 & r3) == ONES && r0 >= 0 - c) set(result, r0 + c, 0, 0, 0)
}

/** Writes base^exponent. */
export function exp(base: usize, exponent: usize, result: usize): void {
  const e0 = load<u64>(exponent)
  const large = (load<u64>(exponent, 8) | load<u64>(exponent, 16) | load<u64>(exponent, 24)) != 0 || e0 > 255
  if (isZero(exponent) || (load<u64>(base) == 1 && (load<u64>(base, 8) | load<u64>(base, 16) | load<u64>(base, 24)) == 0)) {
    set(result, 1, 0, 0, 0)
    return
  }
  if ((load<u8>(base) & 1) == 0) {
    // An even base: each multiplication shifts its lowest bit out by so many.
    if (isZero(base)) {
      set(result, 0, 0, 0, 0)
      return
    }
    const zeros = trailingZeros(base)
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
  copy(base, first)
  copy(exponent, second)
  copy(first, left)
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
  copy(left, result)
}

/** Writes `value` with the sign bit of its byte `index` (0: the lowest) copied to all bits above. */
export function signextend(index: usize, value: usize, result: usize): void {
  const place = load<u64>(index)
  const beyond = place > 30 || (load<u64>(index, 8) | load<u64>(index, 16) | load<u64>(index, 24)) != 0
  let x0 = load<u64>(value)
  let x1 = load<u64>(value, 8)
  let x2 = load<u64>(value, 16)
  let x3 = load<u64>(value, 24)
  if (!beyond) {
    const shift = (7 - (place & 7)) << 3
    const limb = place >> 3
    if (limb == 0) {
      x0 = <u64>((<i64>(x0 << shift)) >> shift)
      x1 = x2 = x3 = <u64>(<i64>x0 >> 63)
    } else if (limb == 1) {
      x1 = <u64>((<i64>(x1 << shift)) >> shift)
      x2 = x3 = <u64>(<i64>x1 >> 63)
    } else if (limb == 2) {
      x2 = <u64>((<i64>(x2 << shift)) >> shift)
      x3 = <u64>(<i64>x2 >> 63)
    } else x3 = <u64>((<i64>(x3 << shift)) >> shift)
  }
  set(result, x0, x1, x2, x3)
}

/** Writes byte `index` of `value`, counted from the highest; 0 from 32 on. */
export function byte(index: usize, value: usize, result: usize): void {
  const place = load<u64>(index)
  const beyond = place > 31 || (load<u64>(index, 8) | load<u64>(index, 16) | load<u64>(index, 24)) != 0
  set(result, beyond ? 0 : load<u8>(value + 31 - <usize>place), 0, 0, 0)
}

/** Writes value << count of less than 256 bits. */
// @ts-ignore: decorators of functions
@inline
function shiftLeft(value: usize, count: u64, result: usize): void {
  let x0 = load<u64>(value)
  let x1 = load<u64>(value, 8)
  let x2 = load<u64>(value, 16)
  let x3 = load<u64>(value, 24)
  if (count & 128) {
    x3 = x1
    x2 = x0
    x1 = 0
    x0 = 0
  }
  if (count & 64) {
    x3 = x2
    x2 = x1
    x1 = x0
    x0 = 0
  }
  const shift = count & 63
  const back = shift ^ 63
  set(
    result,
    x0 << shift,
    (x1 << shift) | ((x0 >> 1) >> back),
    (x2 << shift) | ((x1 >> 1) >> back),
    (x3 << shift) | ((x2 >> 1) >> back),
  )
}

/** Writes value >> count of less than 256 bits; `fill` comes in from above. */
// @ts-ignore: decorators of functions
@inline
function shiftRight(value: usize, count: u64, fill: u64, result: usize): void {
  let x0 = load<u64>(value)
  let x1 = load<u64>(value, 8)
  let x2 = load<u64>(value, 16)
  let x3 = load<u64>(value, 24)
  if (count & 128) {
    x0 = x2
    x1 = x3
    x2 = fill
    x3 = fill
  }
  if (count & 64) {
    x0 = x1
    x1 = x2
    x2 = x3
    x3 = fill
  }
  const shift = count & 63
  const back = shift ^ 63
  set(
    result,
    (x0 >> shift) | ((x1 << 1) << back),
    (x1 >> shift) | ((x2 << 1) << back),
    (x2 >> shift) | ((x3 << 1) << back),
    (x3 >> shift) | ((fill << 1) << back),
  )
}

// @ts-ignore: decorators of functions
@inline
function shiftsAllOut(count: usize): bool {
  return load<u64>(count) > 255 || (load<u64>(count, 8) | load<u64>(count, 16) | load<u64>(count, 24)) != 0
}

/** Writes value << count. */
export function shl(count: usize, value: usize, result: usize): void {
  if (shiftsAllOut(count)) set(result, 0, 0, 0, 0)
  else shiftLeft(value, load<u64>(count), result)
}

/** Writes value >> count; zeros come in. */
export function shr(count: usize, value: usize, result: usize): void {
  if (shiftsAllOut(count)) set(result, 0, 0, 0, 0)
  else shiftRight(value, load<u64>(count), 0, result)
}

/** Writes value >> count; the sign bit comes in. */
export function sar(count: usize, value: usize, result: usize): void {
  const sign = <u64>(<i64>load<u64>(value, 24) >> 63)
  if (shiftsAllOut(count)) set(result, sign, sign, sign, sign)
  else shiftRight(value, load<u64>(count), sign, result)
}

/** Writes how many zero bits stand above the highest bit that is set (EIP-7939); 256 of zero. */
function leadingZeros(a: usize, result: usize): void {
  const a3 = load<u64>(a, 24)
  const a2 = load<u64>(a, 16)
  const a1 = load<u64>(a, 8)
  let zeros: u64 = 0
  if (a3 != 0) zeros = clz(a3)
  else if (a2 != 0) zeros = 64 + clz(a2)
  else if (a1 != 0) zeros = 128 + clz(a1)
  else zeros = 192 + clz(load<u64>(a))
  set(result, zeros, 0, 0, 0)
}

export { leadingZeros as clz }
