/** Values that options accept. */
import * as v from 'valibot'
import type { Address, Hash } from '../bytes/hex.ts'
import { isSolcRun, type SolcRun } from '../solidity/artifacts/artifactSource.ts'

/** Accepts a whole number from `min` to `max`. */
export function whole(what: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  const expected = `${what} (a whole number from ${min}${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`})`
  return v.pipe(
    v.number(expected),
    v.safeInteger(expected),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  )
}

/** Accepts 32 bytes in hex. */
export const hash = v.pipe(
  v.string('32 bytes'),
  v.regex(/^0x[0-9a-fA-F]{64}$/, '32 bytes (0x and 64 hex digits)'),
  v.transform((text) => text.toLowerCase() as Hash),
)

/** Accepts a quantity from `min` to `max`, as a bigint or a whole number. */
export function quantity(what: string, max: bigint, min = 0n) {
  const expected = `${what} (a bigint or a whole number from ${min} to ${max})`
  return v.union(
    [
      v.pipe(v.bigint(), v.minValue(min, expected), v.maxValue(max, expected)),
      v.pipe(
        v.number(),
        v.safeInteger(expected),
        v.minValue(Number(min), expected),
        v.transform((value) => BigInt(value)),
      ),
    ],
    expected,
  )
}

/** Accepts one of some words. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return v.picklist(values, `one of ${values.join(', ')}`)
}

/** Returns an option with a default and a description. */
export function option<S extends v.GenericSchema, const D extends v.InferInput<S>>(
  schema: S,
  fallback: D,
  meaning: string,
) {
  return v.pipe(v.optional(schema, fallback), v.description(meaning))
}

/** Returns an option without a default, which may be absent. */
export function optionWithoutDefault<S extends v.GenericSchema>(schema: S, meaning: string) {
  return v.pipe(v.optional(schema), v.description(meaning))
}

export const yesOrNo = v.boolean('true or false')
export const UINT64 = 2n ** 64n - 1n
export const UINT256 = 2n ** 256n - 1n
export const address = v.pipe(
  v.string('an address'),
  v.regex(/^0x[0-9a-fA-F]{40}$/, 'an address (0x and 40 hex digits)'),
  v.transform((text) => text.toLowerCase() as Address),
)
export const ARTIFACTS = 'a folder, a file or { input, output } of solc, or an array of these'
/** Accepts the path of artifacts, or a run of solc. */
export const artifactSource = v.union(
  [
    v.pipe(v.string(ARTIFACTS), v.nonEmpty(ARTIFACTS)),
    v.custom<SolcRun>((value) => isSolcRun(value), ARTIFACTS),
  ],
  ARTIFACTS,
)
