// ADDMOD and MULMOD. The result modulo zero is zero, as in the EVM.
import { multiplyModulo, useModulus } from './barrett'
import { divideByLimb, divideByLimbs, first, left, mod, second } from './division'
import { copy, isEqual, isLess, isZero, mulHigh, ONES, set } from './words'

/** Nine limbs for a dividend, such as the product of two words. */
const wide = memory.data(72)

/** The last modulus of more than 232 bits, and whether `multiplyModulo` is prepared for that modulus. */
const lastModulus = memory.data(32)

let isPrepared = false

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

/** Writes (a + b) modulo n; the sum may have 257 bits. */
export function addmod(a: usize, b: usize, n: usize, result: usize): void {
  if (isZero(n)) {
    set(result, 0, 0, 0, 0)
    return
  }
  if (!isLess(a, n)) {
    mod(a, n, first)
    a = first
  }
  if (!isLess(b, n)) {
    mod(b, n, second)
    b = second
  }
  const n0 = load<u64>(n)
  const n1 = load<u64>(n, 8)
  const n2 = load<u64>(n, 16)
  const n3 = load<u64>(n, 24)
  // Both operands are less than n, so n is subtracted at most once.
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

/** Writes (a * b) modulo n; the product may have 512 bits. */
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
    copy(result, left)
  }
}

/** Returns whether n was also the modulus of the previous call. If so, prepares `multiplyModulo` for n. */
function isKnown(n: usize): bool {
  if (!isEqual(n, lastModulus)) {
    copy(lastModulus, n)
    isPrepared = false
    return false
  }
  if (!isPrepared) {
    // `wide` is the dividend 2^522.
    memory.fill(wide, 0, 64)
    store<u64>(wide, 1 << 10, 64)
    divideByLimbs(wide, 9, n, wide)
    useModulus(n, wide)
    isPrepared = true
  }
  return true
}

/** Writes `wide` modulo n = 2^256 - c: the upper half times c is added to the lower half. */
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
  // The overflow beyond 256 bits is at most c. It is reduced in the same way.
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
