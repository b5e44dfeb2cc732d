/** Pseudorandom numbers that are the same on every machine (mulberry32). */

/** Returns the seed after `seed`, as a whole number of 32 bits without a sign. */
export function nextSeed(seed: number): number {
  return (seed + 0x6d2b79f5) >>> 0
}

/** Returns the pseudorandom whole number of a seed: at least 0, and below 2^32. */
export function numberOfSeed(seed: number): number {
  let t = Math.imul(seed ^ (seed >>> 15), seed | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return (t ^ (t >>> 14)) >>> 0
}
