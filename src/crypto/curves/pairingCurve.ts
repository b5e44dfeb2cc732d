/**
 * The interface of a curve with a pairing, on points in the encoding of the EVM's precompiles.
 *
 * A coordinate is a big-endian number; an element of Fp2 is two of them; a point is x and y; zeros are the point at
 * infinity. Every function checks its input: `undefined` means that a number is not in the field, or that a point is not
 * on the curve or, where that is required, not in its subgroup.
 */
export interface PairingCurve {
  readonly name: 'javascript' | 'wasm'
  /** Returns the sum of the two points in `input`, which may be outside their subgroup. */
  add(group: GroupName, input: Uint8Array): Uint8Array | undefined
  /**
   * Returns the sum of products of the pairs in `input`, each a point of the subgroup and a scalar of 32 bytes. Yields
   * where it may be paused.
   */
  multiply(group: GroupName, input: Uint8Array): Parts<Uint8Array>
  /** Returns the point that an element of the field is mapped to (RFC 9380, without hashing). BLS12-381 alone has it. */
  mapTo(group: GroupName, input: Uint8Array): Uint8Array | undefined
  /**
   * Returns whether the product of the pairings of all pairs in `input`, each a point of G1 and one of G2, is 1. Yields
   * where it may be paused.
   */
  pairing(input: Uint8Array): Parts<boolean>
  /**
   * Prepares the check of openings of commitments with a generator of G1's subgroup and two points of G2's, all finite.
   */
  prepareOpenings(generator: Uint8Array, a: Uint8Array, b: Uint8Array): Opening
}

/** The groups of a pairing: coordinates are elements of Fp, and of Fp2. */
export type GroupName = 'g1' | 'g2'

/** A point of G1 by its coordinate `x` and the sign of the other. */
export type PointOfX = { readonly x: Uint8Array; readonly isLarger: boolean } | 'infinity'

/**
 * Returns whether e(committed + minusValue · generator + at · quotient, a) · e(quotient, b) is 1. Returns false if one of
 * the points is not in the subgroup. The numbers are 32 bytes.
 */
export type Opening = (
  committed: PointOfX,
  minusValue: Uint8Array,
  quotient: PointOfX,
  at: Uint8Array,
) => boolean

/** A computation that may be paused at each `yield`. */
export type Parts<T> = Generator<void, T | undefined>

/** Returns the result of a computation without pauses. */
export function whole<T>(parts: Parts<T>): T | undefined {
  let step = parts.next()
  while (!step.done) step = parts.next()
  return step.value
}

/** How the numbers of a curve are written. */
export interface Encoding {
  /** The order of the field of coordinates. */
  readonly modulus: bigint
  /** The bytes of a coordinate. */
  readonly width: number
  /** The number of bytes at its beginning that must be zero. */
  readonly padding: number
  /** Whether the imaginary part of an element of Fp2 comes first. */
  readonly isImaginaryFirst: boolean
}

/** EIP-196 and EIP-197. */
export const BN254_ENCODING: Encoding = {
  modulus: 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n,
  width: 32,
  padding: 0,
  isImaginaryFirst: true,
}

/** EIP-2537. */
export const BLS12_381_ENCODING: Encoding = {
  modulus:
    0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn,
  width: 64,
  padding: 16,
  isImaginaryFirst: false,
}

/** Returns the positions of the two parts of an element of Fp2. */
export function partsOfFp2({
  width,
  isImaginaryFirst,
}: Encoding): readonly [real: number, imaginary: number] {
  return isImaginaryFirst ? [width, 0] : [0, width]
}

/** The bytes of a scalar, which any number may be. */
export const SCALAR_BYTES = 32

/** Returns whether `length` bytes from `start` on are zero. */
export function areZero(bytes: Uint8Array, start: number, length: number): boolean {
  for (let i = start; i < start + length; i++) if (bytes[i] !== 0) return false
  return true
}
