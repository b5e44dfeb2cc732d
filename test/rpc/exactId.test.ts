import { describe, expect, it } from 'vitest'
import { exactIds, isInexact } from '../../src/rpc/message.ts'
import { type Random, withRandom } from '../support/random/random.ts'

describe('isInexact', () => {
  it.each([0, -0, 1, -1, 1.5, 2 ** 53 - 1, 1e-300, '9007199254740993', '', null, undefined, true, {}])(
    'is false of %j',
    (id) => {
      expect(isInexact(id)).toBe(false)
    },
  )

  it.each([2 ** 53, -(2 ** 53), 1e21, 1e300, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'is true of %j',
    (id) => {
      expect(isInexact(id)).toBe(true)
    },
  )
})

/** JSON text that is full of what looks like an id and is none. */
function noise(random: Random, depth: number): string {
  const kinds = [
    () =>
      random.pick([
        '1',
        'null',
        'true',
        '-1.5e3',
        '""',
        '"id"',
        '"\\"id\\":7"',
        '"{\\\\"',
        '"]"',
        '"id\\":1,"',
      ]),
    () => `[${random.list(random.below(3), () => noise(random, depth - 1)).join(' , ')}]`,
    () =>
      `{${random.list(random.below(3), () => `${random.pick(['"id"', '"a"', '"\\u0069d"'])} : ${noise(random, depth - 1)}`).join(',')}}`,
  ]
  return random.pick(depth > 0 ? kinds : kinds.slice(0, 1))()
}

/** A request with `id`, whose other members are noise. */
function requestWith(random: Random, id: string): string {
  const members = [
    `${random.pick(['"id"', '"\\u0069\\u0064"'])}${random.pick([':', ' : ', '\n:\t'])}${id}${random.pick(['', ' ', '\n'])}`,
    ...random.list(
      random.below(4),
      () => `${random.pick(['"params"', '"x"', '"ID"', '"id "'])}:${noise(random, 3)}`,
    ),
  ]
  const at = random.below(members.length)
  ;[members[0], members[at]] = [members[at]!, members[0]!]
  return `{${members.join(random.pick([',', ' , ']))}}`
}

const large = (random: Random) =>
  random.pick([
    () => (random.bigint(200) + 2n ** 53n).toString(),
    () => `-${random.bigint(64) + 2n ** 53n}`,
    () => `${random.between(1, 9)}e${random.between(21, 999)}`,
    () => `${random.between(1, 9)}.5E+${random.between(21, 999)}`,
  ])()

describe('exactIds', () => {
  it(
    'finds the id of a message, letter for letter',
    withRandom((random) => {
      for (let i = 0; i < 2_000; i++) {
        const id = large(random)
        const text = `${random.pick(['', ' ', '\n'])}${requestWith(random, id)}`
        expect(isInexact(JSON.parse(text).id)).toBe(true)
        expect(exactIds(text, 1)[0]).toBe(id)
      }
    }),
  )

  it(
    'finds the id of each call of a batch',
    withRandom((random) => {
      for (let i = 0; i < 500; i++) {
        const items = random.list(random.between(1, 8), () => {
          const id = random.chance(0.7) ? large(random) : undefined
          return { id, text: id === undefined ? noise(random, 2) : requestWith(random, id) }
        })
        const text = `[${items.map((item) => item.text).join(random.pick([',', ' , ']))}]`
        const found = exactIds(text, 2)
        for (const [index, { id }] of items.entries()) {
          if (id !== undefined) expect(found[index]).toBe(id)
        }
      }
    }),
  )

  it('takes the last of several, as JSON.parse does', () => {
    expect(exactIds('{"id":9007199254740993,"id":9007199254740995}', 1)).toEqual(['9007199254740995'])
  })

  it('reads megabytes in no time', () => {
    const text = `{"params":["${'\\"id\\":1,'.repeat(500_000)}"],"id":9007199254740993}`
    expect(exactIds(text, 1)[0]).toBe('9007199254740993')
  })
})
