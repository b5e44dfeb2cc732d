import { describe, expect, it } from 'vitest'
import { encodeStorageKey, parseSlotsByAccount, parseStorageKeys } from '../../src/wire/storageKey.ts'
import { withRandom } from '../support/random/random.ts'
import { NO_ARRAY, NO_TEXT, type Refused, refusal, refusals } from '../support/random/refusals.ts'

const ONE = `0x${'1'.padStart(64, '0')}`

/** What comes back for one key. */
function echo(key: string): string {
  return encodeStorageKey(parseStorageKeys([key], 'params[1]')[0]!)
}

describe('storage keys', () => {
  it(
    'of 32 bytes come back as they are, for any slot',
    withRandom((random) => {
      for (let i = 0; i < 100; i++) {
        const key = random.hex(32)
        expect(echo(key)).toBe(key)
        expect(parseStorageKeys([key], 'x')).toEqual([{ slot: BigInt(key), form: 'word' }])
      }
    }),
  )

  // go-ethereum's GetProof, and its issue 27306.
  it.each([
    ['0x0', '0x0'],
    ['0x1', '0x1'],
    ['0x01', '0x1'],
    ['0x0dead', '0xdead'],
    ['0xABCD', '0xabcd'],
    [`0x${'0'.repeat(62)}`, '0x0'],
    // Of 63 digits the first is half a byte: these are 32 bytes.
    [`0x${'1'.padStart(63, '0')}`, ONE],
    [ONE, ONE],
    [`0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
  ])('%s comes back as %s', (key, expected) => {
    expect(echo(key)).toBe(expected)
  })

  it('keep their order, and come as often as they are named', () => {
    expect(parseStorageKeys(['0x2', ONE, '0x2'], 'x').map(({ slot }) => slot)).toEqual([2n, 1n, 2n])
    expect(parseStorageKeys([], 'x')).toEqual([])
  })

  it('are at most 1024', () => {
    expect(parseStorageKeys(Array(1024).fill('0x0'), 'params[1]')).toHaveLength(1024)
    const { message } = refusal(() => parseStorageKeys(Array(1025).fill('0x0'), 'params[1]'))
    expect(message).toBe('params[1]: expected at most 1024 storage keys, got 1025')
  })

  refusals(parseStorageKeys, 'an array of storage keys', [
    [undefined, 'nothing'],
    [null, 'null'],
    ...NO_ARRAY,
  ])

  it.each<Refused>([
    ...NO_TEXT,
    [null, 'null'],
    ['', '""'],
    ['0x', '"0x"'],
    ['1', '"1"'],
    ['0xg', '"0xg"'],
    ['0X1', '"0X1"'],
    [`0x${'0'.repeat(65)}`, `"0x${'0'.repeat(65)}"`],
  ])('refuse %j among them, and say which it was', (value, shown) => {
    const { message, path } = refusal(() => parseStorageKeys(['0x0', value], 'params[1]'))
    expect(path).toBe('params[1][1]')
    expect(message).toBe(`params[1][1]: expected a storage slot (0x and 1 to 64 hex digits), got ${shown}`)
  })
})

describe('slots by account', () => {
  const [alice, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]
  const ZERO = `0x${'0'.repeat(64)}`

  it('keep their accounts and their order', () => {
    expect(
      parseSlotsByAccount({ [bob!]: [ONE, ZERO, ONE], [alice!.toUpperCase().replace('X', 'x')]: [] }, 'x'),
    ).toEqual([
      { address: bob, slots: [1n, 0n, 1n] },
      { address: alice, slots: [] },
    ])
  })

  it('are at most 1024, all accounts together', () => {
    const many = (count: number) => ({ [alice!]: Array(1000).fill(ZERO), [bob!]: Array(count).fill(ONE) })
    expect(parseSlotsByAccount(many(24), 'x')[1]!.slots).toHaveLength(24)
    const { message } = refusal(() => parseSlotsByAccount(many(25), 'x'))
    expect(message).toBe('x: expected at most 1024 storage slots, got 1025')
  })

  it('are at least one', () => {
    for (const none of [{}, { [alice!]: [] }]) {
      expect(refusal(() => parseSlotsByAccount(none, 'x')).message).toBe(
        'x: expected at least one storage slot, got an object',
      )
    }
  })
})
