/** What a parser must refuse, and how it says so: where, what would be right, what came. */
import { expect, it } from 'vitest'
import { InvalidValue, type Parser } from '../../../src/wire/parser.ts'

/** A value and how a message shows it. */
export type Refused = readonly [value: unknown, shown: string]

/** Of no use where a text is wanted. */
export const NO_TEXT: readonly Refused[] = [
  [0, '0'],
  [-1, '-1'],
  [1.5, '1.5'],
  [true, 'true'],
  [false, 'false'],
  [{}, 'an object'],
  [[], 'an array'],
  [['0x0'], 'an array'],
]

/** Of no use where an object is wanted. */
export const NO_OBJECT: readonly Refused[] = [
  [0, '0'],
  [true, 'true'],
  ['', '""'],
  ['0x', '"0x"'],
  [[], 'an array'],
  [[{}], 'an array'],
]

/** Of no use where an array is wanted. */
export const NO_ARRAY: readonly Refused[] = [
  [0, '0'],
  [true, 'true'],
  ['0x', '"0x"'],
  [{}, 'an object'],
]

/** Tests that `parse` refuses each value at a path, expecting what begins with `expected`. */
export function refusals(parse: Parser<unknown>, expected: string, values: readonly Refused[]): void {
  it.each(values)('refuse %j', (value, shown) => {
    const { message, ...error } = refusal(() => parse(value, 'params[3].at'))
    expect(message).toMatch(/^params\[3\]\.at: expected /)
    expect(message.slice('params[3].at: expected '.length)).toSatisfy((text: string) =>
      text.startsWith(expected),
    )
    expect(message.endsWith(`, got ${shown}`)).toBe(true)
    expect(error).toMatchObject({ path: 'params[3].at' })
  })
}

/** The `InvalidValue` that `parse` throws. */
export function refusal(parse: () => unknown): { message: string; path: string; expected: string } {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    return { message: error.message, path: error.path, expected: error.expected }
  }
  throw new Error('nothing was thrown')
}
