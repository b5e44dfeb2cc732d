/** What filters keep for those who poll: from when on, how long, and how many. */
import { describe, expect, it } from 'vitest'
import { Listeners } from '../../src/model/collections/listeners.ts'
import { Filters } from '../../src/rpc/filters.ts'
import type { Events } from '../../src/sequencer/events.ts'
import { blockOf, momentOf } from '../support/chains/chains.ts'

const MINUTE_MS = 60_000

function place() {
  let nowMs = 0
  const listeners = new Listeners<Events>()
  const filters = new Filters(listeners, () => nowMs)
  return {
    listeners,
    filters,
    wait: (ms: number) => {
      nowMs += ms
    },
  }
}

const LOGS = {
  criteria: { addresses: [], topics: [], minimumTopics: 0 },
  range: { kind: 'range', from: undefined, to: undefined },
} as const

describe('filters', () => {
  it('have ids that rise from 1', () => {
    const { filters } = place()
    expect([filters.addBlocks(), filters.addTransactions(), filters.addLogs(LOGS)]).toEqual([1n, 2n, 3n])
  })

  it('listen until they are removed', () => {
    const { filters, listeners } = place()
    const ids = [filters.addBlocks()!, filters.addLogs(LOGS)!, filters.addTransactions()!]
    expect((['sealed', 'reorged', 'accepted'] as const).map((event) => listeners.has(event))).toEqual([
      true,
      true,
      true,
    ])
    expect(ids.map((id) => filters.remove(id))).toEqual([true, true, true])
    expect((['sealed', 'reorged', 'accepted'] as const).map((event) => listeners.has(event))).toEqual([
      false,
      false,
      false,
    ])
  })

  // geth: a filter that is not polled for five minutes is removed.
  it('are forgotten five minutes after they were last asked for', () => {
    const { filters, listeners, wait } = place()
    const id = filters.addBlocks()!
    wait(5 * MINUTE_MS)
    expect(filters.get(id)).toBeDefined()
    wait(5 * MINUTE_MS)
    expect(filters.get(id)).toBeDefined()
    wait(5 * MINUTE_MS + 1)
    expect(filters.get(id)).toBeUndefined()
    expect(listeners.has('sealed')).toBe(false)
  })

  it('are 10,000 at most, of which those count that are in use', () => {
    const { filters, wait } = place()
    for (let i = 0; i < 10_000; i++) expect(filters.addTransactions()).toBeDefined()
    expect(filters.addTransactions()).toBeUndefined()
    expect(filters.remove(1n)).toBe(true)
    expect(filters.addTransactions()).toBe(10_001n)
    wait(6 * MINUTE_MS)
    expect(filters.addTransactions()).toBe(10_002n)
  })

  it('keep blocks in the order in which they came and went, the oldest of those that went first', () => {
    const { filters, listeners } = place()
    const filter = filters.get(filters.addLogs(LOGS)!)
    const [one, two] = [momentOf(blockOf(1)), momentOf(blockOf(2))]
    listeners.emit('sealed', one)
    listeners.emit('sealed', two)
    listeners.emit('reorged', [one, two])
    expect(filter).toMatchObject({
      blocks: [
        { block: one.block, isRemoved: false },
        { block: two.block, isRemoved: false },
        { block: one.block, isRemoved: true },
        { block: two.block, isRemoved: true },
      ],
    })
  })
})
