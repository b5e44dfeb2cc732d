/** Calls of precompiles, with input and output in the memory of an instance. */

import type { Address } from '../../bytes/hex.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import { type MaybePromise, whenThere } from '../../work/maybePromise.ts'
import type { Work } from '../../work/work.ts'
import type { MovedPrecompiles } from '../engine.ts'
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
import type { Exports, Memory } from './module.ts'

/** Runs the precompiles of one instance. */
export class PrecompileCalls {
  readonly #exports: Exports
  readonly #memory: Memory

  constructor(exports: Exports, memory: Memory) {
    this.#exports = exports
    this.#memory = memory
  }

  /** Runs the precompile of the open frame. Returns the module's next status. */
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
    const parts = precompile.runInParts?.(input, rules)
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
