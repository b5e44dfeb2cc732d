/** Pairing curves in WebAssembly (`mcl.ts`), ten to thirty times as fast as in JavaScript. */
import { toWord } from '../../bytes/hex.ts'
import {
  type Binary,
  type Condition,
  FP_SIZE,
  FR_SIZE,
  G1_SIZE,
  G2_SIZE,
  GT_SIZE,
  MCL_BLS12_381,
  MCL_BN254,
  Mcl,
  type OverPairs,
  type Pointer,
  type Unary,
} from './mcl.ts'
import { mclOpenings } from './mclOpenings.ts'
import {
  areZero,
  BLS12_381_ENCODING,
  BN254_ENCODING,
  type Encoding,
  type GroupName,
  type OpeningCheck,
  type PairingCurve,
  type PausableSteps,
  partsOfFp2,
  SCALAR_BYTES,
} from './pairingCurve.ts'

export async function createMclBn254(): Promise<PairingCurve> {
  // All points of G1 are in the subgroup (EIP-196).
  return new MclCurve(await Mcl.create(MCL_BN254), BN254_ENCODING, { b: 3, hasG1Cofactor: false })
}

export async function createMclBls12381(): Promise<PairingCurve> {
  return new MclCurve(await Mcl.create(MCL_BLS12_381), BLS12_381_ENCODING, { b: 4, hasG1Cofactor: true })
}

/** Number of pairs between two pauses: 10 to 20 milliseconds of work. Larger batches are hardly faster per pair. */
const PAIRS_AT_ONCE = { g1: 64, g2: 32, pairing: 12 }
const MOST_PAIRS = 64

interface CurveForm {
  /** The constant of the equation y² = x³ + b. */
  readonly b: number
  /** Whether points of G1 may be outside the subgroup. */
  readonly hasG1Cofactor: boolean
}

interface Group {
  readonly size: number
  /** Number of field elements in a coordinate: 1 in Fp, 2 in Fp2. */
  readonly numbers: 1 | 2
  readonly atOnce: number
  /** Space for `MOST_PAIRS` points. */
  readonly points: Pointer
  /** Space for two results. */
  readonly result: Pointer
  isZero: Condition
  isOnCurve: Condition
  isInSubgroup: Condition
  normalize: Unary
  add: Binary
  multiply: Binary
  multiplyAll: OverPairs
  map: Unary
}

const SHAPES = {
  G1: { size: G1_SIZE, numbers: 1, atOnce: PAIRS_AT_ONCE.g1 },
  G2: { size: G2_SIZE, numbers: 2, atOnce: PAIRS_AT_ONCE.g2 },
} as const

/** Returns the group with mcl's functions for it. `hasCofactor`: whether curve points may be outside the subgroup. */
function groupOf(mcl: Mcl, name: 'G1' | 'G2', hasCofactor: boolean): Group {
  const { functions } = mcl
  const shape = SHAPES[name]
  return {
    ...shape,
    points: mcl.reserve(MOST_PAIRS * shape.size),
    result: mcl.reserve(2 * shape.size),
    isZero: functions[`_mclBn${name}_isZero`],
    isOnCurve: functions[`_mclBn${name}_isValid`],
    isInSubgroup: hasCofactor ? functions[`_mclBn${name}_isValidOrder`] : () => 1,
    normalize: functions[`_mclBn${name}_normalize`],
    add: functions[`_mclBn${name}_add`],
    multiply: functions[`_mclBn${name}_mul`],
    multiplyAll: functions[`_mclBn${name}_mulVec`],
    map: functions[name === 'G1' ? '_mclBnFp_mapToG1' : '_mclBnFp2_mapToG2'],
  }
}

class MclCurve implements PairingCurve {
  readonly #mcl: Mcl
  readonly #encoding: Encoding
  readonly #modulus: Uint8Array
  readonly #groups: Readonly<Record<GroupName, Group>>
  /** Buffer for the bytes of one number that mcl reads or writes. */
  readonly #bytes: Pointer
  readonly #scalars: Pointer
  /** Space for two elements of the target group. */
  readonly #target: Pointer
  readonly #one: Pointer
  readonly #b: Pointer

  constructor(mcl: Mcl, encoding: Encoding, { b, hasG1Cofactor }: CurveForm) {
    mcl.preparePairings()
    const { functions } = mcl
    this.#mcl = mcl
    this.#encoding = encoding
    const { modulus, width, padding } = encoding
    this.#modulus = bytesOf(modulus, width - padding)
    this.#bytes = mcl.reserve(FP_SIZE)
    this.#scalars = mcl.reserve(MOST_PAIRS * FR_SIZE)
    this.#target = mcl.reserve(2 * GT_SIZE)
    this.#one = mcl.reserve(FP_SIZE)
    functions._mclBnFp_setInt32(this.#one, 1)
    this.#b = mcl.reserve(FP_SIZE)
    functions._mclBnFp_setInt32(this.#b, b)
    this.#groups = { g1: groupOf(mcl, 'G1', hasG1Cofactor), g2: groupOf(mcl, 'G2', true) }
  }

  add(name: GroupName, input: Uint8Array): Uint8Array | undefined {
    const group = this.#groups[name]
    const [a, b] = [group.points, group.points + group.size]
    if (!this.#readPoint(group, input, 0, a) || !this.#readPoint(group, input, this.#pointBytes(group), b)) {
      return undefined
    }
    group.add(group.result, a, b)
    return this.#encoded(group, group.result)
  }

  *multiply(name: GroupName, input: Uint8Array): PausableSteps<Uint8Array> {
    const group = this.#groups[name]
    const { functions } = this.#mcl
    const pointBytes = this.#pointBytes(group)
    const { result } = group
    const before = result + group.size
    let sum: Uint8Array | undefined
    for (let at = 0; at < input.length; ) {
      if (sum !== undefined) yield
      let count = 0
      for (; count < group.atOnce && at < input.length; at += pointBytes + SCALAR_BYTES) {
        const point = group.points + count * group.size
        if (!this.#readMember(group, input, at, point)) return undefined
        if (group.isZero(point) === 1) continue
        const scalar = at + pointBytes
        this.#mcl.memory.set(input.subarray(scalar, scalar + SCALAR_BYTES), this.#bytes)
        functions._mclBnFr_setBigEndianMod(this.#scalars + count * FR_SIZE, this.#bytes, SCALAR_BYTES)
        count++
      }
      if (count === 1) group.multiply(result, group.points, this.#scalars)
      else if (count > 1) group.multiplyAll(result, group.points, this.#scalars, count)
      else this.#clear(result, group.size)
      if (sum !== undefined) {
        this.#mcl.memory.set(sum, before)
        group.add(result, result, before)
      }
      sum = this.#mcl.memory.slice(result, result + group.size)
    }
    if (sum === undefined) this.#clear(result, group.size)
    return this.#encoded(group, result)
  }

  mapTo(name: GroupName, input: Uint8Array): Uint8Array | undefined {
    const group = this.#groups[name]
    if (!this.#readElement(group, input, 0, group.points)) return undefined
    group.map(group.result, group.points)
    return this.#encoded(group, group.result)
  }

  /** Before each `yield`, the product is copied out of the instance's memory, because other calls may overwrite it. */
  *pairing(input: Uint8Array): PausableSteps<boolean> {
    const { functions } = this.#mcl
    const { g1, g2 } = this.#groups
    const target = this.#target
    const [g1Bytes, g2Bytes] = [this.#pointBytes(g1), this.#pointBytes(g2)]
    let product: Uint8Array | undefined
    for (let at = 0; at < input.length; ) {
      if (product !== undefined) yield
      let count = 0
      for (; count < PAIRS_AT_ONCE.pairing && at < input.length; at += g1Bytes + g2Bytes) {
        const [a, b] = [g1.points + count * g1.size, g2.points + count * g2.size]
        if (!this.#readMember(g1, input, at, a) || !this.#readMember(g2, input, at + g1Bytes, b))
          return undefined
        // A pairing with the point at infinity is 1, so such a pair is left out.
        if (g1.isZero(a) === 0 && g2.isZero(b) === 0) count++
      }
      if (count === 0) functions._mclBnGT_setInt32(target, 1)
      else functions._mclBn_millerLoopVec(target, g1.points, g2.points, count)
      if (product !== undefined) {
        this.#mcl.memory.set(product, target + GT_SIZE)
        functions._mclBnGT_mul(target, target, target + GT_SIZE)
      }
      product = this.#mcl.memory.slice(target, target + GT_SIZE)
    }
    if (product === undefined) return true
    functions._mclBn_finalExp(target, target)
    return functions._mclBnGT_isOne(target) === 1
  }

  prepareOpenings(generator: Uint8Array, a: Uint8Array, b: Uint8Array): OpeningCheck {
    const place = this.#mcl.reserve(G1_SIZE)
    if (!this.#readMember(this.#groups.g1, generator, 0, place))
      throw new RangeError('expected a point of the subgroup')
    return mclOpenings({
      mcl: this.#mcl,
      generator: place,
      linesOfA: this.#linesOf(a),
      linesOfB: this.#linesOf(b),
      one: this.#one,
      b: this.#b,
      modulus: this.#modulus,
      readCoordinate: (bytes, number) => this.#readNumber(bytes, 0, number),
    })
  }

  /** Returns a pointer to the precomputed lines of a G2 point (for Miller loops). This memory is never freed. */
  #linesOf(point: Uint8Array): Pointer {
    const { functions } = this.#mcl
    const { g2 } = this.#groups
    if (!this.#readMember(g2, point, 0, g2.points)) throw new RangeError('expected a point of the subgroup')
    const lines = this.#mcl.reserve(8 * functions._mclBn_getUint64NumToPrecompute())
    functions._mclBn_precomputeG2(lines, g2.points)
    return lines
  }

  #pointBytes(group: Group): number {
    return 2 * group.numbers * this.#encoding.width
  }

  #clear(place: Pointer, size: number): void {
    this.#mcl.memory.fill(0, place, place + size)
  }

  /** Reads a point of the subgroup. Returns false if the bytes at index `at` encode no such point. */
  #readMember(group: Group, input: Uint8Array, at: number, point: Pointer): boolean {
    return (
      this.#readPoint(group, input, at, point) &&
      (group.isZero(point) === 1 || group.isInSubgroup(point) === 1)
    )
  }

  /** Reads a curve point, in the subgroup or not. Returns false if the bytes at index `at` encode no point. */
  #readPoint(group: Group, input: Uint8Array, at: number, point: Pointer): boolean {
    const bytes = this.#pointBytes(group)
    this.#clear(point, group.size)
    if (areZero(input, at, bytes)) return true
    const coordinate = group.size / 3
    if (!this.#readElement(group, input, at, point)) return false
    if (!this.#readElement(group, input, at + bytes / 2, point + coordinate)) return false
    this.#mcl.memory.copyWithin(point + 2 * coordinate, this.#one, this.#one + FP_SIZE)
    return group.isOnCurve(point) === 1
  }

  #readElement(group: Group, input: Uint8Array, at: number, element: Pointer): boolean {
    if (group.numbers === 1) return this.#readNumber(input, at, element)
    const [real, imaginary] = partsOfFp2(this.#encoding)
    return (
      this.#readNumber(input, at + real, element) &&
      this.#readNumber(input, at + imaginary, element + FP_SIZE)
    )
  }

  #readNumber(input: Uint8Array, at: number, number: Pointer): boolean {
    const { width, padding } = this.#encoding
    if (!areZero(input, at, padding) || !this.#isInField(input, at + padding)) return false
    this.#mcl.memory.set(input.subarray(at + padding, at + width), this.#bytes)
    this.#mcl.functions._mclBnFp_setBigEndianMod(number, this.#bytes, width - padding)
    return true
  }

  #isInField(input: Uint8Array, at: number): boolean {
    for (let i = 0; i < this.#modulus.length; i++) {
      const difference = input[at + i]! - this.#modulus[i]!
      if (difference !== 0) return difference < 0
    }
    return false
  }

  #writeNumber(number: Pointer, output: Uint8Array, at: number): void {
    const { width, padding } = this.#encoding
    this.#clear(this.#bytes, FP_SIZE)
    this.#mcl.functions._mclBnFp_getLittleEndian(this.#bytes, width - padding, number)
    const { memory } = this.#mcl
    for (let i = 0; i < width - padding; i++) output[at + width - 1 - i] = memory[this.#bytes + i]!
  }

  #encoded(group: Group, point: Pointer): Uint8Array {
    const { width } = this.#encoding
    const output = new Uint8Array(this.#pointBytes(group))
    if (group.isZero(point) === 1) return output
    group.normalize(point, point)
    const [real, imaginary] = group.numbers === 1 ? [0, 0] : partsOfFp2(this.#encoding)
    for (let coordinate = 0; coordinate < 2; coordinate++) {
      const from = point + (coordinate * group.size) / 3
      const at = coordinate * group.numbers * width
      this.#writeNumber(from, output, at + real)
      if (group.numbers === 2) this.#writeNumber(from + FP_SIZE, output, at + imaginary)
    }
    return output
  }
}

/** Returns a number as `length` big-endian bytes, 32 or 48. */
function bytesOf(number: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(toWord(BigInt.asUintN(256, number)), length - 32)
  if (length > 32) bytes.set(toWord(number >> 256n).subarray(64 - length), 0)
  return bytes
}
