import { describe, expect, it } from 'vitest'
import { type LogCriteria, matches } from '../../../src/model/receipt/log.ts'
import { address, blockHash } from '../../support/engines/scenes.ts'

const [A, B, C] = [1n, 2n, 3n].map(blockHash) as [
  ReturnType<typeof blockHash>,
  ReturnType<typeof blockHash>,
  ReturnType<typeof blockHash>,
]
const LOG = { address: address(1), topics: [A, B], data: new Uint8Array() }

function wants(criteria: Partial<LogCriteria>): boolean {
  return matches(LOG, { addresses: [], topics: [], minimumTopics: 0, ...criteria })
}

// execution-apis, Filter: addresses are any of several, topics go by their positions, and an empty position is anything.
describe('a log is wanted', () => {
  it('where nothing is asked for', () => {
    expect(wants({})).toBe(true)
  })

  it('by any of the addresses', () => {
    expect(wants({ addresses: [address(2), address(1)] })).toBe(true)
    expect(wants({ addresses: [address(2)] })).toBe(false)
  })

  it('by its topics at their positions', () => {
    expect(wants({ topics: [[A], [B]] })).toBe(true)
    expect(wants({ topics: [[A]] })).toBe(true)
    expect(wants({ topics: [[B]] })).toBe(false)
    expect(wants({ topics: [[A], [A]] })).toBe(false)
    expect(wants({ topics: [[B], [A]] })).toBe(false)
  })

  it('by any of the topics at a position, and by any topic at an empty one', () => {
    expect(wants({ topics: [[C, A]] })).toBe(true)
    expect(wants({ topics: [[], [B]] })).toBe(true)
    expect(wants({ topics: [[], [C]] })).toBe(false)
  })

  it('only if it has a topic at each position that wants one', () => {
    expect(wants({ topics: [[A], [B], [C]] })).toBe(false)
    expect(wants({ topics: [[], [], [C]] })).toBe(false)
  })

  it('only if it has as many topics as are asked for: geth counts empty positions at the end', () => {
    expect(wants({ topics: [[A]], minimumTopics: 2 })).toBe(true)
    expect(wants({ topics: [[A]], minimumTopics: 3 })).toBe(false)
  })
})
