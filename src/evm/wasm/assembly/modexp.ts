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

import { LIMB_STATE, limbResult, raiseLimb, startLimb } from './modexpOfLimb'

const BITS: usize = 27
const MASK: u64 = (1 << 27) - 1
/** Steps of a column, each of two products, after which what exceeds a limb is put aside. */
const COLUMN: usize = 448

/** Fields of the scratch space: what comes next, numbers, and pointers. */
const PHASE: usize = 0
const EVEN: usize = 4
const LIMBS: usize = 8
const TWO_LIMBS: usize = 12
const TWOS: usize = 16
const INVERSE: usize = 20
const WINDOW: usize = 24
const REST: usize = 28
const SQUARES: usize = 32
const BASE: usize = 36
const BASE_LENGTH: usize = 40
const EXPONENT: usize = 44
const EXPONENT_LENGTH: usize = 48
const MODULUS_LENGTH: usize = 52
const ODD: usize = 56
const FACTORS: usize = 60
const TEMPORARY: usize = 64
const POWER: usize = 68
const SHIFTED: usize = 72
const REMAINDER: usize = 76
const TABLE: usize = 80
const LIMB: usize = 88
const ARRAYS: usize = LIMB + LIMB_STATE

/** Phases: R^2 modulo the odd part, the base, the table of its powers, the power, done; or the power modulo one limb, and done. */
const FIND_SQUARE: usize = 1
const REDUCE_BASE: usize = 2
const FILL_TABLE: usize = 3
const RAISE: usize = 4
const DONE: usize = 5
const RAISE_LIMB: usize = 6

/** The work of a digit of four bits modulo one limb, in products of limbs. */
const DIGIT_WORK: u64 = 40

// @ts-ignore: decorators of functions
@inline
function get(scratch: usize, field: usize): usize {
  return load<usize>(scratch + field)
}

// @ts-ignore: decorators of functions
@inline
function put(scratch: usize, field: usize, value: usize): void {
  store<usize>(scratch + field, value)
}

/** Limbs of the part of the modulus that is worked on. */
function limbsNow(scratch: usize): usize {
  return get(scratch, EVEN) ? get(scratch, TWO_LIMBS) : get(scratch, LIMBS)
}

/** Bits of the exponent that are taken at a time. */
function windowOf(bits: usize): usize {
  if (bits <= 32) return 1
  if (bits <= 96) return 3
  if (bits <= 512) return 4
  return bits <= 1536 ? 5 : 6
}

/** Limbs of each array: as many as the odd part needs with two bits more, and one of reserve. */
function roomOf(modulusLength: usize): usize {
  return (modulusLength * 8 + 2) / BITS + 2
}

/** Returns how many bytes of scratch space a call needs. */
export function modexpScratch(exponentLength: usize, modulusLength: usize): usize {
  const bits: usize = exponentLength > 192 ? 1537 : exponentLength * 8
  return ARRAYS + 4 * roomOf(modulusLength) * (8 + (1 << windowOf(bits)))
}

/** The bits `bit` to `bit` + 26, counted from the lowest, of a number in bytes. */
function limbAt(bytes: usize, length: usize, bit: usize): u32 {
  const from = bit >> 3
  let bits: u64 = 0
  for (let i: usize = 0; i < 5; i++) {
    if (from + i < length) bits |= (<u64>load<u8>(bytes + length - 1 - from - i)) << (<u64>i << 3)
  }
  return <u32>((bits >> (bit & 7)) & MASK)
}

/** How many bits a number in bytes has. */
function bitsOf(bytes: usize, length: usize): usize {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(bytes + i)
    if (byte != 0) return (length - i) * 8 - (clz<u32>(byte) - 24)
  }
  return 0
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

/** Does the rest modulo 2^twos. */
function startEven(scratch: usize): void {
  put(scratch, EVEN, 1)
  const limbs = get(scratch, TWO_LIMBS)
  const entry = get(scratch, TABLE) + 4 * limbs
  for (let i: usize = 0; i < limbs; i++) {
    store<u32>(entry + 4 * i, limbAt(get(scratch, BASE), get(scratch, BASE_LENGTH), BITS * i))
  }
  cut(scratch, entry)
  put(scratch, REST, 2)
  put(scratch, PHASE, FILL_TABLE)
}

/** Drops the bits of a number modulo 2^twos that its highest limb has too many. */
function cut(scratch: usize, a: usize): void {
  const limbs = get(scratch, TWO_LIMBS)
  const bits = get(scratch, TWOS) - BITS * (limbs - 1)
  const highest = a + 4 * (limbs - 1)
  store<u32>(highest, load<u32>(highest) & <u32>((<usize>1 << bits) - 1))
}

/** a -= b if a is not less than b, or returns false. */
function subtractIfMore(a: usize, b: usize, limbs: usize): bool {
  let i: usize = 4 * limbs
  while (i != 0) {
    i -= 4
    const x = load<u32>(a + i)
    const y = load<u32>(b + i)
    if (x < y) return false
    if (x > y) break
  }
  subtract(a, b, limbs)
  return true
}

function subtract(a: usize, b: usize, limbs: usize): void {
  let carry: i32 = 0
  for (let i: usize = 0; i < 4 * limbs; i += 4) {
    carry += <i32>load<u32>(a + i) - <i32>load<u32>(b + i)
    store<u32>(a + i, carry & <i32>MASK)
    carry >>= <i32>BITS
  }
}

/** a = 2 a modulo `odd`; a is less than `odd`. */
function double(a: usize, odd: usize, limbs: usize): void {
  let carry: u32 = 0
  for (let i: usize = 0; i < 4 * limbs; i += 4) {
    carry += load<u32>(a + i) << 1
    store<u32>(a + i, carry & <u32>MASK)
    carry >>= <u32>BITS
  }
  subtractIfMore(a, odd, limbs)
}

/** Adds `count` products of a upwards and b downwards, and of c upwards and d downwards. */
// @ts-ignore: decorators of functions
@inline
function addProducts(sum: u64, a: usize, b: usize, c: usize, d: usize, count: usize): u64 {
  for (const end = a + 4 * count; a < end; a += 4) {
    sum += <u64>load<u32>(a) * <u64>load<u32>(b) + <u64>load<u32>(c) * <u64>load<u32>(d)
    b -= 4
    c += 4
    d -= 4
  }
  return sum
}

/**
 * result = a b / R modulo the odd part; less than twice of it if a b is less than R times the odd part. `result` may be a or b.
 *
 * Column by column ("finely integrated product scanning"; Koç, Acar and Kaliski, "Analyzing and comparing Montgomery multiplication
 * algorithms", 1996).
 */
function montgomery(scratch: usize, a: usize, b: usize, result: usize): void {
  const limbs = get(scratch, LIMBS)
  const odd = get(scratch, ODD)
  const factors = get(scratch, FACTORS)
  const inverse = <u32>get(scratch, INVERSE)
  let sum: u64 = 0
  for (let column: usize = 0; column < 2 * limbs; column++) {
    const first: usize = column < limbs ? 0 : column - limbs + 1
    const last: usize = column < limbs ? column : limbs
    let count = last - first
    let low: usize = 4 * first
    let high: usize = 4 * (column - first)
    let aside: u64 = 0
    while (count > COLUMN) {
      sum = addProducts(sum, a + low, b + high, factors + low, odd + high, COLUMN)
      aside += sum >> BITS
      sum &= MASK
      low += 4 * COLUMN
      high -= 4 * COLUMN
      count -= COLUMN
    }
    sum = addProducts(sum, a + low, b + high, factors + low, odd + high, count)
    if (column < limbs) {
      sum += <u64>load<u32>(a + 4 * column) * <u64>load<u32>(b)
      const factor = (<u32>sum * inverse) & <u32>MASK
      store<u32>(factors + 4 * column, factor)
      sum += <u64>factor * <u64>load<u32>(odd)
    } else store<u32>(result + 4 * (column - limbs), <u32>(sum & MASK))
    sum = (sum >> BITS) + aside
  }
}

/** result = a b modulo 2^twos. `result` may be a or b. */
function multiplyLow(scratch: usize, a: usize, b: usize, result: usize): void {
  const limbs = get(scratch, TWO_LIMBS)
  const product = get(scratch, FACTORS)
  let sum: u64 = 0
  for (let column: usize = 0; column < limbs; column++) {
    let aside: u64 = 0
    for (let i: usize = 0; i <= column; i++) {
      sum += <u64>load<u32>(a + 4 * i) * <u64>load<u32>(b + 4 * (column - i))
      if ((i & 511) == 511) {
        aside += sum >> BITS
        sum &= MASK
      }
    }
    store<u32>(product + 4 * column, <u32>(sum & MASK))
    sum = (sum >> BITS) + aside
  }
  memory.copy(result, product, 4 * limbs)
  cut(scratch, result)
}

// @ts-ignore: decorators of functions
@inline
function multiply(scratch: usize, a: usize, b: usize, result: usize): void {
  if (get(scratch, EVEN)) multiplyLow(scratch, a, b, result)
  else montgomery(scratch, a, b, result)
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

/** Raises to at most so many digits of the exponent, modulo one limb. Returns how many there were. */
function raiseOne(scratch: usize, most: u64): u64 {
  const rest = get(scratch, REST)
  const digits: usize = <u64>rest < most ? rest : <usize>most
  const state = scratch + LIMB
  raiseLimb(state, get(scratch, EXPONENT), get(scratch, EXPONENT_LENGTH), rest, rest - digits)
  put(scratch, REST, rest - digits)
  if (rest == digits) {
    let power = limbResult(state)
    for (let limb = get(scratch, TEMPORARY); power != 0; limb += 4) {
      store<u32>(limb, <u32>(power & MASK))
      power >>= BITS
    }
    put(scratch, PHASE, DONE)
  }
  return <u64>digits
}

/** One bit of 27 n. */
function findSquare(scratch: usize): void {
  const limbs = get(scratch, LIMBS)
  const shifted = get(scratch, SHIFTED)
  let rest = get(scratch, REST)
  if (rest != 0) {
    rest--
    montgomery(scratch, shifted, shifted, shifted)
    subtractIfMore(shifted, get(scratch, ODD), limbs)
    if (((BITS * limbs) >> rest) & 1) double(shifted, get(scratch, ODD), limbs)
    put(scratch, REST, rest)
  }
  if (rest != 0) return
  // As many pieces as long as the modulus as the base has.
  const bits = bitsOf(get(scratch, BASE), get(scratch, BASE_LENGTH))
  put(scratch, REST, (bits + BITS * limbs - 1) / (BITS * limbs))
  put(scratch, PHASE, REDUCE_BASE)
}

/** One piece of the base, from the highest: what is there times R, and the piece, in Montgomery form. */
function reduceBase(scratch: usize): void {
  const limbs = get(scratch, LIMBS)
  const base = get(scratch, TABLE) + 4 * limbs
  const odd = get(scratch, ODD)
  let rest = get(scratch, REST)
  if (get(scratch, SQUARES) == 0) {
    // The first piece.
    memory.fill(base, 0, 4 * limbs)
    put(scratch, SQUARES, 1)
  } else montgomery(scratch, base, get(scratch, SHIFTED), base)
  if (rest != 0) {
    rest--
    put(scratch, REST, rest)
    const piece = get(scratch, TEMPORARY)
    for (let i: usize = 0; i < limbs; i++) {
      const limb = limbAt(get(scratch, BASE), get(scratch, BASE_LENGTH), BITS * (limbs * rest + i))
      store<u32>(piece + 4 * i, limb)
    }
    montgomery(scratch, piece, get(scratch, SHIFTED), piece)
    let carry: u32 = 0
    for (let i: usize = 0; i < 4 * limbs; i += 4) {
      carry += load<u32>(base + i) + load<u32>(piece + i)
      store<u32>(base + i, carry & <u32>MASK)
      carry >>= <u32>BITS
    }
    // Less than four times the odd part.
    subtractIfMore(base, odd, limbs)
    subtractIfMore(base, odd, limbs)
  }
  if (rest != 0) return
  put(scratch, REST, 2)
  put(scratch, PHASE, FILL_TABLE)
}

/** One power of the base: entry i is base^i. */
function fillTable(scratch: usize): void {
  const limbs = limbsNow(scratch)
  const table = get(scratch, TABLE)
  const window = get(scratch, WINDOW)
  const index = get(scratch, REST)
  if (index < 1 << window) {
    const entry = table + 4 * limbs * index
    multiply(scratch, entry - 4 * limbs, table + 4 * limbs, entry)
    put(scratch, REST, index + 1)
    return
  }
  // The first bits, so that windows remain that are whole.
  const bits = bitsOf(get(scratch, EXPONENT), get(scratch, EXPONENT_LENGTH))
  const rest = ((bits - 1) / window) * window
  memory.copy(get(scratch, POWER), table + 4 * limbs * bitsAt(scratch, rest), 4 * limbs)
  put(scratch, REST, rest)
  put(scratch, SQUARES, 0)
  put(scratch, PHASE, RAISE)
}

/** The window of the exponent that begins at `bit`. */
function bitsAt(scratch: usize, bit: usize): usize {
  return <usize>limbAt(get(scratch, EXPONENT), get(scratch, EXPONENT_LENGTH), bit) & ((<usize>1 << get(scratch, WINDOW)) - 1)
}

/** One squaring, and after as many as a window has bits the power that it names. */
function raise(scratch: usize): void {
  const rest = get(scratch, REST)
  const power = get(scratch, POWER)
  if (rest == 0) {
    finish(scratch)
    return
  }
  multiply(scratch, power, power, power)
  const squares = get(scratch, SQUARES) + 1
  if (squares < get(scratch, WINDOW)) {
    put(scratch, SQUARES, squares)
    return
  }
  put(scratch, SQUARES, 0)
  put(scratch, REST, rest - squares)
  const index = bitsAt(scratch, rest - squares)
  if (index == 0) return
  const limbs = limbsNow(scratch)
  multiply(scratch, power, get(scratch, TABLE) + 4 * limbs * index, power)
}

/** The power modulo the odd part, or modulo 2^twos, is found. */
function finish(scratch: usize): void {
  const limbs = get(scratch, LIMBS)
  const odd = get(scratch, ODD)
  const power = get(scratch, POWER)
  if (!get(scratch, EVEN)) {
    // Out of Montgomery form.
    const remainder = get(scratch, REMAINDER)
    const one = get(scratch, TEMPORARY)
    memory.fill(one, 0, 4 * limbs)
    store<u32>(one, 1)
    montgomery(scratch, power, one, remainder)
    subtractIfMore(remainder, odd, limbs)
    if (get(scratch, TWOS) != 0) {
      startEven(scratch)
      return
    }
    memory.copy(one, remainder, 4 * limbs)
  } else combine(scratch)
  put(scratch, PHASE, DONE)
}

/** remainder + odd * ((power - remainder) / odd modulo 2^twos) */
function combine(scratch: usize): void {
  const limbs = get(scratch, LIMBS)
  const twoLimbs = get(scratch, TWO_LIMBS)
  const odd = get(scratch, ODD)
  const remainder = get(scratch, REMAINDER)
  const power = get(scratch, POWER)
  const result = get(scratch, TEMPORARY)
  if (limbs == 0) {
    memory.copy(result, power, 4 * twoLimbs)
    return
  }
  const inverse = 0 - <u32>get(scratch, INVERSE)
  subtract(power, remainder, twoLimbs)
  // Division from the lowest limb upwards is exact: each digit makes one limb zero, and stands where that was.
  for (let i: usize = 0; i < twoLimbs; i++) {
    const digit = (load<u32>(power + 4 * i) * inverse) & <u32>MASK
    let carry: i64 = 0
    for (let j = i; j < twoLimbs; j++) {
      carry += load<u32>(power + 4 * j)
      if (j - i < limbs) carry -= <i64>((<u64>digit) * (<u64>load<u32>(odd + 4 * (j - i))))
      store<u32>(power + 4 * j, <u32>(carry & MASK))
      carry >>= BITS
    }
    store<u32>(power + 4 * i, digit)
  }
  cut(scratch, power)
  memory.fill(result, 0, 4 * (limbs + twoLimbs))
  memory.copy(result, remainder, 4 * limbs)
  for (let i: usize = 0; i < twoLimbs; i++) {
    const digit: u64 = load<u32>(power + 4 * i)
    let carry: u64 = 0
    for (let j: usize = 0; j < limbs || carry != 0; j++) {
      carry += load<u32>(result + 4 * (i + j))
      if (j < limbs) carry += digit * load<u32>(odd + 4 * j)
      store<u32>(result + 4 * (i + j), <u32>(carry & MASK))
      carry >>= BITS
    }
  }
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
