import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, it } from 'vitest'
import { keccak256, keccakHash, keccakOfHex } from '../../src/crypto/keccak.ts'
import { withRandom } from '../support/random/random.ts'

// The Keccak team's vectors for the empty message and for 'abc', and the selector of transfer(address,uint256).
const VECTORS = [
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
  ['transfer(address,uint256)', 'a9059cbb2ab09eb219583f4a59a5d0623ade346d962bcd4e46b11da047c9049b'],
] as const

describe('keccak256', () => {
  it('gives the published digests', () => {
    for (const [text, digest] of VECTORS) {
      const message = new TextEncoder().encode(text)
      expect(Buffer.from(keccak256(message)).toString('hex')).toBe(digest)
      expect(keccakHash(message)).toBe(`0x${digest}`)
      expect(keccakOfHex(`0x${Buffer.from(message).toString('hex')}`)).toEqual(keccak256(message))
    }
  })

  it(
    'gives the digests that noble gives, also of messages longer than the buffer of 16,320 bytes',
    withRandom(async (random) => {
      const lengths = [...Array(300).keys(), 16_319, 16_320, 16_321, 32_639, 32_640, 32_641, 200_000]
      // A view at an odd offset, as decoders pass it.
      const messages = lengths.map((length) => random.bytes(length + 3).subarray(3))
      expect(messages.map(keccak256)).toEqual(messages.map((message) => keccak_256(message)))
    }),
  )

  it('gives each caller bytes of its own', () => {
    const first = keccak256(Uint8Array.of(1))
    const kept = first.slice()
    keccak256(Uint8Array.of(2)).fill(0)
    expect(first).toEqual(kept)
  })
})
