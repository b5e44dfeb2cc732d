/** Values in a JSON text, compared with JSON.parse. */
import { describe, expect, it } from 'vitest'
import { type JsonSlice, sliceJson } from '../../../src/solidity/artifacts/jsonSlice.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const EVERY = { '*': { '*': true } } as const

describe('a JSON text', () => {
  it(
    'has the parts that JSON.parse finds',
    withRandom((random) => {
      for (let i = 0; i < 300; i++) {
        const value = { first: anyValue(random, 4), second: { inner: anyValue(random, 3), 'a"\\b': 1 } }
        const text = JSON.stringify(value, undefined, random.below(3))
        const root = sliceJson(bytesOf(text), EVERY)!
        expect(root.parse()).toEqual(JSON.parse(text))
        for (const [name, member] of Object.entries(value)) compare(root.at(name), member)
      }
    }),
  )

  it(
    'that was cut off anywhere has none',
    withRandom((random) => {
      for (let i = 0; i < 50; i++) {
        const text = JSON.stringify({ first: anyValue(random, 3), second: { inner: anyValue(random, 2) } })
        const whole = bytesOf(text)
        expect(sliceJson(whole.subarray(0, random.below(whole.length)), EVERY)).toBe(undefined)
      }
    }),
  )

  it.each(['', ' ', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{a:1}', '{"a":1}x', '"', '"a\\"', '{"a":}'])(
    '%j has none',
    (text) => {
      expect(sliceJson(bytesOf(text), { '*': true })).toBe(undefined)
    },
  )

  it('may begin with a byte order mark, and end with a line', () => {
    const root = sliceJson(bytesOf('\uFEFF{"a": {"b": [1, 2]}}\r\n'), { a: { b: true } })
    expect(root!.at('a', 'b')!.parse()).toEqual([1, 2])
    expect(root!.at('a', 'c')).toBe(undefined)
  })

  it('gives no value for a part that is no JSON inside', () => {
    const root = sliceJson(bytesOf('{"a": {"b": tru}, "c": 1}'), { '*': true })
    expect(root!.at('a')!.parse()).toBe(undefined)
    expect(root!.at('c')!.parse()).toBe(1)
  })
})

function compare(part: JsonSlice | undefined, value: unknown): void {
  expect(part!.parse()).toEqual(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    expect(part!.members.size).toBe(0)
    return
  }
  expect([...part!.members.keys()].sort()).toEqual(Object.keys(value).sort())
  for (const [name, member] of Object.entries(value)) expect(part!.at(name)!.parse()).toEqual(member)
}

/** Any JSON value: strings with quotes, escapes, brackets and letters of several bytes, short and long. */
function anyValue(random: Random, depth: number): unknown {
  const kind = random.below(depth === 0 ? 5 : 7)
  if (kind === 0) return random.below(1_000_000) / 7
  if (kind === 1) return [true, false, null][random.below(3)]
  if (kind <= 4) return anyText(random)
  const length = random.below(5)
  if (kind === 5) return Array.from({ length }, () => anyValue(random, depth - 1))
  return Object.fromEntries(Array.from({ length }, () => [anyText(random), anyValue(random, depth - 1)]))
}

const PIECES = [
  'a',
  '"',
  '\\',
  '\\"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'é',
  '𝄞',
  '\n',
  ' ',
  'x'.repeat(60),
  '\\'.repeat(9),
]

function anyText(random: Random): string {
  return Array.from({ length: random.below(8) }, () => PIECES[random.below(PIECES.length)]).join('')
}
