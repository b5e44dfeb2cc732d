/** Inputs of precompiles, right and wrong in each way that their EIPs name. */
import type { Fp2 } from '@noble/curves/abstract/tower.js'
import type { WeierstrassPoint, WeierstrassPointCons } from '@noble/curves/abstract/weierstrass.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bn254 } from '@noble/curves/bn254.js'
import type { Random } from '../random/random.ts'

/** A curve with a pairing, and how its numbers are written. */
export class CurveInputs {
  readonly curve: typeof bn254 | typeof bls12_381
  readonly width: number
  readonly random: Random

  constructor(name: 'bn254' | 'bls12381', random: Random) {
    this.curve = name === 'bn254' ? bn254 : bls12_381
    this.width = name === 'bn254' ? 32 : 64
    this.random = random
  }

  get order(): bigint {
    return this.curve.fields.Fr.ORDER
  }

  number(value: bigint, width = this.width): Uint8Array {
    return Buffer.from(value.toString(16).padStart(2 * width, '0'), 'hex')
  }

  /** The scalar 0, 1, the order, a number near the order, or any number. */
  scalar(): Uint8Array {
    const { random, order } = this
    const any = BigInt(random.hex(32))
    return this.number(
      random.pick([0n, 1n, 2n, order - 1n, order, order + 1n, 2n ** 256n - 1n, any, any, any]),
      32,
    )
  }

  /** A number that is not zero, below the order. */
  factor(): bigint {
    return 1n + (BigInt(this.random.hex(32)) % (this.order - 1n))
  }

  element(): bigint {
    return BigInt(this.random.hex(47)) % this.curve.fields.Fp.ORDER
  }

  g1(factor = this.factor()): Uint8Array {
    return this.pointOf1(this.curve.G1.Point.BASE.multiplyUnsafe(factor % this.order))
  }

  g2(factor = this.factor()): Uint8Array {
    return this.pointOf2(this.curve.G2.Point.BASE.multiplyUnsafe(factor % this.order))
  }

  pointOf1(point: WeierstrassPoint<bigint>): Uint8Array {
    if (point.is0()) return new Uint8Array(2 * this.width)
    const { x, y } = point.toAffine()
    return Buffer.concat([this.number(x), this.number(y)])
  }

  pointOf2(point: WeierstrassPoint<Fp2>): Uint8Array {
    if (point.is0()) return new Uint8Array(4 * this.width)
    const { x, y } = point.toAffine()
    return Buffer.concat([this.element2(x), this.element2(y)])
  }

  element2({ c0, c1 }: Fp2): Uint8Array {
    const parts = [this.number(c0), this.number(c1)]
    return Buffer.concat(this.width === 32 ? parts.reverse() : parts)
  }

  /** A point of the curve that is not in the subgroup; of BN254's G1 there is none. */
  outside1(): Uint8Array {
    const { Point } = this.curve.G1
    return this.pointOf1(this.#outside(Point, () => this.element()))
  }

  outside2(): Uint8Array {
    const { Fp2 } = this.curve.fields
    return this.pointOf2(
      this.#outside(this.curve.G2.Point, () => Fp2.create({ c0: this.element(), c1: this.element() })),
    )
  }

  #outside<F>(Point: WeierstrassPointCons<F>, any: () => F): WeierstrassPoint<F> {
    const { Fp } = Point
    for (;;) {
      const x = any()
      try {
        const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), Point.CURVE().b))
        return Point.fromAffine({ x, y })
      } catch {
        // Half of all numbers are no squares.
      }
    }
  }

  /** Bytes of a point, changed so that they are none, in one of the ways in which that can be. */
  spoilt(point: Uint8Array): Uint8Array {
    const { random, width } = this
    const wrong = Uint8Array.from(point)
    const numbers = point.length / width
    const which = random.below(numbers) * width
    const number = BigInt(`0x${Buffer.from(wrong.subarray(which, which + width)).toString('hex')}`)
    switch (random.below(4)) {
      case 0: // not on the curve
        wrong[which + width - 1]! ^= 1
        break
      case 1: // the same number beyond the field
        wrong.set(this.number(number + this.curve.fields.Fp.ORDER), which)
        break
      case 2: // the order of the field, and zero
        wrong.set(this.number(this.curve.fields.Fp.ORDER), which)
        break
      default: // the highest bit
        wrong[which]! ^= 0x80
    }
    return wrong
  }
}
