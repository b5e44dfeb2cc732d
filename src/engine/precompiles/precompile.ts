import { type Parts, whole } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { PrecompileName } from '../../model/hardfork/ruleTables.ts'

/** A contract that is a part of the protocol: a function of its input, at a price in gas. */
export interface Precompile {
  readonly name: PrecompileName
  /** Returns the gas of a call with `input` under `rules`. */
  gas(rules: Rules, input: Uint8Array): bigint
  /** Returns the output, or `undefined` if the precompile fails and uses all gas of the call. */
  run(input: Uint8Array, rules: Rules): Uint8Array | undefined
  /**
   * Computes the same output as `run`, but may be paused at each `yield`. Absent if no call takes long. The caller must not
   * change `input` before the computation ends.
   */
  runInParts?(input: Uint8Array, rules: Rules): Parts<Uint8Array>
  /**
   * Loads the curve that `run` and `runInParts` need; they throw without it. Returns `undefined` if it is loaded, else a
   * promise, which rejects only if files of the package are missing.
   */
  load?(): Promise<void> | undefined
}

/** A precompile without its name. */
export type Computation = Omit<Precompile, 'name'>

/** Returns a computation whose calls may be paused. */
export function inParts(
  gas: Precompile['gas'],
  runInParts: (input: Uint8Array, rules: Rules) => Parts<Uint8Array>,
  load?: () => Promise<void> | undefined,
): Computation {
  const run: Precompile['run'] = (input, rules) => whole(runInParts(input, rules))
  return load === undefined ? { gas, run, runInParts } : { gas, run, runInParts, load }
}

/** Returns the length of `input` in words of 32 bytes, rounded up. */
export function wordsOf(input: Uint8Array): bigint {
  return BigInt(Math.ceil(input.length / 32))
}

/** Returns `length` bytes of `input` from `start` on, as if zeros followed it. */
export function padded(input: Uint8Array, start: number, length: number): Uint8Array {
  if (input.length >= start + length) return input.subarray(start, start + length)
  const bytes = new Uint8Array(length)
  if (input.length > start) bytes.set(input.subarray(start, start + length))
  return bytes
}

/** Returns 1 or 0 as a word. */
export function truth(value: boolean): Uint8Array {
  const word = new Uint8Array(32)
  word[31] = value ? 1 : 0
  return word
}
