/** Verifies KZG proofs (EIP-4844, consensus-specs `deneb/polynomial-commitments.md`). */
import { fromHex, toQuantity, toWord } from '../bytes/hex.ts'
import {
  areZero,
  BLS12_381_ENCODING,
  type CompressedPoint,
  type OpeningCheck,
  type PairingCurve,
} from './curves/pairingCurve.ts'
import setup from './trustedSetup.json' with { type: 'json' }

/**
 * The points of Ethereum's KZG ceremony that are needed to check blobs (consensus-specs `trusted_setup_4096.json`):
 * the first 64 of `g1_monomial`, and `g2_monomial` at 0, 1 and 64. Creating proofs would need all 12,288 points,
 * almost a megabyte. Both coordinates of each point are stored, so that reading a point needs no square root.
 */
export const G1_MONOMIAL: readonly string[] = setup.g1Monomial

export const G2_MONOMIAL: Readonly<Record<0 | 1 | 64, string>> = setup.g2Monomial

/** The order of the scalar field. */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

const ONE_1 = pointOf(G1_MONOMIAL[0]!)

/** −[1]₂: the negated generator of G2. */
const MINUS_ONE_2 = pointOf(
  G2_MONOMIAL[0],
  (y) => `${(BLS12_381_ENCODING.modulus - BigInt(`0x${y}`)).toString(16)}`,
)

/** [τ]₂ of Ethereum's KZG ceremony. */
const TAU_2 = pointOf(G2_MONOMIAL[1])

/**
 * Returns whether `proof` shows that the committed polynomial has the value `y` at `z`: e(C − [y]₁, [1]₂) = e(π, [τ −
 * z]₂). The check is computed as e(C − [y]₁ + z·π, −[1]₂) · e(π, [τ]₂) = 1, which multiplies only in G1. Returns false
 * for bytes that are not a point of the subgroup or not a field element.
 */
export function isKzgProof(
  curve: PairingCurve,
  commitment: Uint8Array,
  z: Uint8Array,
  y: Uint8Array,
  proof: Uint8Array,
): boolean {
  const value = toQuantity(y)
  if (toQuantity(z) >= ORDER || value >= ORDER) return false
  const [committed, quotient] = [pointIn(commitment), pointIn(proof)]
  if (committed === undefined || quotient === undefined) return false
  return openingOf(curve)(committed, toWord((ORDER - value) % ORDER), quotient, z)
}

const openings = new WeakMap<PairingCurve, OpeningCheck>()

function openingOf(curve: PairingCurve): OpeningCheck {
  const known = openings.get(curve)
  if (known !== undefined) return known
  const prepared = curve.prepareOpenings(ONE_1, MINUS_ONE_2, TAU_2)
  openings.set(curve, prepared)
  return prepared
}

/** Flags in the first byte of a compressed point (ZCash's encoding). */
const IS_COMPRESSED = 0x80
const IS_INFINITY = 0x40
const HAS_LARGER_Y = 0x20

/** Decodes a compressed point of 48 bytes; `undefined` if malformed. */
function pointIn(bytes: Uint8Array): CompressedPoint | undefined {
  const flags = bytes[0]!
  if (bytes.length !== 48 || (flags & IS_COMPRESSED) === 0) return undefined
  if (flags & IS_INFINITY) {
    return flags === (IS_COMPRESSED | IS_INFINITY) && areZero(bytes, 1, 47) ? 'infinity' : undefined
  }
  const x = new Uint8Array(64)
  x.set(bytes, 16)
  x[16]! &= ~(IS_COMPRESSED | IS_INFINITY | HAS_LARGER_Y)
  return { x, isLarger: (flags & HAS_LARGER_Y) !== 0 }
}

/** Returns a point of the trusted setup in EIP-2537's encoding. `mapY` maps each number of the y coordinate. */
function pointOf(point: string, mapY = (digits: string) => digits): Uint8Array {
  const [x, y] = point
    .slice(2)
    .split(' ')
    .map((coordinate) => coordinate.split(','))
  return fromHex(`0x${[...x!, ...y!.map(mapY)].map((digits) => digits.padStart(128, '0')).join('')}`)
}
