/**
 * mcl (https://github.com/herumi/mcl) in WebAssembly, from the package `mcl-wasm`. The module (440 kB) is loaded at the
 * first call of a precompile on one of the curves.
 *
 * preseal uses only the WebAssembly module of the package: the package's JavaScript objects support one curve per
 * process and copy operands. Here each curve has its own instance, and values stay in the memory of the instance.
 */
import createModule from 'mcl-wasm/dist/mcl_c.js'

/** An address in the memory of an instance. */
export type Pointer = number

/** Functions of `mcl/bn.h` that preseal calls. The first parameter gets the result. A `Condition` returns 0 or 1. */
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
  /** Returns the output size of `_mclBn_precomputeG2` in units of 8 bytes. */
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
/** Combines `count` consecutive pairs of values, starting at `a` and `b`. May overwrite the values at `a`. */
export type OverPairs = (result: Pointer, a: Pointer, b: Pointer, count: number) => void

/** The curve numbers of `mcl/curve_type.h`. */
export const MCL_BN254 = 4
export const MCL_BLS12_381 = 5
export const MCL_P256 = 107

/** Sizes of values in memory, in bytes, for all curves. */
export const FP_SIZE = 48
export const FR_SIZE = 32
export const G1_SIZE = 3 * FP_SIZE
export const G2_SIZE = 6 * FP_SIZE
export const GT_SIZE = 12 * FP_SIZE

/** `MCLBN_COMPILED_TIME_VAR`: the number sizes for which the package was compiled. `_mclBn_init` checks this value. */
const UNIT_SIZES = (10 * FR_SIZE + FP_SIZE) / 8
/** `MCL_MAP_TO_MODE_HASH_TO_CURVE_07`, the mapping of RFC 9380. */
const MAP_AS_IN_RFC_9380 = 5

export class Mcl {
  readonly functions: MclFunctions
  #memory: Uint8Array

  private constructor(functions: MclFunctions) {
    this.functions = functions
    this.#memory = new Uint8Array(functions.wasmMemory.buffer)
  }

  static async create(curve: number): Promise<Mcl> {
    const functions = (await createModule({ cryptoGetRandomValues: forbidRandom })) as MclFunctions
    const result = functions._mclBn_init(curve, UNIT_SIZES)
    if (result !== 0) throw new Error(`mcl does not know curve ${curve}: ${result}`)
    return new Mcl(functions)
  }

  /** Selects the mapping of RFC 9380, and turns off subgroup checks in all functions except `isValidOrder`. */
  preparePairings(): void {
    this.functions._mclBn_setMapToMode(MAP_AS_IN_RFC_9380)
    this.functions._mclBn_verifyOrderG1(0)
    this.functions._mclBn_verifyOrderG2(0)
  }

  /** The current memory. A view from an earlier read may be detached, because a call can grow the memory. */
  get memory(): Uint8Array {
    if (this.#memory.length === 0) this.#memory = new Uint8Array(this.functions.wasmMemory.buffer)
    return this.#memory
  }

  /** Reserves bytes that are never freed. */
  reserve(bytes: number): Pointer {
    const place = this.functions._malloc(bytes)
    if (place === 0) throw new RangeError(`mcl has no memory for ${bytes} bytes`)
    return place
  }
}

function forbidRandom(): void {
  throw new Error('no random numbers are needed here')
}
