/** The curve BLS12-381 (EIP-2537). */
import { bls12381 } from '../../crypto/curves/curves.ts'
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import { G1_DISCOUNTS, G2_DISCOUNTS } from './bls12381Discounts.ts'
import { type Computation, inParts, type Precompile, truth } from './precompile.ts'

const FP_BYTES = 64
const G1_BYTES = 2 * FP_BYTES
const G2_BYTES = 4 * FP_BYTES
const SCALAR_BYTES = 32
const PAIR_BYTES = G1_BYTES + G2_BYTES

const load = () => bls12381.load()

export const bls12381AddG1 = ofLength(2 * G1_BYTES, 375n, (input) => bls12381.current.addG1(input))
export const bls12381AddG2 = ofLength(2 * G2_BYTES, 600n, (input) => bls12381.current.addG2(input))
export const bls12381MapToG1 = ofLength(FP_BYTES, 5_500n, (input) => bls12381.current.mapToG1(input))
export const bls12381MapToG2 = ofLength(2 * FP_BYTES, 23_800n, (input) => bls12381.current.mapToG2(input))

/** Sums of products of points of G1 and numbers. */
export const bls12381MultiplyG1 = ofMultiples(
  G1_BYTES + SCALAR_BYTES,
  (count) => discounted(count, 12_000n, G1_DISCOUNTS),
  (input) => bls12381.current.multiplyG1(input),
)

/** Sums of products of points of G2 and numbers. */
export const bls12381MultiplyG2 = ofMultiples(
  G2_BYTES + SCALAR_BYTES,
  (count) => discounted(count, 22_500n, G2_DISCOUNTS),
  (input) => bls12381.current.multiplyG2(input),
)

/** Returns whether the product of the pairings of at least one pair is 1. */
export const bls12381Pairing = ofMultiples(
  PAIR_BYTES,
  (count) => 37_700n + 32_600n * BigInt(count),
  function* (input): Parts<Uint8Array> {
    const isOne = yield* bls12381.current.pairing(input)
    return isOne === undefined ? undefined : truth(isOne)
  },
)

/** Returns a computation that fails for inputs of another length. */
function ofLength(length: number, gas: bigint, run: Precompile['run']): Computation {
  return {
    gas: () => gas,
    run: (input, rules) => (input.length === length ? run(input, rules) : undefined),
    load,
  }
}

/** Returns a computation on at least one item of `length` bytes, and no part of one. */
function ofMultiples(
  length: number,
  gas: (count: number) => bigint,
  run: (input: Uint8Array) => Parts<Uint8Array>,
): Computation {
  return inParts(
    (_, input) => gas(Math.floor(input.length / length)),
    function* (input): Parts<Uint8Array> {
      return input.length === 0 || input.length % length !== 0 ? undefined : yield* run(input)
    },
    load,
  )
}

/** Returns the gas of `count` multiplications: each is cheaper the more there are. */
function discounted(count: number, each: bigint, discounts: readonly number[]): bigint {
  return (BigInt(count) * each * BigInt(discounts[count - 1] ?? discounts.at(-1)!)) / 1_000n
}
