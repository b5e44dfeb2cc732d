/** The curves in JavaScript (`@noble/curves`), for pages whose content security policy forbids WebAssembly. */
import type { BlsCurvePair } from '@noble/curves/abstract/bls.js'
import type { Fp2 } from '@noble/curves/abstract/tower.js'
import type { WeierstrassPoint, WeierstrassPointCons } from '@noble/curves/abstract/weierstrass.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import { p256 } from '@noble/curves/nist.js'
import { toQuantity } from '../../bytes/hex.ts'
import {
  areZero,
  BLS12_381_ENCODING,
  BN254_ENCODING,
  type CompressedPoint,
  type Encoding,
  type GroupName,
  type OpeningCheck,
  type PairingCurve,
  type PausableSteps,
  partsOfFp2,
  SCALAR_BYTES,
} from './pairingCurve.ts'

export function createNobleBn254(): PairingCurve {
  return new NobleCurve(bn254, BN254_ENCODING)
}

export function createNobleBls12381(): PairingCurve {
  // The library's type declarations differ from its behaviour, so the types are cast.
  const [g1, g2] = [bls12_381.G1, bls12_381.G2] as unknown as [Mapper<bigint, bigint>, Mapper<Fp2, bigint[]>]
  return new NobleCurve(bls12_381, BLS12_381_ENCODING, {
    g1: (element) => g1.mapToCurve(element),
    g2: ({ c0, c1 }) => g2.mapToCurve([c0, c1]),
  })
}

interface Mapper<F, Scalars> {
  mapToCurve(element: Scalars): WeierstrassPoint<F>
}

interface Maps {
  g1(element: bigint): WeierstrassPoint<bigint>
  g2(element: Fp2): WeierstrassPoint<Fp2>
}

interface Group<F> {
  readonly Point: WeierstrassPointCons<F>
  readonly width: number
  /** Maps a field element to a point; `undefined` if no precompile of the curve needs this mapping. */
  readonly map: ((element: F) => WeierstrassPoint<F>) | undefined
  read(bytes: Uint8Array, at: number): F | undefined
  write(element: F, bytes: Uint8Array, at: number): void
}

class NobleCurve implements PairingCurve {
  readonly name = 'javascript'
  readonly #curve: BlsCurvePair
  readonly #encoding: Encoding
  readonly #g1: Group<bigint>
  readonly #g2: Group<Fp2>

  constructor(curve: BlsCurvePair, encoding: Encoding, maps?: Maps) {
    this.#curve = curve
    this.#encoding = encoding
    const { width } = encoding
    const [real, imaginary] = partsOfFp2(encoding)
    this.#g1 = {
      Point: curve.G1.Point,
      width,
      map: maps?.g1,
      read: (bytes, at) => this.#readNumber(bytes, at),
      write: (element, bytes, at) => this.#writeNumber(element, bytes, at),
    }
    this.#g2 = {
      Point: curve.G2.Point,
      width: 2 * width,
      map: maps?.g2,
      read: (bytes, at) => {
        const [c0, c1] = [this.#readNumber(bytes, at + real), this.#readNumber(bytes, at + imaginary)]
        return c0 === undefined || c1 === undefined ? undefined : curve.fields.Fp2.create({ c0, c1 })
      },
      write: ({ c0, c1 }, bytes, at) => {
        this.#writeNumber(c0, bytes, at + real)
        this.#writeNumber(c1, bytes, at + imaginary)
      },
    }
  }

  add(name: GroupName, input: Uint8Array): Uint8Array | undefined {
    const group = this.#group(name)
    const a = pointAt(group, input, 0)
    const b = pointAt(group, input, 2 * group.width)
    return a === undefined || b === undefined ? undefined : encoded(group, a.add(b))
  }

  *multiply(name: GroupName, input: Uint8Array): PausableSteps<Uint8Array> {
    const group = this.#group(name)
    const pointBytes = 2 * group.width
    let sum = group.Point.ZERO
    for (let at = 0; at < input.length; at += pointBytes + SCALAR_BYTES) {
      const point = memberAt(group, input, at)
      if (point === undefined) return undefined
      const scalar = toQuantity(input.subarray(at + pointBytes, at + pointBytes + SCALAR_BYTES))
      sum = sum.add(point.multiplyUnsafe(scalar % this.#curve.fields.Fr.ORDER))
      yield
    }
    return encoded(group, sum)
  }

  mapTo(name: GroupName, input: Uint8Array): Uint8Array | undefined {
    const group = this.#group(name)
    const element = group.read(input, 0)
    return element === undefined ? undefined : encoded(group, group.map!(element))
  }

  #group(name: GroupName): Group<unknown> {
    return (name === 'g1' ? this.#g1 : this.#g2) as Group<unknown>
  }

  *pairing(input: Uint8Array): PausableSteps<boolean> {
    const { Fp12 } = this.#curve.fields
    const [g1Bytes, g2Bytes] = [2 * this.#g1.width, 2 * this.#g2.width]
    let product = Fp12.ONE
    for (let at = 0; at < input.length; at += g1Bytes + g2Bytes) {
      const g1 = memberAt(this.#g1, input, at)
      const g2 = memberAt(this.#g2, input, at + g1Bytes)
      if (g1 === undefined || g2 === undefined) return undefined
      // A pairing with the point at infinity is 1. The library does not handle this case.
      if (!g1.is0() && !g2.is0()) {
        product = Fp12.mul(product, this.#curve.pairingBatch([{ g1, g2 }], false))
      }
      yield
    }
    return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE)
  }

  prepareOpenings(generator: Uint8Array, a: Uint8Array, b: Uint8Array): OpeningCheck {
    const { fields, utils, millerLoopBatch } = this.#curve
    const lines = [a, b].map((point) => utils.calcPairingPrecomputes(memberAt(this.#g2, point, 0)!))
    const one = memberAt(this.#g1, generator, 0)!
    return (committedOfX, minusValue, quotientOfX, at) => {
      const [committed, quotient] = [this.#memberOf(committedOfX), this.#memberOf(quotientOfX)]
      if (committed === undefined || quotient === undefined) return false
      const value = one.multiplyUnsafe(toQuantity(minusValue) % fields.Fr.ORDER)
      const first = committed.add(value).add(quotient.multiplyUnsafe(toQuantity(at) % fields.Fr.ORDER))
      // The prepared points of G2 are finite, so if exactly one point of G1 is infinite, the product is not 1.
      if (first.is0() || quotient.is0()) return first.is0() && quotient.is0()
      const product = millerLoopBatch(
        [first, quotient].map((point, i) => {
          const { x, y } = point.toAffine()
          return [lines[i]!, x, y]
        }),
      )
      return fields.Fp12.eql(fields.Fp12.finalExponentiate(product), fields.Fp12.ONE)
    }
  }

  /** Returns the point with the given x coordinate; `undefined` if G1's subgroup has no such point. */
  #memberOf(given: CompressedPoint): WeierstrassPoint<bigint> | undefined {
    const { Point } = this.#g1
    if (given === 'infinity') return Point.ZERO
    const { Fp } = this.#curve.fields
    const x = this.#readNumber(given.x, 0)
    if (x === undefined) return undefined
    const square = Fp.add(Fp.mul(Fp.sqr(x), x), Point.CURVE().b)
    const roots = rootsOf(Fp, square)
    if (roots === undefined) return undefined
    const point = Point.fromAffine({ x, y: given.isLarger ? roots[1] : roots[0] })
    return point.isTorsionFree() ? point : undefined
  }

  #readNumber(bytes: Uint8Array, at: number): bigint | undefined {
    const { width, padding, modulus } = this.#encoding
    if (!areZero(bytes, at, padding)) return undefined
    const number = toQuantity(bytes.subarray(at + padding, at + width))
    return number < modulus ? number : undefined
  }

  #writeNumber(number: bigint, bytes: Uint8Array, at: number): void {
    const { width, padding } = this.#encoding
    bytes.set(this.#curve.fields.Fp.toBytes(number), at + padding)
    if (this.#curve.fields.Fp.BYTES !== width - padding) throw new RangeError('unexpected number of bytes')
  }
}

/** Returns the smaller and the larger square root of `square`; `undefined` if there is no root. */
function rootsOf(
  Fp: BlsCurvePair['fields']['Fp'],
  square: bigint,
): readonly [smaller: bigint, larger: bigint] | undefined {
  let root: bigint
  try {
    root = Fp.sqrt(square)
  } catch {
    return undefined // the library throws for a number that is no square
  }
  const other = Fp.neg(root)
  return root < other ? [root, other] : [other, root]
}

/** Returns the curve point at index `at`, in the subgroup or not; `undefined` if the bytes encode no curve point. */
function pointAt<F>(group: Group<F>, bytes: Uint8Array, at: number): WeierstrassPoint<F> | undefined {
  if (areZero(bytes, at, 2 * group.width)) return group.Point.ZERO
  const [x, y] = [group.read(bytes, at), group.read(bytes, at + group.width)]
  if (x === undefined || y === undefined) return undefined
  const { Fp } = group.Point
  const { a, b } = group.Point.CURVE()
  const right = Fp.add(Fp.mul(Fp.add(Fp.sqr(x), a), x), b)
  return Fp.eql(Fp.sqr(y), right) ? group.Point.fromAffine({ x, y }) : undefined
}

/** Returns the point of the subgroup at index `at`; `undefined` if the bytes encode no such point. */
function memberAt<F>(group: Group<F>, bytes: Uint8Array, at: number): WeierstrassPoint<F> | undefined {
  const point = pointAt(group, bytes, at)
  return point === undefined || point.is0() || point.isTorsionFree() ? point : undefined
}

function encoded<F>(group: Group<F>, point: WeierstrassPoint<F>): Uint8Array {
  const bytes = new Uint8Array(2 * group.width)
  if (point.is0()) return bytes
  const { x, y } = point.toAffine()
  group.write(x, bytes, 0)
  group.write(y, bytes, group.width)
  return bytes
}

/** Returns whether the P-256 signature in `input` (hash, r, s, x, y; 160 bytes) is valid. */
export function verifyP256(input: Uint8Array): boolean {
  const publicKey = new Uint8Array(65)
  publicKey[0] = 4
  publicKey.set(input.subarray(96), 1)
  try {
    const options = { prehash: false, lowS: false }
    return p256.verify(input.subarray(32, 96), input.subarray(0, 32), publicKey, options)
  } catch {
    return false // the library throws for numbers out of range and for a key that is not on the curve
  }
}
