/**
 * mcl (https://github.com/herumi/mcl) as WebAssembly, from the package `mcl-wasm`.
 *
 * Only the package's module is used, without the objects around it: these know one curve for a process and copy each
 * operand of each operation. Here each curve has an instance of its own, and the values stay in its memory.
 *
 * The package (440 kB of WebAssembly) is loaded when a precompile that needs it is called for the first time.
 */
import createModule from 'mcl-wasm/dist/mcl_c.js'

/** A place in the memory of an instance. */
export type Pointer = number

/** The functions of `mcl/bn.h` that are used here. A result comes first. Conditions are 0 or 1. */
export interface MclFunctions extends GroupFunctions<'G1'>, GroupFunctions<'G2'> {
  _malloc(bytes: number): Pointer
  readonly wasmMemory: { readonly buffer: ArrayBuffer }
  _mclBn_init(curve: number, unitSizes: number): number
  _mclBn_setMapToMode(mode: number): number
  _mclBn_verifyOrderG1(isChecked: number): void
  _mclBn_verifyOrderG2(isChecked: number): void
  _mclBnFp_setInt32(result: Pointer, value: number): void
  _mclBnFp_setBigEndianMod(result: Pointer, bytes: Pointer, length: number): number
  _mclBnFp_getLittleEndian(bytes: Pointer, limit: number, value: Pointer): number
  _mclBnFp_add: Binary
  _mclBnFp_mul: Binary
  _mclBnFp_neg: Unary
  _mclBnFp_squareRoot(result: Pointer, value: Pointer): number
  _mclBnFr_setBigEndianMod(result: Pointer, bytes: Pointer, length: number): number
  _mclBnFr_inv: Unary
  _mclBnFr_mul: Binary
  _mclBnFr_isEqual(a: Pointer, b: Pointer): number
  _mclBnFp_mapToG1: Unary
  _mclBnFp2_mapToG2: Unary
  _mclBnG1_getBasePoint(result: Pointer): void
  _mclBnGT_setInt32(result: Pointer, value: number): void
  _mclBnGT_mul: Binary
  _mclBnGT_isOne: Condition
  _mclBn_millerLoopVec: OverPairs
  _mclBn_finalExp: Unary
  /** Returns the size of the output of `_mclBn_precomputeG2`, in units of 8 bytes. */
  _mclBn_getUint64NumToPrecompute(): number
  _mclBn_precomputeG2: Unary
  _mclBn_precomputedMillerLoop2(
    result: Pointer,
    a1: Pointer,
    lines1: Pointer,
    a2: Pointer,
    lines2: Pointer,
  ): void
}

/** The functions of both groups of a curve. */
type GroupFunctions<G extends 'G1' | 'G2'> = Record<
  `_mclBn${G}_${'isZero' | 'isValid' | 'isValidOrder'}`,
  Condition
> &
  Record<`_mclBn${G}_normalize`, Unary> &
  Record<`_mclBn${G}_${'add' | 'mul'}`, Binary> &
  Record<`_mclBn${G}_mulVec`, OverPairs>

export type Condition = (value: Pointer) => number
export type Unary = (result: Pointer, value: Pointer) => void
export type Binary = (result: Pointer, a: Pointer, b: Pointer) => void
/** Combines the values at `a` and `b` and the ones that follow, `count` pairs. May write to `a`. */
export type OverPairs = (result: Pointer, a: Pointer, b: Pointer, count: number) => void

/** The numbers of curves in `mcl/curve_type.h`. */
export const MCL_BN254 = 4
export const MCL_BLS12_381 = 5
export const MCL_P256 = 107

/** The bytes of a value in memory, of any curve. */
export const FP_SIZE = 48
export const FR_SIZE = 32
export const G1_SIZE = 3 * FP_SIZE
export const G2_SIZE = 6 * FP_SIZE
export const GT_SIZE = 12 * FP_SIZE

/** The sizes in units of 8 bytes with which the package was compiled: the library checks that they agree. */
const UNIT_SIZES = (10 * FR_SIZE + FP_SIZE) / 8
/** `MCL_MAP_TO_MODE_HASH_TO_CURVE_07`: as in RFC 9380. */
const MAP_AS_IN_RFC_9380 = 5

/** An instance of mcl for one curve. */
export class Mcl {
  readonly functions: MclFunctions
  #memory: Uint8Array

  private constructor(functions: MclFunctions) {
    this.functions = functions
    this.#memory = new Uint8Array(functions.wasmMemory.buffer)
  }

  /** Returns a new instance. Rejects where WebAssembly is not allowed. */
  static async create(curve: number): Promise<Mcl> {
    const functions = (await createModule({ cryptoGetRandomValues: forbidRandom })) as MclFunctions
    const result = functions._mclBn_init(curve, UNIT_SIZES)
    if (result !== 0) throw new Error(`mcl does not know curve ${curve}: ${result}`)
    return new Mcl(functions)
  }

  /** Prepares an instance for a curve with pairings: subgroups are checked by name only. */
  preparePairings(): void {
    this.functions._mclBn_setMapToMode(MAP_AS_IN_RFC_9380)
    this.functions._mclBn_verifyOrderG1(0)
    this.functions._mclBn_verifyOrderG2(0)
  }

  /** The memory. A view that was returned before may be detached when the instance has run since. */
  get memory(): Uint8Array {
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.functions.wasmMemory.buffer)
    return this.#memory
  }

  /** Returns the place of `bytes` bytes that stay reserved. */
  reserve(bytes: number): Pointer {
    const place = this.functions._malloc(bytes)
    if (place === 0) throw new RangeError(`mcl has no memory for ${bytes} bytes`)
    return place
  }
}

function forbidRandom(): void {
  throw new Error('nothing here is random')
}
