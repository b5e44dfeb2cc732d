import { expect, it } from 'vitest'
import { areEqual, ByteArena } from '../../src/bytes/bytes.ts'
import { withRandom } from '../support/random/random.ts'

it(
  'keeps bytes of all lengths as they were, whatever is kept after them',
  withRandom((random) => {
    const memory = new ByteArena()
    const lengths = random.list(600, () => random.below(random.chance(0.05) ? 9_000 : 300))
    const kept = lengths.map((length, i) => {
      const bytes = new Uint8Array(length).fill(i)
      return { bytes, place: memory.keep(bytes) }
    })
    for (const { bytes, place } of kept) {
      expect(areEqual(place.bytes.subarray(place.at, place.at + bytes.length), bytes)).toBe(true)
    }
  }),
)

it('takes little more memory than what is kept in it', () => {
  const memory = new ByteArena()
  const pieces = new Map<ArrayBufferLike, number>()
  const lengths = Array.from({ length: 4_000 }, (_, i) => 100 + ((i * 37) % 400))
  for (const length of lengths) {
    const { buffer } = memory.keep(new Uint8Array(length)).bytes
    pieces.set(buffer, buffer.byteLength)
  }
  const kept = lengths.reduce((sum, length) => sum + length, 0)
  const taken = [...pieces.values()].reduce((sum, length) => sum + length, 0)
  // At most the largest piece, which may be new, and a hundredth at the ends of the others.
  expect(taken).toBeLessThan(kept * 1.01 + 65_536)
})
