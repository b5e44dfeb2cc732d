// Limbs of 64 bits, and words of four of them, the least significant first. WebAssembly multiplies without the upper half of the product.
import { copy } from './words'

export const LOW: u64 = 0xffffffff

export const ONES: u64 = 0xffffffffffffffff

// @ts-ignore: decorators of functions
@inline
export function set(result: usize, r0: u64, r1: u64, r2: u64, r3: u64): void {
  store<u64>(result, r0)
  store<u64>(result, r1, 8)
  store<u64>(result, r2, 16)
  store<u64>(result, r3, 24)
}

/** Writes -a. */
export function negate(a: usize, result: usize): void {
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
export function absolute(a: usize, result: usize): void {
  if (<i64>load<u64>(a, 24) < 0) negate(a, result)
  else copy(result, a)
}

/** Returns the upper 64 bits of a * b. */
// @ts-ignore: decorator
@inline
export function mulHigh(a: u64, b: u64): u64 {
  const a0 = a & LOW
  const a1 = a >> 32
  const b0 = b & LOW
  const b1 = b >> 32
  const middle = a1 * b0 + ((a0 * b0) >> 32)
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & LOW)) >> 32)
}
