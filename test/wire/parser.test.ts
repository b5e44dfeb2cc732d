import { describe, expect, it } from 'vitest'
import {
  arrayOf,
  boolean,
  ConflictingValues,
  entriesOf,
  InvalidValue,
  optional,
  type Parser,
  recordOf,
  shown,
  withDefault,
} from '../../src/wire/parser.ts'
import { NO_ARRAY, NO_OBJECT, NO_TEXT, refusals } from '../support/random/refusals.ts'

const upper: Parser<string> = (value, path) => {
  if (typeof value !== 'string') throw new InvalidValue(path, 'a text', value)
  return value.toUpperCase()
}

describe('InvalidValue', () => {
  it('says where, what would be right and what came', () => {
    const { message, path, expected } = new InvalidValue('params[0].to', 'a 20-byte address', '0x12')
    expect(message).toBe('params[0].to: expected a 20-byte address, got "0x12"')
    expect({ path, expected }).toEqual({ path: 'params[0].to', expected: 'a 20-byte address' })
  })
})

describe('ConflictingValues', () => {
  it('says where and what to do', () => {
    expect(new ConflictingValues('maxFeePerGas', 'params[0]').message).toMatch(
      /^params\[0\]: both gasPrice and .*; give one kind/,
    )
    expect(new ConflictingValues('input', 'params[0]').message).toMatch(
      /^params\[0\]: both "data" and "input" .*; give one/,
    )
  })
})

describe('a value in a message', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [0, '0'],
    ['', '""'],
    ['a"b', '"a\\"b"'],
    ['a\nb', '"a\\nb"'],
    [true, 'true'],
    [5n, '5n'],
    [[1, 2], 'an array'],
    [{ a: 1 }, 'an object'],
  ])('is %o as %s', (value, text) => {
    expect(shown(value)).toBe(text)
  })

  it('is cut where it gets long, and stays one text', () => {
    expect(shown('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`)
    expect(shown('x'.repeat(79))).toBe(`"${'x'.repeat(76)}…"`)
    expect(shown('x'.repeat(1_000_000))).toHaveLength(79)
  })
})

describe('optional', () => {
  it('is undefined for null and nothing, and parses the rest', () => {
    expect(optional(upper)(null, 'x')).toBeUndefined()
    expect(optional(upper)(undefined, 'x')).toBeUndefined()
    expect(optional(upper)('a', 'x')).toBe('A')
    expect(() => optional(upper)(0, 'x')).toThrow('x: expected a text, got 0')
  })
})

describe('withDefault', () => {
  it('is the default for null and nothing, and parses the rest', () => {
    expect(withDefault(upper, '-')(null, 'x')).toBe('-')
    expect(withDefault(upper, '-')(undefined, 'x')).toBe('-')
    expect(withDefault(upper, '-')('', 'x')).toBe('')
    expect(() => withDefault(upper, '-')(false, 'x')).toThrow('x: expected a text, got false')
  })
})

describe('arrayOf', () => {
  it('parses each item and says which is wrong', () => {
    expect(arrayOf(upper)(['a', 'b'], 'x')).toEqual(['A', 'B'])
    expect(arrayOf(upper)([], 'x')).toEqual([])
    expect(() => arrayOf(upper)(['a', 7], 'x')).toThrow('x[1]: expected a text, got 7')
    expect(() => arrayOf(arrayOf(upper))([['a'], ['b', null]], 'x')).toThrow(
      'x[1][1]: expected a text, got null',
    )
  })

  refusals(arrayOf(upper), 'an array', NO_ARRAY)
})

describe('recordOf and entriesOf', () => {
  it('give an object and its members as they came', () => {
    const record = { a: 1, b: null }
    expect(recordOf(record, 'x', 'something')).toBe(record)
    expect(entriesOf(record, 'x', 'something')).toEqual([
      ['a', 1],
      ['b', null],
    ])
    expect(entriesOf(JSON.parse('{"__proto__":1}'), 'x', 'something')).toEqual([['__proto__', 1]])
  })

  refusals((value, path) => recordOf(value, path, 'something'), 'something', [...NO_OBJECT, [null, 'null']])
  refusals((value, path) => entriesOf(value, path, 'something'), 'something', [
    ...NO_OBJECT,
    [undefined, 'nothing'],
  ])
})

describe('boolean', () => {
  it('is true or false', () => {
    expect(boolean(true, 'x')).toBe(true)
    expect(boolean(false, 'x')).toBe(false)
  })

  refusals(boolean, 'true or false', [
    ...NO_TEXT.filter(([value]) => typeof value !== 'boolean'),
    ['true', '"true"'],
    [null, 'null'],
  ])
})
