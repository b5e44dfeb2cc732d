import { Bloom } from '@ethereumjs/vm'
import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../../src/bytes/hex.ts'
import type { Log } from '../../../src/model/receipt/log.ts'
import { bloomOf, EMPTY_BLOOM, union } from '../../../src/model/receipt/log.ts'
import { type Random, withRandom } from '../../support/random/random.ts'

describe('bloomOf', () => {
  it(
    'sets the bits that the filter of @ethereumjs/vm sets',
    withRandom((random) => {
      for (let i = 0; i < 30; i++) {
        const logs = random.list(random.below(12), () => randomLog(random))
        expect(toHex(bloomOf(logs))).toBe(toHex(theirsOf(logs).bitvector))
      }
    }),
  )

  it('is 256 zero bytes without logs', () => {
    expect(bloomOf([])).toBe(EMPTY_BLOOM)
    expect(toHex(EMPTY_BLOOM)).toBe(`0x${'00'.repeat(256)}`)
  })

  it('does not look at data', () => {
    const log: Log = {
      address: '0x00000000000000000000000000000000000000aa',
      topics: [],
      data: new Uint8Array(0),
    }
    expect(bloomOf([log])).toEqual(bloomOf([{ ...log, data: Uint8Array.of(1, 2, 3) }]))
  })
})

describe('union', () => {
  it(
    'is the filter of all logs together, and leaves its parts as they were',
    withRandom((random) => {
      const lists = random.list(5, () => random.list(random.below(4), () => randomLog(random)))
      const blooms = lists.map(bloomOf)
      const before = blooms.map(toHex)
      expect(toHex(union(blooms))).toBe(toHex(theirsOf(lists.flat()).bitvector))
      expect(blooms.map(toHex)).toEqual(before)
    }),
  )

  it('of nothing, and of empty ones, is empty', () => {
    expect(union([])).toEqual(EMPTY_BLOOM)
    expect(union([EMPTY_BLOOM, new Uint8Array(256)])).toEqual(EMPTY_BLOOM)
  })
})

function randomLog(random: Random): Log {
  return {
    address: random.hex(20),
    topics: random.list(random.below(5), () => random.hex(32)),
    data: random.bytes(random.below(40)),
  }
}

function theirsOf(logs: readonly Log[]): Bloom {
  const bloom = new Bloom()
  for (const { address, topics } of logs) for (const item of [address, ...topics]) bloom.add(fromHex(item))
  return bloom
}
