/**
 * A curve with a pairing. Points are encoded as in the precompiles of the EVM: x and y, each as one big-endian number
 * (two in Fp2). The point at infinity is all zeros. Functions return `undefined` for a number outside the field, and
 * for a point that is not on the curve or, where required, not in the subgroup.
 */
export interface PairingCurve {
  /** Returns the sum of the two points in `input`, which may be outside the subgroup. */
  add(group: GroupName, input: Uint8Array): Uint8Array | undefined
  /** Returns the sum of the products of all pairs in `input`, each a point of the subgroup and a 32-byte scalar. */
  multiply(group: GroupName, input: Uint8Array): PausableSteps<Uint8Array>
  /** Maps a field element to a point (RFC 9380, without hashing). Only for BLS12-381. */
  mapTo(group: GroupName, input: Uint8Array): Uint8Array | undefined
  /** Returns whether the product of the pairings of all pairs in `input` (points of G1 and G2) is 1. */
  pairing(input: Uint8Array): PausableSteps<boolean>
  /** Returns a check of KZG openings. `generator` is in G1, `a` and `b` in G2; none may be the point at infinity. */
  prepareOpenings(generator: Uint8Array, a: Uint8Array, b: Uint8Array): OpeningCheck
}

/** The groups of a pairing, with coordinates in Fp (`g1`) and Fp2 (`g2`). */
export type GroupName = 'g1' | 'g2'

/** A point of G1: its x coordinate, and whether y is the larger of the two possible y coordinates. */
export type CompressedPoint = { readonly x: Uint8Array; readonly isLarger: boolean } | 'infinity'

/** Whether e(committed + minusValue · generator + at · quotient, a) · e(quotient, b) = 1; false for invalid points. */
export type OpeningCheck = (
  committed: CompressedPoint,
  minusValue: Uint8Array,
  quotient: CompressedPoint,
  at: Uint8Array,
) => boolean

/** A computation that may be paused at each `yield`. */
export type PausableSteps<T> = Generator<void, T | undefined>

export function runToEnd<T>(parts: PausableSteps<T>): T | undefined {
  let step = parts.next()
  while (!step.done) step = parts.next()
  return step.value
}

export interface Encoding {
  /** The order of the coordinate field. */
  readonly modulus: bigint
  /** Bytes of an encoded field element (for Fp2, of each of its two numbers), including the padding. */
  readonly width: number
  /** Number of leading bytes of an encoded number that must be zero. */
  readonly padding: number
  readonly isImaginaryFirst: boolean
}

export const BN254_ENCODING: Encoding = {
  modulus: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
  width: 32,
  padding: 0,
  isImaginaryFirst: true,
}

export const BLS12_381_ENCODING: Encoding = {
  modulus:
    0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
  width: 64,
  padding: 16,
  isImaginaryFirst: false,
}

export function partsOfFp2({
  width,
  isImaginaryFirst,
}: Encoding): readonly [real: number, imaginary: number] {
  return isImaginaryFirst ? [width, 0] : [0, width]
}

/** Bytes of a scalar. A scalar may exceed the order of the group. */
export const SCALAR_BYTES = 32

export function areZero(bytes: Uint8Array, start: number, length: number): boolean {
  for (let i = start; i < start + length; i++) if (bytes[i] !== 0) return false
  return true
}
