/** Checks openings of KZG commitments (`PairingCurve.prepareOpenings`), with a table of multiples of the generator. */
import { FP_SIZE, FR_SIZE, G1_SIZE, GT_SIZE, type Mcl, type Pointer } from './mcl.ts'
import type { CompressedPoint, OpeningCheck } from './pairingCurve.ts'

export interface OpeningParts {
  readonly mcl: Mcl
  readonly generator: Pointer
  readonly linesOfA: Pointer
  readonly linesOfB: Pointer
  readonly one: Pointer
  /** The constant b of the equation y² = x³ + b. */
  readonly b: Pointer
  /** The order of the coordinate field as big-endian bytes. */
  readonly modulus: Uint8Array
  readCoordinate(bytes: Uint8Array, place: Pointer): boolean
}

/** Number of hex digits of a scalar. For each digit i, the table contains k · 16^i · generator for k from 1 to 15. */
const DIGITS = 64
const MULTIPLES = 15

export function mclOpenings(parts: OpeningParts): OpeningCheck {
  const { mcl, linesOfA, linesOfB, one, b, modulus, readCoordinate } = parts
  const { functions } = mcl
  const table = tableOf(mcl, parts.generator)
  const [first, committed, quotient] = [0, 1, 2].map(() => mcl.reserve(G1_SIZE)) as [
    Pointer,
    Pointer,
    Pointer,
  ]
  const [square, bytes] = [mcl.reserve(FP_SIZE), mcl.reserve(FP_SIZE)]
  const scalar = mcl.reserve(FR_SIZE)
  const target = mcl.reserve(GT_SIZE)

  /** Writes the point of the subgroup with the x coordinate `x`. Returns false if there is no such point. */
  function readMember(point: Pointer, { x, isLarger }: Exclude<CompressedPoint, 'infinity'>): boolean {
    const y = point + FP_SIZE
    if (!readCoordinate(x, point)) return false
    functions._mclBnFp_mul(square, point, point)
    functions._mclBnFp_mul(square, square, point)
    functions._mclBnFp_add(square, square, b)
    if (functions._mclBnFp_squareRoot(y, square) !== 0) return false
    if (isLargerRoot(y) !== isLarger) functions._mclBnFp_neg(y, y)
    mcl.memory.copyWithin(point + 2 * FP_SIZE, one, one + FP_SIZE)
    return functions._mclBnG1_isValidOrder(point) === 1
  }

  function read(point: Pointer, given: CompressedPoint): boolean {
    if (given !== 'infinity') return readMember(point, given)
    mcl.memory.fill(0, point, point + G1_SIZE)
    return true
  }

  /** Returns whether a number is larger than half of the modulus, and so larger than its negative. */
  function isLargerRoot(root: Pointer): boolean {
    const { memory } = mcl
    memory.fill(0, bytes, bytes + FP_SIZE)
    functions._mclBnFp_getLittleEndian(bytes, modulus.length, root)
    let carry = 0
    for (let i = 0; i < modulus.length; i++) {
      // Shifts the modulus right by one bit.
      const half = (modulus[i]! >> 1) | carry
      carry = (modulus[i]! & 1) << 7
      const difference = memory[bytes + modulus.length - 1 - i]! - half
      if (difference !== 0) return difference > 0
    }
    return false
  }

  function addMultiple(sum: Pointer, digit: number, multiple: number): void {
    if (multiple > 0) functions._mclBnG1_add(sum, sum, table + (digit * MULTIPLES + multiple - 1) * G1_SIZE)
  }

  return (committedOfX, minusValue, quotientOfX, at) => {
    if (!read(committed, committedOfX) || !read(quotient, quotientOfX)) return false
    mcl.memory.set(at, bytes)
    functions._mclBnFr_setBigEndianMod(scalar, bytes, FR_SIZE)
    functions._mclBnG1_mul(first, quotient, scalar)
    functions._mclBnG1_add(first, first, committed)
    for (let i = 0; i < minusValue.length; i++) {
      const digit = DIGITS - 2 * (i + 1)
      addMultiple(first, digit, minusValue[i]! & 15)
      addMultiple(first, digit + 1, minusValue[i]! >> 4)
    }
    const isInfinite = functions._mclBnG1_isZero(first) === 1
    // The points of G2 are finite, so if exactly one point of G1 is infinite, the product is not 1.
    if (isInfinite || quotientOfX === 'infinity') return isInfinite && quotientOfX === 'infinity'
    functions._mclBnG1_normalize(first, first)
    functions._mclBn_precomputedMillerLoop2(target, first, linesOfA, quotient, linesOfB)
    functions._mclBn_finalExp(target, target)
    return functions._mclBnGT_isOne(target) === 1
  }
}

/** Returns a pointer to a table of multiples of `point`, normalized for cheaper additions. The table is never freed. */
function tableOf(mcl: Mcl, point: Pointer): Pointer {
  const { functions } = mcl
  const table = mcl.reserve(DIGITS * MULTIPLES * G1_SIZE)
  const base = mcl.reserve(2 * G1_SIZE)
  const sum = base + G1_SIZE
  mcl.memory.copyWithin(base, point, point + G1_SIZE)
  for (let digit = 0; digit < DIGITS; digit++) {
    mcl.memory.fill(0, sum, sum + G1_SIZE)
    for (let multiple = 1; multiple <= MULTIPLES; multiple++) {
      functions._mclBnG1_add(sum, sum, base)
      functions._mclBnG1_normalize(table + (digit * MULTIPLES + multiple - 1) * G1_SIZE, sum)
    }
    functions._mclBnG1_add(base, sum, base)
    functions._mclBnG1_normalize(base, base)
  }
  return table
}
