import { bls12_381 } from '@noble/curves/bls12-381.js'
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex } from '../../src/bytes/hex.ts'
import { createMclBls12381 } from '../../src/crypto/curves/mclCurve.ts'
import { isKzgProof } from '../../src/crypto/kzgProof.ts'
import { withRandom } from '../support/random/random.ts'

const ORDER = bls12_381.fields.Fr.ORDER
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const INFINITY: Hex = `0xc0${'00'.repeat(47)}`
const POINT: Hex = `0x${bls12_381.G1.Point.BASE.toHex()}`

// From consensus-specs' tests (`general/deneb/kzg/verify_kzg_proof`): case_correct_proof_31ebd010e6098750 and
// case_correct_proof_1ce8e4f69d5df899.
const CORRECT: [commitment: Hex, z: Hex, y: Hex, proof: Hex][] = [
  [
    '0x8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
    '0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000',
    '0x1522a4a7f34e1ea350ae07c29c96c7e79655aa926122e95fe69fcbd932ca49e9',
    '0xa62ad71d14c5719385c0686f1871430475bf3a00f0aa3f7b8dd99a9abc2160744faf0070725e00b60ad9a026a15b1a8c',
  ],
  [
    '0x93efc82d2017e9c57834a1246463e64774e56183bb247c8fc9dd98c56817e878d97b05f5c8d900acf1fbbbca6f146556',
    '0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000',
    word(0n),
    '0x92c51ff81dd71dab71cefecd79e8274b4b7ba36a0f40e2dc086bc4061c7f63249877db23297212991fd63e07b7ebc348',
  ],
]

const curve = await createMclBls12381()
function verifyKzgProof(...given: [commitment: Hex, z: Hex, y: Hex, proof: Hex]): boolean {
  const [commitment, z, y, proof] = given.map(fromHex) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  return isKzgProof(curve, commitment, z, y, proof)
}

describe('a KZG proof', () => {
  it.each(CORRECT)('holds for what it was made for: %s', (commitment, z, y, proof) => {
    expect(verifyKzgProof(commitment, z, y, proof)).toBe(true)
  })

  it('does not hold for any other point, value, commitment or proof', () => {
    const [commitment, z, y, proof] = CORRECT[0]!
    expect(verifyKzgProof(commitment, word(BigInt(z) - 1n), y, proof)).toBe(false)
    expect(verifyKzgProof(commitment, z, word(BigInt(y) + 1n), proof)).toBe(false)
    expect(verifyKzgProof(POINT, z, y, proof)).toBe(false)
    expect(verifyKzgProof(commitment, z, y, POINT)).toBe(false)
    expect(verifyKzgProof(commitment, z, y, INFINITY)).toBe(false)
  })

  // The commitment to a constant is that multiple of the generator, and its quotient is zero.
  it(
    'is the point at infinity for a constant, wherever it is evaluated',
    withRandom((random) => {
      const constant = 1n + (BigInt(random.hex(32)) % (ORDER - 2n))
      const commitment: Hex = `0x${bls12_381.G1.Point.BASE.multiply(constant).toHex()}`
      const z = word(BigInt(random.hex(32)) % ORDER)
      expect(verifyKzgProof(commitment, z, word(constant), INFINITY)).toBe(true)
      expect(verifyKzgProof(commitment, z, word(constant + 1n), INFINITY)).toBe(false)
      expect(verifyKzgProof(INFINITY, z, word(0n), INFINITY)).toBe(true)
      expect(verifyKzgProof(INFINITY, z, word(1n), INFINITY)).toBe(false)
    }),
  )

  it('does not hold for numbers beyond the field, though they mean the same', () => {
    const [, z] = CORRECT[0]!
    expect(verifyKzgProof(INFINITY, z, word(ORDER), INFINITY)).toBe(false)
    expect(verifyKzgProof(INFINITY, word(ORDER), word(0n), INFINITY)).toBe(false)
    expect(verifyKzgProof(INFINITY, word(ORDER - 1n), word(0n), INFINITY)).toBe(true)
  })

  it('does not hold for points outside of the subgroup, which pairings do not tell from nothing', () => {
    // x = 4 is on the curve. That point times the order of the subgroup has an order without a factor of it.
    const { Point } = bls12_381.G1
    const { Fp } = bls12_381.fields
    const point = Point.fromAffine({ x: 4n, y: Fp.sqrt(68n) })
    const { x, y } = point
      .multiplyUnsafe(ORDER - 1n)
      .add(point)
      .toAffine()
    // The bits that ZCash's form has before x: compressed, and whether y is the larger root.
    const flags = Fp.neg(y) < y ? 0xa0n : 0x80n
    const outside: Hex = `0x${(x | (flags << 376n)).toString(16)}`
    const z = word(3n)
    for (const [commitment, proof] of [
      [outside, outside],
      [outside, INFINITY],
      [INFINITY, outside],
    ] as const) {
      expect(verifyKzgProof(commitment, z, word(0n), proof)).toBe(false)
    }
  })

  it('does not hold for bytes that are no points', () => {
    const [, z, y] = CORRECT[0]!
    const wrong: Hex[] = [
      `0x${'00'.repeat(48)}`,
      `0x${'ff'.repeat(48)}`,
      `0xc0${'00'.repeat(46)}01`,
      // x = 4 is on the curve, but not in the subgroup.
      `0x80${'00'.repeat(46)}04`,
      // Infinity with a sign, and a point without the mark of its form.
      `0xe0${'00'.repeat(47)}`,
      `0x17${POINT.slice(4)}`,
      // x = 0 + the order of the field.
      '0x9a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab',
    ]
    for (const point of wrong) {
      expect(verifyKzgProof(point, z, y, INFINITY)).toBe(false)
      expect(verifyKzgProof(INFINITY, z, word(0n), point)).toBe(false)
    }
  })
})
