import { describe, expect, it } from 'vitest'
import { fromHex } from '../../../src/bytes/hex.ts'
import { fastLzLength } from '../../../src/model/l2/l1Fee.ts'
import { withRandom } from '../../support/random/random.ts'

/** A transaction of Arbitrum's chain 10, which op-geth and revm test with. */
const TRANSACTION =
  '0x02f901550a758302df1483be21b88304743f94f80e51afb613d764fa61751affd3313c190a86bb870151bd62fd12adb8e41ef24f3f000000000000000000000000000000000000000000000000000000000000006e000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831000000000000000000000000000000000000000000000000000000000003c1e5000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000148c89ed219d02f1a5be012c689b4f5b731827bebe000000000000000000000000c001a033fd89cb37c31b2cba46b6466e040c61fc9b2a3675a7f5f493ebd5ad77c497f8a07cdf65680e238392693019b4092f610222e71b7cec06449cb922b93b6a12744e'

describe('the length of bytes that FastLZ has compressed', () => {
  it('is that which op-geth and revm find', () => {
    expect(fastLzLength(new Uint8Array())).toBe(0)
    expect(fastLzLength(fromHex('0xfacade'))).toBe(4)
    expect(fastLzLength(new Uint8Array(1_000))).toBe(21)
    expect(fastLzLength(new Uint8Array(1_000).fill(42))).toBe(21)
    expect(fastLzLength(fromHex(TRANSACTION))).toBe(202)
  })

  it('grows with each byte that was not there before', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    for (let length = 1; length < 256; length++) {
      expect(fastLzLength(all.subarray(0, length + 1))).toBeGreaterThan(fastLzLength(all.subarray(0, length)))
    }
  })

  it(
    'does not depend on what was compressed before',
    withRandom((random) => {
      const bytes = random.bytes(random.below(300))
      const length = fastLzLength(bytes)
      fastLzLength(random.bytes(1_000))
      expect(fastLzLength(bytes)).toBe(length)
    }),
  )
})
