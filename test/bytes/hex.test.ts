import { afterEach, describe, expect, it, vi } from 'vitest'
import { fromHex, shortLivedBytes, toHex, toMinimalBytes, toQuantity, toWord } from '../../src/bytes/hex.ts'
import { withRandom } from '../support/random/random.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('hex', () => {
  it(
    'writes and reads bytes as lower-case digits',
    withRandom((random) => {
      for (let i = 0; i < 200; i++) {
        const bytes = random.bytes(random.below(70))
        const digits = Buffer.from(bytes).toString('hex')
        expect(toHex(bytes)).toBe(`0x${digits}`)
        expect(fromHex(`0x${digits}`)).toEqual(bytes)
      }
    }),
  )

  it(
    'reads bytes that are not kept as others, none of which overlap',
    withRandom((random) => {
      const inputs = random.list(300, () => random.bytes(random.below(1_200)))
      const read = inputs.map((bytes) => shortLivedBytes(toHex(bytes)))
      expect(read).toEqual(inputs)
    }),
  )

  it.each([2, 64, 65, 68, 1_024, 1_025])('reads no bytes from %d pairs with anything but digits', (pairs) => {
    const digits = 'a'.repeat(2 * pairs)
    expect(shortLivedBytes(`0x${digits}`)).toEqual(new Uint8Array(pairs).fill(0xaa))
    // \u0130 and \uff11 have the low seven bits of a digit.
    for (const other of ['g', 'G', '/', ':', '@', '`', ' ', '-', 'x', '\u0130', '\uff11', '\u0000']) {
      for (const at of [0, 1, pairs, 2 * pairs - 1]) {
        expect(shortLivedBytes(`0x${digits.slice(0, at)}${other}${digits.slice(at + 1)}`)).toBeUndefined()
      }
    }
    for (const text of [digits, `0X${digits}`, `0x${digits}a`, `x0${digits}`, `1x${digits}`]) {
      expect(shortLivedBytes(text)).toBeUndefined()
    }
  })

  it('writes the same digits where there is no Buffer', () => {
    const every = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const digits = Buffer.from(every).toString('hex')
    vi.stubGlobal('Buffer', undefined)
    const written = toHex(every)
    vi.unstubAllGlobals()
    expect(written).toBe(`0x${digits}`)
  })

  it('writes only the bytes of a view into a larger buffer', () => {
    expect(toHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe('0x0203')
  })

  it('reads upper-case digits too', () => {
    expect(fromHex('0xABcdEF09')).toEqual(Uint8Array.of(0xab, 0xcd, 0xef, 0x09))
  })
})

describe('quantities', () => {
  const EDGES = [0n, 1n, 127n, 128n, 255n, 256n, 2n ** 31n, 2n ** 32n, 2n ** 48n - 1n, 2n ** 48n]
  const LARGE = [2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n]

  it.each([...EDGES, ...LARGE])('%d is 32 bytes as a word and reads back', (value) => {
    const word = toWord(value)
    expect(Buffer.from(word).toString('hex')).toBe(value.toString(16).padStart(64, '0'))
    expect(toQuantity(word)).toBe(value)
  })

  it.each([...EDGES, ...LARGE])(
    '%d has no leading zero byte in its shortest form and reads back',
    (value) => {
      const bytes = toMinimalBytes(value)
      expect(bytes[0]).not.toBe(0)
      expect(BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)).toBe(value)
      expect(toQuantity(bytes)).toBe(value)
    },
  )

  it('zero is no bytes in its shortest form', () => {
    expect(toMinimalBytes(0n)).toEqual(new Uint8Array(0))
    expect(toQuantity(new Uint8Array(0))).toBe(0n)
  })

  it(
    'are read from any number of bytes, however many leading zeros they have',
    withRandom((random) => {
      for (let i = 0; i < 500; i++) {
        const bytes = random.bytes(random.below(34))
        bytes.fill(0, 0, random.below(34))
        expect(toQuantity(bytes)).toBe(BigInt(`0x0${Buffer.from(bytes).toString('hex')}`))
      }
    }),
  )
})
