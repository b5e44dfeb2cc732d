// The scratch space of a modular exponentiation: its fields, the phases of the computation, and its operands as limbs.
import { LIMB_STATE } from './modexpOfLimb'

export const BITS: usize = 27
export const MASK: u64 = (1 << 27) - 1
/** Steps of a column, each of two products, after which what exceeds a limb is put aside. */
export const COLUMN: usize = 448

/** Fields of the scratch space: what comes next, numbers, and pointers. */
export const PHASE: usize = 0
export const EVEN: usize = 4
export const LIMBS: usize = 8
export const TWO_LIMBS: usize = 12
export const TWOS: usize = 16
export const INVERSE: usize = 20
export const WINDOW: usize = 24
export const REST: usize = 28
export const SQUARES: usize = 32
export const BASE: usize = 36
export const BASE_LENGTH: usize = 40
export const EXPONENT: usize = 44
export const EXPONENT_LENGTH: usize = 48
export const MODULUS_LENGTH: usize = 52
export const ODD: usize = 56
export const FACTORS: usize = 60
export const TEMPORARY: usize = 64
export const POWER: usize = 68
export const SHIFTED: usize = 72
export const REMAINDER: usize = 76
export const TABLE: usize = 80
export const LIMB: usize = 88
export const ARRAYS: usize = LIMB + LIMB_STATE

/** Phases: R^2 modulo the odd part, the base, the table of its powers, the power, done; or the power modulo one limb, and done. */
export const FIND_SQUARE: usize = 1
export const REDUCE_BASE: usize = 2
export const FILL_TABLE: usize = 3
export const RAISE: usize = 4
export const DONE: usize = 5
export const RAISE_LIMB: usize = 6

// @ts-ignore: decorators of functions
@inline
export function get(scratch: usize, field: usize): usize {
  return load<usize>(scratch + field)
}

// @ts-ignore: decorators of functions
@inline
export function put(scratch: usize, field: usize, value: usize): void {
  store<usize>(scratch + field, value)
}

/** Limbs of the part of the modulus that is worked on. */
export function limbsNow(scratch: usize): usize {
  return get(scratch, EVEN) ? get(scratch, TWO_LIMBS) : get(scratch, LIMBS)
}

/** Limbs of each array: as many as the odd part needs with two bits more, and one of reserve. */
export function roomOf(modulusLength: usize): usize {
  return (modulusLength * 8 + 2) / BITS + 2
}

/** The bits `bit` to `bit` + 26, counted from the lowest, of a number in bytes. */
export function limbAt(bytes: usize, length: usize, bit: usize): u32 {
  const from = bit >> 3
  let bits: u64 = 0
  for (let i: usize = 0; i < 5; i++) {
    if (from + i < length) bits |= (<u64>load<u8>(bytes + length - 1 - from - i)) << (<u64>i << 3)
  }
  return <u32>((bits >> (bit & 7)) & MASK)
}

/** How many bits a number in bytes has. */
export function bitsOf(bytes: usize, length: usize): usize {
  for (let i: usize = 0; i < length; i++) {
    const byte = load<u8>(bytes + i)
    if (byte != 0) return (length - i) * 8 - (clz<u32>(byte) - 24)
  }
  return 0
}
