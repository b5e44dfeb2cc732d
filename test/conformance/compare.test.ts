/** The comparer of the conformance script, by the rules of hive's `rpc-compat`. */
import { describe, expect, it } from 'vitest'
import { compare, described } from '../../scripts/conformance/compare.ts'

/** What differs between two responses, as lines. */
function between(expected: object, got: object, isSpecOnly = false): string[] {
  return compare(expected, got, isSpecOnly).map(described)
}

const envelope = { jsonrpc: '2.0', id: 1 }
const result = (value: unknown) => ({ ...envelope, result: value })
const error = (value: unknown) => ({ ...envelope, error: value })

describe('a response', () => {
  it('is the same in any order of members', () => {
    expect(between({ id: 1, result: { a: 1, b: 2 } }, { result: { b: 2, a: 1 }, id: 1 })).toEqual([])
  })

  it('differs in the order of items', () => {
    expect(between(result(['0x1', '0x2']), result(['0x2', '0x1']))).toEqual([
      '$.result[0]: expected "0x1", got "0x2"',
      '$.result[1]: expected "0x2", got "0x1"',
    ])
  })

  it.each<[string, object, object, string]>([
    ['a value', result('0x1'), result('0x2'), '$.result: expected "0x1", got "0x2"'],
    ['the type of a value', result('1'), result(1), '$.result: expected "1", got 1'],
    ['null', result('0x1'), result(null), '$.result: expected "0x1", got null'],
    ['its id', result('0x1'), { ...result('0x1'), id: 2 }, '$.id: expected 1, got 2'],
    ['a missing member', result({ a: 1, b: 2 }), result({ a: 1 }), '$.result.b: expected 2, got nothing'],
    [
      'an additional member',
      result({ a: 1 }),
      result({ a: 1, b: null }),
      '$.result.b: expected nothing, got null',
    ],
    ['a missing item', result([1, 2]), result([1]), '$.result[1]: expected 2, got nothing'],
    ['an additional item', result([]), result([{}]), '$.result[0]: expected nothing, got {}'],
    ['an object for an array', result([]), result({}), '$.result: expected [], got {}'],
  ])('differs in %s', (_, expected, got, line) => {
    expect(between(expected, got)).toEqual([line])
  })

  it('differs where an error stands for a result', () => {
    expect(between(result('0x'), error({ code: 3 }))).toEqual([
      '$.result: expected "0x", got nothing',
      '$.error: expected nothing, got {"code":3}',
    ])
  })

  it('shows long values where they part', () => {
    const [line] = between(
      result(`0x${'00'.repeat(200)}`),
      result(`0x${'00'.repeat(150)}01${'00'.repeat(49)}`),
    )
    expect(line).toMatch(/^\$\.result: expected …0{100}…, got …0{50}10{49}…$/)
  })
})

describe('an error', () => {
  const reverted = { code: 3, message: 'execution reverted: user error', data: '0x08c379a0' }

  it('may be told in other words', () => {
    expect(between(error(reverted), error({ ...reverted, message: 'VM Exception' }))).toEqual([])
  })

  it('may be told in other words wherever it stands', () => {
    const calls = (message: string) => result([{ calls: [{ status: '0x0', error: { code: 3, message } }] }])
    expect(between(calls('execution reverted'), calls('reverted'))).toEqual([])
  })

  it('differs in its code and its data', () => {
    expect(between(error(reverted), error({ ...reverted, code: -32000, data: '0x' }))).toEqual([
      '$.error.code: expected 3, got -32000',
      '$.error.data: expected "0x08c379a0", got "0x"',
    ])
  })

  it('differs where only one side has words', () => {
    const { message, ...wordless } = reverted
    expect(between(error(reverted), error(wordless))).toEqual([
      `$.error.message: expected "${message}", got nothing`,
    ])
    expect(between(error(wordless), error(reverted))).toEqual([
      `$.error.message: expected nothing, got "${message}"`,
    ])
  })

  it('alone may be told in other words: a message elsewhere counts', () => {
    expect(between(result({ message: 'a' }), result({ message: 'b' }))).toEqual([
      '$.result.message: expected "a", got "b"',
    ])
  })
})

describe('an example', () => {
  const block = { number: '0x1', size: 5, full: true, uncles: ['0x1', '0x2'], parent: { hash: '0xa' } }

  it('has a shape, and its values are free', () => {
    const other = { number: '0x22', size: 7, full: false, uncles: [1], parent: { hash: '0xbb' } }
    expect(between(result(block), result(other), true)).toEqual([])
  })

  it.each<[string, object, string]>([
    ['without a member', { ...block, parent: {} }, '$.result.parent.hash: expected a string, got nothing'],
    ['with another member', { ...block, extra: 1 }, '$.result.extra: expected nothing, got 1'],
    ['with null for a text', { ...block, number: null }, '$.result.number: expected a string, got null'],
    ['with a text for a number', { ...block, size: '5' }, '$.result.size: expected a number, got "5"'],
    ['with an object for an array', { ...block, uncles: {} }, '$.result.uncles: expected an array, got {}'],
    ['with an array for an object', { ...block, parent: [] }, '$.result.parent: expected an object, got []'],
  ])('is not matched %s', (_, got, line) => {
    expect(between(result(block), result(got), true)).toEqual([line])
  })

  it('of a result is not matched by an error', () => {
    expect(between(result('0x5208'), error({ code: -32000, message: 'no' }), true)).toHaveLength(2)
  })

  it('of an error is matched in other words, not with another code', () => {
    const reverted = { code: 3, message: 'execution reverted', data: '0x01' }
    expect(between(error(reverted), error({ ...reverted, message: 'reverted' }), true)).toEqual([])
    expect(between(error(reverted), error({ ...reverted, code: -32000 }), true)).toEqual([
      '$.error.code: expected 3, got -32000',
    ])
  })

  it('of an error is not matched by a result', () => {
    expect(between(error({ code: 3, message: 'no' }), result('0x5208'), true)).toEqual([
      '$.error: expected an object, got nothing',
      '$.result: expected nothing, got "0x5208"',
    ])
  })
})
