/**
 * Products modulo a number of more than 232 bits that is used again and again: Barrett's reduction (Menezes, van Oorschot and Vanstone,
 * "Handbook of Applied Cryptography", algorithm 14.42). The multiplication itself is made by a program (`src/engine/wasm/generate/barrett.ts`).
 *
 * Limbs have 29 bits here: the ten products of a column are summed in 64 bits without a carry, which WebAssembly has not.
 */

export const MASK: u64 = (1 << 29) - 1

/** The modulus, four limbs of 64 bits and nine of 29 bits, and floor(2^522 / modulus), ten limbs of 29 bits. */
export const modulus = memory.data(32)
export const limbs = memory.data(72)
export const inverse = memory.data(80)

/** Returns limb `index` of 29 bits of the number of `length` limbs of 64 bits at `a`. */
function limbOf(a: usize, length: usize, index: usize): u64 {
  const from = (index * 29) >> 6
  const shift: u64 = (index * 29) & 63
  const low = load<u64>(a + (from << 3)) >> shift
  const high: u64 = from + 1 < length ? (load<u64>(a + (from << 3), 8) << 1) << (63 - shift) : 0
  return (low | high) & MASK
}

/** Makes n the modulus; `quotient` is floor(2^522 / n), five limbs of 64 bits. */
export function useModulus(n: usize, quotient: usize): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(modulus + i, load<u64>(n + i))
  for (let i: usize = 0; i < 9; i++) store<u64>(limbs + (i << 3), limbOf(n, 4, i))
  for (let i: usize = 0; i < 10; i++) store<u64>(inverse + (i << 3), limbOf(quotient, 5, i))
}
