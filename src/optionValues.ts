/** Values that options of several kinds accept. */
import * as v from 'valibot'
import type { Hash } from './model/bytes/hex.ts'

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
