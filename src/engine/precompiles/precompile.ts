import { type PausableSteps, runToEnd } from '../../crypto/curves/pairingCurve.ts'
import type { Rules } from '../../model/hardfork/hardfork.ts'
import type { PrecompileName } from '../../model/hardfork/ruleTables.ts'

/** A contract that is part of the protocol: it charges gas and computes an output from its input. */
export interface Precompile {
  readonly name: PrecompileName
  gas(rules: Rules, input: Uint8Array): bigint
  /** Returns the output; `undefined` if the precompile fails. A failure uses all gas of the call. */
  run(input: Uint8Array, rules: Rules): Uint8Array | undefined
  /** Like `run` with pauses at each `yield`; absent if no call takes long. `input` must not change until the end. */
  runInParts?(input: Uint8Array, rules: Rules): PausableSteps<Uint8Array>
  /** Loads the curve for `run`; `undefined` if already loaded. Rejects only if files of the package are missing. */
  load?(): Promise<void> | undefined
}

export type Computation = Omit<Precompile, 'name'>

export function inParts(
  gas: Precompile['gas'],
  runInParts: (input: Uint8Array, rules: Rules) => PausableSteps<Uint8Array>,
  load?: () => Promise<void> | undefined,
): Computation {
  const run: Precompile['run'] = (input, rules) => runToEnd(runInParts(input, rules))
  return load === undefined ? { gas, run, runInParts } : { gas, run, runInParts, load }
}

export function wordsOf(input: Uint8Array): bigint {
  return BigInt(Math.ceil(input.length / 32))
}

export function padded(input: Uint8Array, start: number, length: number): Uint8Array {
  if (input.length >= start + length) return input.subarray(start, start + length)
  const bytes = new Uint8Array(length)
  if (input.length > start) bytes.set(input.subarray(start, start + length))
  return bytes
}

export function truth(value: boolean): Uint8Array {
  const word = new Uint8Array(32)
  word[31] = value ? 1 : 0
  return word
}
