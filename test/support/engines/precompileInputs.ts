/** Random inputs of precompiles: mostly valid, some invalid. */
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { type Address, fromHex, type Hex, toWord } from '../../../src/bytes/hex.ts'
import type { Random } from '../random/random.ts'

export interface PrecompileCall {
  readonly to: Address
  readonly data: Uint8Array
}

/** A call of any precompile; before its hardfork there is no account at the address. */
export function precompileCall(random: Random): PrecompileCall {
  const number = random.chance(0.95) ? random.pick(QUICK) : random.pick(SLOW)
  const data = INPUTS[number](random)
  return {
    to: `0x${number.toString(16).padStart(40, '0')}`,
    data: random.chance(0.25) ? spoilt(random, data) : data,
  }
}

type Precompile = keyof typeof INPUTS

const QUICK = [1, 2, 3, 4, 5, 6, 7, 9] as const satisfies readonly Precompile[]
/** Pairings and the like, which take JavaScript many milliseconds. */
const SLOW = [
  8, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x100,
] as const satisfies readonly Precompile[]

const INPUTS = {
  1: signature,
  2: something,
  3: something,
  4: something,
  5: power,
  6: (random: Random) => concatBytes(bnPoint(random), bnPoint(random)),
  7: (random: Random) => concatBytes(bnPoint(random), random.bytes(32)),
  8: bnPairs,
  9: compression,
  10: evaluation,
  11: (random: Random) => concatBytes(g1(random, anyG1), g1(random, anyG1)),
  12: (random: Random) => sum(random, (point) => g1(point, anyG1)),
  13: (random: Random) => concatBytes(g2(random), g2(random)),
  14: (random: Random) => sum(random, g2),
  15: blsPairs,
  16: field,
  17: (random: Random) => concatBytes(field(random), field(random)),
  256: p256Signature,
} as const satisfies Record<number, (random: Random) => Uint8Array>

/** A byte altered, some missing, or some too many. */
function spoilt(random: Random, data: Uint8Array): Uint8Array {
  switch (random.below(3)) {
    case 0:
      return data.subarray(0, random.below(data.length + 1))
    case 1:
      return concatBytes(data, random.bytes(random.between(1, 40)))
    default: {
      const altered = Uint8Array.from(data)
      if (data.length > 0) altered[random.below(data.length)]! ^= 1 << random.below(8)
      return altered
    }
  }
}

function something(random: Random): Uint8Array {
  return random.bytes(random.below(100))
}

/** ecrecover: hash, v, r, s. */
function signature(random: Random): Uint8Array {
  const hash = random.bytes(32)
  const signed = secp256k1.sign(hash, secret(random), { prehash: false, format: 'recovered' })
  return concatBytes(hash, toWord(27n + BigInt(signed[0]!)), signed.subarray(1))
}

/** RIP-7212: hash, r, s, x, y. */
function p256Signature(random: Random): Uint8Array {
  const hash = random.bytes(32)
  const key = secret(random)
  const signed = p256.sign(hash, key, { prehash: false, format: 'compact' })
  return concatBytes(hash, signed, p256.getPublicKey(key, false).subarray(1))
}

/** Of any curve here: far below all orders, and not zero. */
function secret(random: Random): Uint8Array {
  return concatBytes(new Uint8Array(8), random.bytes(23), Uint8Array.of(1))
}

function scalar(random: Random): bigint {
  return random.bigint(250) + 1n
}

/** EIP-198: three lengths, then base, exponent and modulus. EIP-7823 allows 1,024 bytes each. */
function power(random: Random): Uint8Array {
  const lengths = random.list(3, () => random.pick([0, 1, 5, 32, 33, 64, 100]))
  if (random.chance(0.1)) lengths[random.below(3)] = random.pick([1024, 1025])
  const words = lengths.map((length) => toWord(BigInt(length)))
  if (random.chance(0.05)) words[random.below(3)] = toWord(random.bigint(256))
  return concatBytes(...words, ...lengths.map((length) => random.bytes(length)))
}

/** EIP-196: (0, 0) is the point at infinity. */
function bnPoint(random: Random): Uint8Array {
  if (random.chance(0.1)) return new Uint8Array(64)
  if (random.chance(0.1)) return random.bytes(64)
  return encodeBn(bn254.G1.Point.BASE.multiply(scalar(random)))
}

function encodeBn(point: typeof bn254.G1.Point.BASE): Uint8Array {
  const { x, y } = point.toAffine()
  return concatBytes(toWord(x), toWord(y))
}

/** EIP-197: pairs whose product is one, pairs whose product is not, or none. */
function bnPairs(random: Random): Uint8Array {
  if (random.chance(0.1)) return new Uint8Array()
  const { G1, G2 } = bn254
  const [a, b] = [random.bigint(60) + 1n, random.bigint(60) + 1n]
  const { x, y } = G2.Point.BASE.multiply(b).toAffine()
  const base = G2.Point.BASE.toAffine()
  const both = random.chance(0.5) ? a * b : a
  return concatBytes(
    encodeBn(G1.Point.BASE.multiply(a)),
    ...[x.c1, x.c0, y.c1, y.c0].map(toWord),
    encodeBn(G1.Point.BASE.multiply(both).negate()),
    ...[base.x.c1, base.x.c0, base.y.c1, base.y.c0].map(toWord),
  )
}

/** EIP-152: rounds, state, message, offset, and whether it is the last block. */
function compression(random: Random): Uint8Array {
  const rounds = Uint8Array.of(0, 0, 0, random.below(20))
  return concatBytes(rounds, random.bytes(208), Uint8Array.of(random.below(2)))
}

/** EIP-4844: the polynomial that is zero everywhere. */
function evaluation(random: Random): Uint8Array {
  const infinity = concatBytes(Uint8Array.of(0xc0), new Uint8Array(47))
  const versioned = concatBytes(Uint8Array.of(1), sha256(infinity).subarray(1))
  return concatBytes(versioned, secret(random), new Uint8Array(32), infinity, infinity)
}

type G1 = typeof bls12_381.G1.Point.BASE

/** A point of the subgroup, or (0, 0) for infinity. */
function g1(random: Random, other: (random: Random) => Uint8Array): Uint8Array {
  if (random.chance(0.1)) return new Uint8Array(128)
  if (random.chance(0.1)) return other(random)
  return encodeG1(bls12_381.G1.Point.BASE.multiply(scalar(random)))
}

/** A point of the curve, most of which are in no subgroup that counts: adding takes them, all else refuses them. */
function anyG1(random: Random): Uint8Array {
  const { Fp } = bls12_381.fields
  for (let x = Fp.create(random.bigint(380)); ; x++) {
    try {
      const y = Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n))
      return concatBytes(blsField(x), blsField(y))
    } catch {
      // There is no such point: the next x may have one.
    }
  }
}

function encodeG1(point: G1): Uint8Array {
  const { x, y } = point.toAffine()
  return concatBytes(blsField(x), blsField(y))
}

function g2(random: Random): Uint8Array {
  if (random.chance(0.1)) return new Uint8Array(256)
  return encodeG2(bls12_381.G2.Point.BASE.multiply(scalar(random)))
}

function encodeG2(point: typeof bls12_381.G2.Point.BASE): Uint8Array {
  const { x, y } = point.toAffine()
  return concatBytes(...[x.c0, x.c1, y.c0, y.c1].map(blsField))
}

/** EIP-2537: a number of the field, 16 zero bytes before it. */
function blsField(value: bigint): Uint8Array {
  return fromHex(`0x${value.toString(16).padStart(128, '0')}` as Hex)
}

function field(random: Random): Uint8Array {
  return blsField(random.bigint(380))
}

/** Points and what each of them is multiplied with. */
function sum(random: Random, point: (random: Random) => Uint8Array): Uint8Array {
  return concatBytes(...random.list(random.between(1, 3), () => concatBytes(point(random), random.bytes(32))))
}

function blsPairs(random: Random): Uint8Array {
  const { G1, G2 } = bls12_381
  const [a, b] = [random.bigint(60) + 1n, random.bigint(60) + 1n]
  const both = random.chance(0.5) ? a * b : a
  return concatBytes(
    encodeG1(G1.Point.BASE.multiply(a)),
    encodeG2(G2.Point.BASE.multiply(b)),
    encodeG1(G1.Point.BASE.multiply(both).negate()),
    encodeG2(G2.Point.BASE),
  )
}
