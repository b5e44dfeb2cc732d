/** Values of fixtures as JSON, and back. */
import { deepStrictEqual } from 'node:assert'
import { getContract } from 'viem'
import { describe, expect, it } from 'vitest'
import { Token } from '../../fixtures/contracts/Token.ts'
import { decodeStored, encodeStored } from '../../src/testing/storedValues.ts'
import { STRANGER } from '../support/clients/clients.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const stored = (value: unknown) => decodeStored(JSON.parse(JSON.stringify(encodeStored(value, 'value'))))

/** Any value that can be stored, with tags of its own among the names. */
function anything(random: Random, depth = 3): unknown {
  const kind = random.below(depth === 0 ? 8 : 10)
  switch (kind) {
    case 0:
      return [null, undefined, true, false][random.below(4)]
    case 1:
      return random.pick([
        0,
        -0,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        1e21,
        5e-324,
      ])
    case 2:
      return random.bigint(300) * random.pick([1n, -1n])
    case 3:
      return random.fraction() * 1e6
    case 4:
      return random.bytes(random.below(40))
    case 5:
      return new Date(random.below(2 ** 31) * 1000)
    case 6:
      return random.hex(4)
    case 7:
      return random.pick(['', '$bigint', '\u2028"\\', '\ud800'])
    case 8:
      return random.list(random.below(4), () => anything(random, depth - 1))
    default: {
      const names = ['$bigint', '$object', '$other', 'a', '__proto__', 'constructor', '']
      const entries = random.list(random.below(4), () => [random.pick(names), anything(random, depth - 1)])
      return Object.fromEntries(entries as [string, unknown][])
    }
  }
}

describe('values that are stored', () => {
  it(
    'come back as they were',
    withRandom((random) => {
      for (let time = 0; time < 2_000; time++) {
        const value = anything(random)
        // vitest's own comparison takes a member `constructor` for the class.
        deepStrictEqual(stored(value), value)
      }
    }),
  )

  it('may be a time that is none', () => {
    expect(stored(new Date(Number.NaN))).toEqual(new Date(Number.NaN))
  })

  const ring: { inner: { ring?: unknown } } = { inner: {} }
  ring.inner.ring = ring
  const token = getContract({ address: STRANGER, abi: Token.abi, client: {} as never })

  it.each([
    ['a function', { act: () => {} }, 'value.act', 'a function'],
    ['a symbol', [Symbol('x')], 'value[0]', 'a symbol'],
    ['a map', { deep: [{ map: new Map() }] }, 'value.deep[0].map', 'an object of the class Map'],
    ['what contains itself', ring, 'value.inner.ring', 'an object that contains itself'],
    ['a buffer, which would come back as bytes', Buffer.of(1), 'value', 'an object of the class Buffer'],
    ['a member that is named by a symbol', { [Symbol('x')]: 1 }, 'value[Symbol(x)]', 'named by a symbol'],
    ['a proxy', { proxy: new Proxy({}, {}) }, 'value.proxy', 'a proxy'],
  ])('cannot be %s', (_, value, path, what) => {
    expect(() => encodeStored(value, 'value')).toThrow(expect.objectContaining({ path, what }))
  })

  it("cannot be viem's contracts", () => {
    expect(() => encodeStored({ token }, 'value')).toThrow(/^value\.token\.\w+ is a proxy/)
  })

  it.each([[{ $other: 1 }], [{ $bigint: 'x' }], [{ a: [{ $bytes2: '' }] }]])(
    'are refused where nobody stored them: %j',
    (json) => {
      expect(() => decodeStored(json)).toThrow()
    },
  )
})
