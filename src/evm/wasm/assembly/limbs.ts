// Limbs of 64 bits. WebAssembly multiplies without the upper half of the product.

const LOW: u64 = 0xffffffff

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
