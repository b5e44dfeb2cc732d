/**
 * Returns how many of the 32 bits of `bits` are set, which gives the position of a child in a dense array of children.
 */
export function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  count = (count + (count >>> 4)) & 0x0f0f0f0f
  return Math.imul(count, 0x01010101) >>> 24
}
