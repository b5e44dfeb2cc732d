import { keccak_256 } from '@noble/hashes/sha3.js'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import * as loaded from '../../src/crypto/keccak.ts'
import { withRandom } from '../support/random/random.ts'

type Keccak = typeof loaded

let unloaded: Keccak
beforeAll(async () => {
  await loaded.loadKeccak()
  vi.resetModules()
  unloaded = await import('../../src/crypto/keccak.ts')
})

const IMPLEMENTATIONS: (readonly [string, () => Keccak])[] = [
  ['before it is loaded', () => unloaded],
  ['as WebAssembly', () => loaded],
]

// The Keccak team's vectors for the empty message and for 'abc', and the selector of transfer(address,uint256).
const VECTORS = [
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['transfer(address,uint256)', 'a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b'],
] as const

describe('keccak256', () => {
  it.each(IMPLEMENTATIONS)('gives the published digests %s', (_, keccak) => {
    const { keccak256, keccakHash, keccakOfHex } = keccak()
    for (const [text, digest] of VECTORS) {
      const message = new TextEncoder().encode(text)
      expect(Buffer.from(keccak256(message)).toString('hex')).toBe(digest)
      expect(keccakHash(message)).toBe(`0x${digest}`)
      expect(keccakOfHex(`0x${Buffer.from(message).toString('hex')}`)).toEqual(keccak256(message))
    }
  })

  it(
    'gives the digests that noble gives',
    withRandom(async (random) => {
      const lengths = [...Array(300).keys(), 16_383, 16_384, 16_385, 200_000]
      // A view at an odd offset, as decoders pass it.
      const messages = lengths.map((length) => random.bytes(length + 3).subarray(3))
      expect(messages.map(loaded.keccak256)).toEqual(messages.map((message) => keccak_256(message)))
    }),
  )

  it.each(IMPLEMENTATIONS)('gives each caller bytes of its own %s', (_, keccak) => {
    const { keccak256 } = keccak()
    const first = keccak256(Uint8Array.of(1))
    const kept = first.slice()
    keccak256(Uint8Array.of(2)).fill(0)
    expect(first).toEqual(kept)
  })
})
