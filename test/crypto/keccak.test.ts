import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  keccak256,
  keccakHash,
  keccakImplementation,
  keccakOfHex,
  loadKeccak,
} from '../../src/crypto/keccak.ts'
import { withRandom } from '../support/random/random.ts'

beforeAll(() => loadKeccak())
afterEach(() => keccakImplementation.useWasm())

const IMPLEMENTATIONS = [
  ['javascript', () => keccakImplementation.useJavaScript()],
  ['wasm', () => keccakImplementation.useWasm()],
] as const

// The Keccak team's vectors for the empty message and for 'abc', and the selector of transfer(address,uint256).
const VECTORS = [
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['transfer(address,uint256)', 'a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b'],
] as const

describe('keccak256', () => {
  it('runs as WebAssembly once it is loaded', async () => {
    await loadKeccak()
    expect(keccakImplementation.name).toBe('wasm')
  })

  it.each(IMPLEMENTATIONS)('gives the published digests in %s', async (name, use) => {
    await use()
    expect(keccakImplementation.name).toBe(name)
    for (const [text, digest] of VECTORS) {
      const message = new TextEncoder().encode(text)
      expect(Buffer.from(keccak256(message)).toString('hex')).toBe(digest)
      expect(keccakHash(message)).toBe(`0x${digest}`)
      expect(keccakOfHex(`0x${Buffer.from(message).toString('hex')}`)).toEqual(keccak256(message))
    }
  })

  it(
    'gives the same digests in both implementations',
    withRandom(async (random) => {
      const lengths = [...Array(300).keys(), 16_383, 16_384, 16_385, 200_000]
      // A view at an odd offset, as decoders pass it.
      const messages = lengths.map((length) => random.bytes(length + 3).subarray(3))
      const digests = []
      for (const [, use] of IMPLEMENTATIONS) {
        await use()
        digests.push(messages.map(keccakHash))
      }
      expect(digests[0]).toEqual(digests[1])
    }),
  )

  it.each(IMPLEMENTATIONS)('gives each caller bytes of its own in %s', async (_, use) => {
    await use()
    const first = keccak256(Uint8Array.of(1))
    const kept = first.slice()
    keccak256(Uint8Array.of(2)).fill(0)
    expect(first).toEqual(kept)
  })
})
