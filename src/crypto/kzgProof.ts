/**
 * The check of KZG proofs, for the point evaluation precompile (EIP-4844, consensus-specs
 * `deneb/polynomial-commitments.md`).
 */
import { fromHex, toQuantity, toWord } from '../bytes/hex.ts'
import { areZero, type Opening, type PairingCurve, type PointOfX } from './curves/pairingCurve.ts'

/** The order of the field of scalars. */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/** The generator [1]₁. */
const ONE_1 = pointOf(
  '17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  '08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1',
)

/** The generator with the other sign, −[1]₂. */
const MINUS_ONE_2 = pointOf(
  '024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8',
  '13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e',
  '0d1b3cc2c7027888be51d9ef691d77bcb679afda66c73f17f9ee3837a55024f78c71363275a75d75d86bab79f74782aa',
  '13fa4d4a0ad8b1ce186ed5061789213d993923066dddaf1040bc3ff59f825c78df74f2d75467e25e0f55f8a00fa030ed',
)

/** [τ]₂ of Ethereum's KZG ceremony: `g2_monomial[1]` of consensus-specs' `trusted_setup_4096.json`, uncompressed. */
const TAU_2 = pointOf(
  '185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2',
  '15bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72',
  '014353bdb96b626dd7d5ee8599d1fca2131569490e28de18e82451a496a9c9794ce26d105941f383ee689bfbbb832a99',
  '1666c54b0a32529503432fcae0181b4bef79de09fc63671fda5ed1ba9bfa07899495346f3d7ac9cd23048ef30d0a154f',
)

/**
 * Returns whether `proof` shows that the polynomial with this commitment has the value `y` at `z`: e(C − [y]₁, [1]₂) =
 * e(π, [τ − z]₂), computed as e(C − [y]₁ + z·π, −[1]₂) · e(π, [τ]₂) = 1, which multiplies in G1 alone. Returns false
 * for bytes that are not a point of the subgroup or not an element of the field.
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

const openings = new WeakMap<PairingCurve, Opening>()

/** Returns the check of openings, which is prepared once. */
function openingOf(curve: PairingCurve): Opening {
  const known = openings.get(curve)
  if (known !== undefined) return known
  const prepared = curve.prepareOpenings(ONE_1, MINUS_ONE_2, TAU_2)
  openings.set(curve, prepared)
  return prepared
}

/** The bits of the first byte of a compressed point (ZCash's form). */
const IS_COMPRESSED = 0x80
const IS_INFINITY = 0x40
const HAS_LARGER_Y = 0x20

/** Returns the point that 48 bytes describe; `undefined` if they have another form. */
function pointIn(bytes: Uint8Array): PointOfX | undefined {
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

/** Returns the point with these coordinates in the form of EIP-2537. */
function pointOf(...numbers: string[]): Uint8Array {
  return fromHex(`0x${numbers.map((number) => number.padStart(128, '0')).join('')}`)
}
