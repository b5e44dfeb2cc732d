/** Precompiles that the module computes: the same outputs as those in TypeScript have, in a part of the time. */

import type { Address } from '../../bytes/hex.ts'
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { PrecompileName } from '../../model/hardfork/precompiles.ts'
import { type MaybePromise, whenThere } from '../../work/maybePromise.ts'
import type { Work } from '../../work/work.ts'
import type { MovedPrecompiles } from '../engine.ts'
import { BLAKE2F_BYTES } from '../precompiles/blake2f.ts'
import { MODEXP_HEAD, operandLengths } from '../precompiles/modexp.ts'
import { padded } from '../precompiles/precompile.ts'
import type { Precompile } from '../precompiles/precompiles.ts'
import { precompilesUnder } from '../precompiles/precompiles.ts'
import {
  EXIT_STOP,
  FRAME,
  FRAME_CODE_ACCOUNT,
  FRAME_DATA,
  FRAME_DATA_LENGTH,
  FRAME_GAS,
  OUT_OF_GAS,
  PRECOMPILE_FAILED,
} from './layout.ts'
import type { Memory } from './memory.ts'
import type { Exports } from './module.ts'

/** The rounds of BLAKE2F between two pauses: some 5 milliseconds. */
const ROUNDS_OF_A_PART = 400_000
/** The products of limbs of MODEXP between two pauses: some 5 milliseconds. */
const PRODUCTS_OF_A_PART = 5_000_000n
/** The bytes of the state between two rounds of BLAKE2F, and of its output. */
const BLAKE2F_STATE = 128
const BLAKE2F_OUTPUT = 64
/** Longer operands of MODEXP, together, are left to TypeScript: the module would have to hold them. */
const MOST_OPERANDS = 4 * 1024 * 1024

type Inner = (input: Uint8Array, rules: Rules) => Parts<Uint8Array> | undefined

/** Runs precompiles in the memory of one instance, one call at a time. */
export class InnerPrecompiles {
  readonly #exports: Exports
  readonly #memory: Memory
  readonly #inner: ReadonlyMap<PrecompileName, Inner>
  #place = 0
  #room = 0

  constructor(exports: Exports, memory: Memory) {
    this.#exports = exports
    this.#memory = memory
    this.#inner = new Map<PrecompileName, Inner>([
      ['MODEXP', (input, rules) => this.#modexp(input, rules)],
      ['BLAKE2F', (input) => this.#blake2f(input)],
    ])
  }

  /**
   * Returns the computation of a call, which may be paused and given up at each `yield`; `undefined` if the module does
   * not compute it.
   */
  parts(precompile: Precompile, input: Uint8Array, rules: Rules): Parts<Uint8Array> | undefined {
    return this.#inner.get(precompile.name)?.(input, rules)
  }

  /** Returns a place for `length` bytes, which is valid until the next call. */
  #take(length: number): number {
    if (length > this.#room) {
      if (this.#room > 0) this.#exports.release(this.#place, this.#room)
      this.#room = length
      this.#place = this.#exports.allocate(length)
    }
    return this.#place
  }

  *#blake2f(input: Uint8Array): Parts<Uint8Array> {
    if (input.length !== BLAKE2F_BYTES || input[BLAKE2F_BYTES - 1]! > 1) return undefined
    const state = this.#take(BLAKE2F_STATE + BLAKE2F_OUTPUT + BLAKE2F_BYTES)
    const output = state + BLAKE2F_STATE
    const place = output + BLAKE2F_OUTPUT
    this.#memory.setBytes(place, input)
    this.#exports.blake2fStart(place, state)
    const rounds = this.#exports.blake2fRoundsOf(place) >>> 0
    for (let from = 0; from < rounds; from += ROUNDS_OF_A_PART) {
      if (from > 0) yield
      this.#exports.blake2fRounds(place, state, from, Math.min(rounds, from + ROUNDS_OF_A_PART))
    }
    this.#exports.blake2fEnd(place, state, output)
    return this.#memory.bytes(output, BLAKE2F_OUTPUT)
  }

  #modexp(input: Uint8Array, rules: Rules): Parts<Uint8Array> | undefined {
    const lengths = operandLengths(input, rules)
    if (lengths === undefined) return undefined
    const { base, exponent, modulus } = lengths
    const operands = base + exponent + modulus
    if (modulus === 0 || operands > MOST_OPERANDS) return undefined
    return this.#power(padded(input, MODEXP_HEAD, operands), base, exponent, modulus)
  }

  *#power(operands: Uint8Array, base: number, exponent: number, modulus: number): Parts<Uint8Array> {
    const exports = this.#exports
    const scratchBytes = exports.modexpScratch(exponent, modulus)
    const scratch = this.#take(scratchBytes + operands.length + modulus)
    const place = scratch + scratchBytes
    const output = place + operands.length
    this.#memory.setBytes(place, operands)
    exports.modexpStart(place, base, place + base, exponent, place + base + exponent, modulus, scratch)
    while (exports.modexpRun(scratch, PRODUCTS_OF_A_PART) === 0) yield
    exports.modexpEnd(scratch, output)
    return this.#memory.bytes(output, modulus)
  }
}

/** Runs the precompiles of one instance. */
export class PrecompileCalls {
  readonly #exports: Exports
  readonly #memory: Memory
  readonly #inner: InnerPrecompiles

  constructor(exports: Exports, memory: Memory) {
    this.#exports = exports
    this.#memory = memory
    this.#inner = new InnerPrecompiles(exports, memory)
  }

  /** Runs the one of `precompiles` whose frame is open. Returns how the module goes on. */
  run(precompiles: ReadonlyMap<Address, Precompile>, rules: Rules, work: Work): MaybePromise<number> {
    const memory = this.#memory
    const frame = memory.u32(FRAME)
    const gas = memory.u64(frame + FRAME_GAS)
    const input = memory.bytes(memory.u32(frame + FRAME_DATA), memory.u32(frame + FRAME_DATA_LENGTH))
    const precompile = precompiles.get(memory.address(memory.u32(frame + FRAME_CODE_ACCOUNT)))!
    const left = gas - precompile.gas(rules, input)
    if (left < 0n) return this.#exports.closePrecompile(0n, OUT_OF_GAS)
    const loading = precompile.load?.()
    if (loading === undefined) return this.#compute(precompile, input, rules, left, work)
    return whenThere(loading, () => this.#compute(precompile, input, rules, left, work))
  }

  #compute(
    precompile: Precompile,
    input: Uint8Array,
    rules: Rules,
    left: bigint,
    work: Work,
  ): MaybePromise<number> {
    const parts = this.#inner.parts(precompile, input, rules) ?? precompile.runInParts?.(input, rules)
    if (parts === undefined) return this.#close(precompile.run(input, rules), left)
    const goOn = (): MaybePromise<number> => {
      for (let part = parts.next(); ; part = parts.next()) {
        if (part.done) return this.#close(part.value, left)
        const pause = work.pause()
        if (pause !== undefined) return pause.then(goOn)
      }
    }
    return goOn()
  }

  #close(output: Uint8Array | undefined, left: bigint): number {
    if (output === undefined) return this.#exports.closePrecompile(0n, PRECOMPILE_FAILED)
    this.#memory.setBytes(this.#exports.returnPlace(output.length), output)
    return this.#exports.closePrecompile(left, EXIT_STOP)
  }
}

/** Returns the precompiles of `rules` at their addresses after `moved`. */
export function precompilesAfter(
  rules: Rules,
  moved: MovedPrecompiles | undefined,
): ReadonlyMap<Address, Precompile> {
  const precompiles = precompilesUnder(rules)
  if (moved === undefined) return precompiles
  const now = new Map(precompiles)
  for (const from of moved.keys()) now.delete(from)
  for (const [from, to] of moved) {
    const precompile = precompiles.get(from)
    if (precompile !== undefined && to !== undefined) now.set(to, precompile)
  }
  return now
}
