import { RLP } from '@ethereumjs/rlp'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/bytes/hex.ts'
import { decodeRlp, encodeRlp, type RlpInput, type RlpValue, viewRlp } from '../../src/bytes/rlp.ts'
import { type Random, withRandom } from '../support/random/random.ts'

describe('encodeRlp', () => {
  it(
    'gives what @ethereumjs/rlp gives for any nested input',
    withRandom((random) => {
      for (let i = 0; i < 400; i++) {
        const input = randomInput(random, 5)
        const encoded = encodeRlp(input)
        expect(toHex(encoded)).toBe(toHex(RLP.encode(input as never)))
        expect(decodeRlp(encoded)).toEqual(input)
      }
    }),
  )

  // The sizes at which the head grows (Yellow Paper, appendix B).
  it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536, 16_777_215, 16_777_216])(
    'heads %d bytes and a list of them',
    (length) => {
      const bytes = new Uint8Array(length).fill(0x81)
      expect(Buffer.compare(encodeRlp(bytes), RLP.encode(bytes))).toBe(0)
      expect(Buffer.compare(encodeRlp([bytes, []]), RLP.encode([bytes, []]))).toBe(0)
    },
  )

  it.each([0x00, 0x7f, 0x80, 0xff])('writes the single byte %d with a head only from 0x80 on', (byte) => {
    expect([...encodeRlp(Uint8Array.of(byte))]).toEqual(byte < 0x80 ? [byte] : [0x81, byte])
  })
})

describe('decodeRlp', () => {
  it.each([
    ['a single small byte with a head', '8100'],
    ['a short string with a long head', 'b801ff'],
    ['a short list with a long head', 'f801c0'],
    ['a length with leading zeros', `b90038${'ff'.repeat(56)}`],
    ['a list length with leading zeros', `f90038${'c0'.repeat(56)}`],
    ['a string that ends early', '83ffff'],
    ['a list that ends early', 'c3c0c0'],
    ['an item that reaches over the end of its list', 'c283ffffff'],
    ['a remainder', 'c0c0'],
    ['a length of 8 bytes', 'bfffffffffffffffff'],
  ])('rejects %s', (_, digits) => {
    const bytes = Uint8Array.from(Buffer.from(digits, 'hex'))
    expect(() => decodeRlp(bytes)).toThrow()
    expect(() => viewRlp(bytes)).toThrow()
  })
})

describe('viewRlp', () => {
  it(
    'accepts what @ethereumjs/rlp accepts and rejects what it rejects, with the same result',
    withRandom((random) => {
      for (let i = 0; i < 2_000; i++) {
        const bytes = encodeRlp(randomInput(random, 4))
        // Most changes of one or two bytes near heads leave bytes that are not canonical.
        for (let changes = random.below(3); changes > 0 && bytes.length > 0; changes--) {
          const at = random.below(Math.min(bytes.length, 12))
          bytes[at] = random.pick([
            0x00, 0x01, 0x7f, 0x80, 0x81, 0xb7, 0xb8, 0xb9, 0xc0, 0xc1, 0xf7, 0xf8, 0xff,
          ])
        }
        const cut = random.chance(0.2) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes
        expect(outcome(viewRlp, cut)).toEqual(outcome((given) => RLP.decode(given) as RlpValue, cut))
      }
    }),
  )

  it('returns views of what it was given', () => {
    const bytes = encodeRlp([Uint8Array.of(1, 2, 3), [Uint8Array.of(4)]])
    const [first, [second]] = viewRlp(bytes) as [Uint8Array, [Uint8Array]]
    expect([first.buffer, second.buffer]).toEqual([bytes.buffer, bytes.buffer])
    expect([[...first], [...second]]).toEqual([[1, 2, 3], [4]])
  })
})

/** Returns the decoded value, or the error. */
function outcome(decode: (bytes: Uint8Array) => RlpValue, bytes: Uint8Array): unknown {
  try {
    return decode(bytes)
  } catch (error) {
    return String(error)
  }
}

function randomInput(random: Random, depth: number): RlpInput {
  if (depth === 0 || random.chance(0.5))
    return random.bytes(random.pick([0, 1, 1, 2, 20, 32, 54, 55, 56, 57, 300]))
  return random.list(random.below(7), () => randomInput(random, depth - 1))
}
