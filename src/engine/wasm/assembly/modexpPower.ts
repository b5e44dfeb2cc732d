// The phases of a modular exponentiation: each does some work at a time, and says what comes next.
import { limbResult, raiseLimb } from './modexpOfLimb'
import { cut, double, montgomery, multiply, subtract, subtractIfMore } from './modexpProducts'
import {
  BASE,
  BASE_LENGTH,
  BITS,
  bitsOf,
  DONE,
  EVEN,
  EXPONENT,
  EXPONENT_LENGTH,
  FILL_TABLE,
  get,
  INVERSE,
  LIMB,
  limbAt,
  LIMBS,
  limbsNow,
  MASK,
  ODD,
  PHASE,
  POWER,
  put,
  RAISE,
  REDUCE_BASE,
  REMAINDER,
  REST,
  SHIFTED,
  SQUARES,
  TABLE,
  TEMPORARY,
  TWO_LIMBS,
  TWOS,
  WINDOW,
} from './modexpState'

/** The work of a digit of four bits modulo one limb, in products of limbs. */
export const DIGIT_WORK: u64 = 40

/** Bits of the exponent that are taken at a time. */
export function windowOf(bits: usize): usize {
  if (bits <= 32) return 1
  if (bits <= 96) return 3
  if (bits <= 512) return 4
  return bits <= 1536 ? 5 : 6
}

/** Does the rest modulo 2^twos. */
export function startEven(scratch: usize): void {
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

/** Raises to at most so many digits of the exponent, modulo one limb. Returns how many there were. */
export function raiseOne(scratch: usize, most: u64): u64 {
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
export function findSquare(scratch: usize): void {
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
export function reduceBase(scratch: usize): void {
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
export function fillTable(scratch: usize): void {
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
export function raise(scratch: usize): void {
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
