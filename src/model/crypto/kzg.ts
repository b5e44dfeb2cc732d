/**
 * The check of KZG proofs, for the point evaluation precompile (EIP-4844, consensus-specs
 * `deneb/polynomial-commitments.md`).
 */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { fromHex, type Hex } from '../bytes/hex.ts'

type G1Point = typeof bls12_381.G1.Point.BASE
type G2Point = typeof bls12_381.G2.Point.BASE

/** [τ]₂ of Ethereum's KZG ceremony: `g2_monomial[1]` of consensus-specs' `trusted_setup_4096.json`. */
const TAU =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

/**
 * Returns whether `proof` shows that the polynomial with this commitment has the value `y` at `z`: e(C − [y]₁, [1]₂) =
 * e(π, [τ − z]₂). Returns false for bytes that are not a point of the curve or not an element of the field.
 */
export function verifyKzgProof(commitment: Hex, z: Hex, y: Hex, proof: Hex): boolean {
  // Read here and not at the top of the file: the curve takes time to set up, and few devnets need it.
  const { G1, G2, fields } = bls12_381
  const [at, value] = [BigInt(z), BigInt(y)]
  const [committed, quotient] = [pointOf(commitment), pointOf(proof)]
  if (committed === undefined || quotient === undefined) return false
  if (at >= fields.Fr.ORDER || value >= fields.Fr.ORDER) return false
  const pairs: (readonly [G1Point, G2Point])[] = [
    [committed.subtract(G1.Point.BASE.multiplyUnsafe(value)), G2.Point.BASE.negate()],
    [quotient, G2.Point.fromHex(TAU).subtract(G2.Point.BASE.multiplyUnsafe(at))],
  ]
  // A pairing with the point at infinity is 1. The library leaves this case to its callers.
  const factors = pairs.filter(([g1, g2]) => !g1.is0() && !g2.is0()).map(([g1, g2]) => ({ g1, g2 }))
  return fields.Fp12.eql(bls12_381.pairingBatch(factors), fields.Fp12.ONE)
}

/** Returns the point of the right subgroup that 48 bytes encode; `undefined` if there is none. */
function pointOf(compressed: Hex): G1Point | undefined {
  try {
    return bls12_381.G1.Point.fromBytes(fromHex(compressed)) // also checks the subgroup
  } catch {
    return undefined
  }
}
