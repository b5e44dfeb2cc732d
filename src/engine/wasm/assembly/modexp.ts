/**
 * base^exponent modulo modulus, of numbers of any length in bytes, the highest first (EIP-198).
 *
 * Modulus = odd * 2^twos. Modulo the odd part: Montgomery multiplication, and windows of bits of the exponent. Modulo 2^twos: the lower limbs of
 * products. Both together by the Chinese remainder theorem (Ç. K. Koç, "Montgomery reduction with even modulus", 1994).
 *
 * Limbs have 27 bits in 32: a column of up to 1,000 products of 54 bits is summed in 64 bits without a carry. Values modulo the odd part are less
 * than twice of it, since R = 2^(27 n) is more than four times of it; so multiplication needs no comparison at its end.
 *
 * A modulus of at most 64 bits has a way of its own (`modexpOfLimb.ts`).
 *
 * A call can take a second: `modexpStart`, `modexpRun` for some work at a time, and `modexpEnd` do in pieces what `modexp` does at once.
 */
import { startLimb } from './modexpOfLimb'
import { DIGIT_WORK, fillTable, findSquare, raise, raiseOne, reduceBase, startEven, windowOf } from './modexpPower'
import { double, subtract } from './modexpProducts'
import {
  ARRAYS,
  BASE,
  BASE_LENGTH,
  BITS,
  bitsOf,
  DONE,
  EXPONENT,
  EXPONENT_LENGTH,
  FILL_TABLE,
  FIND_SQUARE,
  get,
  INVERSE,
  LIMB,
  limbAt,
  LIMBS,
  limbsNow,
  MASK,
  MODULUS_LENGTH,
  ODD,
  PHASE,
  put,
  RAISE,
  RAISE_LIMB,
  REDUCE_BASE,
  REST,
  roomOf,
  SHIFTED,
  TABLE,
  TEMPORARY,
  TWO_LIMBS,
  TWOS,
  WINDOW,
} from './modexpState'

/** Returns how many bytes of scratch space a call needs. */
export function modexpScratch(exponentLength: usize, modulusLength: usize): usize {
  const bits: usize = exponentLength > 192 ? 1537 : exponentLength * 8
  return ARRAYS + 4 * roomOf(modulusLength) * (8 + (1 << windowOf(bits)))
}

/** Prepares a call. The operands stay where they are until it ends. */
export function modexpStart(
  base: usize,
  baseLength: usize,
  exponent: usize,
  exponentLength: usize,
  modulus: usize,
  modulusLength: usize,
  scratch: usize,
): void {
  const room = roomOf(modulusLength)
  const modulusBits = bitsOf(modulus, modulusLength)
  const exponentBits = bitsOf(exponent, exponentLength)
  memory.fill(scratch, 0, ARRAYS + 4 * 8 * room)
  put(scratch, BASE, base)
  put(scratch, BASE_LENGTH, baseLength)
  put(scratch, EXPONENT, exponent)
  put(scratch, EXPONENT_LENGTH, exponentLength)
  put(scratch, MODULUS_LENGTH, modulusLength)
  let place = scratch + ARRAYS
  for (let field = ODD; field <= TABLE; field += 4) {
    put(scratch, field, place)
    // The factors of a reduction, and a whole product, are twice as long.
    place += 4 * (field == TEMPORARY ? 2 * room : room)
  }
  put(scratch, PHASE, DONE)
  if (modulusBits <= 1) return
  if (exponentBits == 0) {
    store<u32>(get(scratch, TEMPORARY), 1)
    return
  }
  if (modulusBits <= 64) {
    startLimb(scratch + LIMB, base, baseLength, modulus, modulusLength)
    put(scratch, REST, (exponentBits + 3) >> 2)
    put(scratch, PHASE, RAISE_LIMB)
    return
  }
  put(scratch, WINDOW, windowOf(exponentBits))
  let twos: usize = 0
  while (load<u8>(modulus + modulusLength - 1 - (twos >> 3)) == 0) twos += 8
  twos += ctz<u32>(load<u8>(modulus + modulusLength - 1 - (twos >> 3)))
  put(scratch, TWOS, twos)
  put(scratch, TWO_LIMBS, (twos + BITS - 1) / BITS)
  const oddBits = modulusBits - twos
  if (oddBits == 1) {
    startEven(scratch)
    return
  }
  const limbs = (oddBits + 2 + BITS - 1) / BITS
  put(scratch, LIMBS, limbs)
  const odd = get(scratch, ODD)
  for (let i: usize = 0; i < limbs; i++) store<u32>(odd + 4 * i, limbAt(modulus, modulusLength, twos + BITS * i))
  // -1 / odd modulo 2^27: each step doubles the bits that are right, 3 at first (Newton).
  const lowest = load<u32>(odd)
  let inverse = lowest
  for (let i = 0; i < 4; i++) inverse *= 2 - lowest * inverse
  put(scratch, INVERSE, (0 - inverse) & <u32>MASK)
  // 2^t * R is the Montgomery form of 2^t. R^2 is that of R = 2^(27 n): the upper bits of 27 n by doubling here, the others by squaring.
  const target = BITS * limbs
  let low: usize = 31 - clz<u32>(<u32>target)
  low = low > 2 ? low - 2 : 0
  const shifted = get(scratch, SHIFTED)
  store<u32>(shifted + 4 * (oddBits / BITS), 1 << <u32>(oddBits % BITS))
  subtract(shifted, odd, limbs)
  for (let i = target + (target >> low) - oddBits; i != 0; i--) double(shifted, odd, limbs)
  put(scratch, REST, low)
  put(scratch, PHASE, FIND_SQUARE)
}

/** Does about so many products of limbs (a million take about a millisecond); returns whether all is done. */
export function modexpRun(scratch: usize, products: u64): bool {
  let spent: u64 = 0
  while (get(scratch, PHASE) != DONE) {
    if (spent >= products) return false
    if (get(scratch, PHASE) == RAISE_LIMB) {
      spent += raiseOne(scratch, (products - spent) / DIGIT_WORK + 1) * DIGIT_WORK
      continue
    }
    const limbs = <u64>limbsNow(scratch)
    spent += 2 * limbs * limbs + 64
    const phase = get(scratch, PHASE)
    if (phase == RAISE) raise(scratch)
    else if (phase == FILL_TABLE) fillTable(scratch)
    else if (phase == REDUCE_BASE) reduceBase(scratch)
    else findSquare(scratch)
  }
  return true
}

/** Writes the result: as many bytes as the modulus has. */
export function modexpEnd(scratch: usize, result: usize): void {
  const length = get(scratch, MODULUS_LENGTH)
  let limb = get(scratch, TEMPORARY)
  let bits: u64 = 0
  let known: u64 = 0
  for (let i = length; i != 0; ) {
    i--
    if (known < 8) {
      bits |= (<u64>load<u32>(limb)) << known
      known += <u64>BITS
      limb += 4
    }
    store<u8>(result + i, <u32>bits)
    bits >>= 8
    known -= 8
  }
}

/** Writes base^exponent modulo modulus, all at once; zeros if the modulus is 0. `scratch` has `modexpScratch(…)` bytes. */
export function modexp(
  base: usize,
  baseLength: usize,
  exponent: usize,
  exponentLength: usize,
  modulus: usize,
  modulusLength: usize,
  result: usize,
  scratch: usize,
): void {
  modexpStart(base, baseLength, exponent, exponentLength, modulus, modulusLength, scratch)
  modexpRun(scratch, u64.MAX_VALUE)
  modexpEnd(scratch, result)
}
