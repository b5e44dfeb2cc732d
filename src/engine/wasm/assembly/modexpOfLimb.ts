/**
 * base^exponent modulo a number of at most 64 bits: one limb. Modulus = odd * 2^twos, as in `modexp.ts`, with R = 2^64. A multiplication takes a
 * quarter of the time that it takes there.
 */
import { mulHigh } from './limbs'

/** Fields of the state. The powers and tables are those modulo the odd part, in Montgomery form, and those modulo 2^64. */
const ODD: usize = 0
const INVERSE: usize = 8
const MASK: usize = 16
const POWER: usize = 24
const EVEN_POWER: usize = 32
const TABLE: usize = 40
const EVEN_TABLE: usize = 168
export const LIMB_STATE: usize = 296

/** Returns a b / 2^64 modulo `odd`, less than it as a or b is; `inverse` is that of `odd` modulo 2^64. */
// @ts-ignore: decorator
@inline
function montgomery(a: u64, b: u64, odd: u64, inverse: u64): u64 {
  const high = mulHigh(a, b)
  const rest = mulHigh(a * b * inverse, odd)
  return high < rest ? high - rest + odd : high - rest
}

/** Returns the lowest 8 of `length` bytes, or all if there are fewer. */
function lowest(bytes: usize, length: usize): u64 {
  let value: u64 = 0
  for (let i: usize = length > 8 ? length - 8 : 0; i < length; i++) value = (value << 8) | <u64>load<u8>(bytes + i)
  return value
}

/** Prepares a power of `base`. The modulus is not 0. */
export function startLimb(state: usize, base: usize, baseLength: usize, modulus: usize, modulusLength: usize): void {
  const whole = lowest(modulus, modulusLength)
  const twos = ctz<u64>(whole)
  const odd = whole >> twos
  // Each step doubles the bits that are right, 3 at first (Newton).
  let inverse = odd
  for (let i = 0; i < 5; i++) inverse *= 2 - odd * inverse
  // R and R^2 modulo the odd part.
  const one = (0 - odd) % odd
  let square = one
  for (let i = 0; i < 64; i++) {
    const exceeds = square >> 63 != 0
    square <<= 1
    if (exceeds || square >= odd) square -= odd
  }
  // The base, 8 bytes at a time from the highest.
  let rest: u64 = 0
  const first = baseLength & 7
  if (first != 0) rest = lowest(base, first) % odd
  for (let at = first; at < baseLength; at += 8) {
    rest = montgomery(rest, square, odd, inverse)
    const piece = lowest(base + at, 8) % odd
    rest = rest >= odd - piece ? rest - (odd - piece) : rest + piece
  }
  const factor = montgomery(rest, square, odd, inverse)
  const evenFactor = lowest(base, baseLength)
  store<u64>(state, odd, ODD)
  store<u64>(state, inverse, INVERSE)
  store<u64>(state, ((<u64>1) << twos) - 1, MASK)
  store<u64>(state, one, POWER)
  store<u64>(state, 1, EVEN_POWER)
  let power = one
  let evenPower: u64 = 1
  for (let i: usize = 0; i < 128; i += 8) {
    store<u64>(state + i, power, TABLE)
    store<u64>(state + i, evenPower, EVEN_TABLE)
    power = montgomery(power, factor, odd, inverse)
    evenPower *= evenFactor
  }
}

/** Raises to digits of four bits of the exponent: those from `from` down to `to`, counted from the lowest; `from` is not among them. */
export function raiseLimb(state: usize, exponent: usize, exponentLength: usize, from: usize, to: usize): void {
  const odd = load<u64>(state, ODD)
  const inverse = load<u64>(state, INVERSE)
  let power = load<u64>(state, POWER)
  let evenPower = load<u64>(state, EVEN_POWER)
  while (from != to) {
    from--
    const byte = <usize>load<u8>(exponent + exponentLength - 1 - (from >> 1))
    const digit = (from & 1 ? byte >> 4 : byte & 15) << 3
    for (let i = 0; i < 4; i++) {
      power = montgomery(power, power, odd, inverse)
      evenPower *= evenPower
    }
    if (digit == 0) continue
    power = montgomery(power, load<u64>(state + digit, TABLE), odd, inverse)
    evenPower *= load<u64>(state + digit, EVEN_TABLE)
  }
  store<u64>(state, power, POWER)
  store<u64>(state, evenPower, EVEN_POWER)
}

/** Returns the power modulo the modulus. */
export function limbResult(state: usize): u64 {
  const odd = load<u64>(state, ODD)
  const inverse = load<u64>(state, INVERSE)
  const rest = montgomery(load<u64>(state, POWER), 1, odd, inverse)
  // remainder + odd * ((power - remainder) / odd modulo 2^twos)
  return rest + odd * (((load<u64>(state, EVEN_POWER) - rest) * inverse) & load<u64>(state, MASK))
}
