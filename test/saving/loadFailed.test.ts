import { describe, expect, it } from 'vitest'
import { lineAt } from '../../src/saving/format/loadFailed.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const NAMES = ['a', 'b', '0x1', 'with space', '"quoted"', 'ü']

/** A JSON value, and the paths of all values in it. */
function randomJson(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.3))
    return random.pick([null, true, false, 0, -1.5e3, '', 'a"\\\n[{', 12])
  const items = random.list(random.below(4), () => randomJson(random, depth - 1))
  if (random.chance(0.5)) return items
  return Object.fromEntries(items.map((item) => [random.pick(NAMES), item]))
}

function paths(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  const items = Array.isArray(value)
    ? value.flatMap((item, i) => paths(item, `${path}[${i}]`))
    : Object.entries(value).flatMap(([name, item]) => paths(item, path === '' ? name : `${path}.${name}`))
  return [[path, value], ...items]
}

describe('the place of a value in JSON', () => {
  it(
    'is where the value begins',
    withRandom((random) => {
      for (let i = 0; i < 200; i++) {
        const json = randomJson(random, 4)
        const text = JSON.stringify(json, null, random.pick([0, 1, 2]))
        for (const [path, value] of paths(json)) {
          const { line, rest } = lineAt(text, path)
          expect(
            text
              .split('\n')
              .slice(line - 1)
              .join('\n'),
          ).toContain(rest)
          expect(rest.replaceAll(/\s/g, '')).toMatch(JSON.stringify(value).replaceAll(/\s/g, '').slice(0, 1))
        }
      }
    }),
  )

  it('is that of what it is missing in', () => {
    const text = '{\n"a": {\n"b": 1},\n"ab": [\n1]\n}'
    expect(lineAt(text, 'a.b').line).toBe(3)
    expect(lineAt(text, 'a.c').line).toBe(2)
    expect(lineAt(text, 'ab[0]').line).toBe(5)
    expect(lineAt(text, 'ab[1]').line).toBe(4)
    expect(lineAt(text, 'ab.c.d').line).toBe(4)
    expect(lineAt(text, 'z').line).toBe(1)
  })

  it(
    'without a path is where it stops being JSON, as JSON.parse finds it',
    withRandom((random) => {
      for (let i = 0; i < 300; i++) {
        const text = JSON.stringify(randomJson(random, 4), null, 1)
        const at = random.below(text.length)
        const broken =
          text.slice(0, at) +
          random.pick(['', '}', ']', ',', 'x', '\u0001']) +
          text.slice(random.pick([at, at + 1]))
        let isJson = true
        try {
          JSON.parse(broken)
        } catch {
          isJson = false
        }
        const { rest } = lineAt(broken)
        if (isJson) expect(rest).toBe('')
      }
    }),
  )

  it.each([
    ['', 1, ''],
    ['[1,\n2', 2, ''],
    ['[1,\n,2]', 2, ',2]'],
    ['{"a":\n01}', 2, '1}'],
    ['{"a":1\n"b":2}', 2, '"b":2}'],
    ['[1]\n[2]', 2, '[2]'],
    ['"\u0001"', 1, '"\u0001"'],
  ])('is where it stops: %j', (text, line, rest) => {
    expect(lineAt(text)).toEqual({ line, rest })
  })

  it('is found however deep it is', () => {
    expect(lineAt('['.repeat(100_000))).toEqual({ line: 1, rest: '' })
  })
})
