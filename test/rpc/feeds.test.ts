/** What is told to whom while it is told: who comes and goes meanwhile, and what a block tells. */
import { describe, expect, it } from 'vitest'
import type { Moment } from '../../src/chain/moment.ts'
import { Listeners } from '../../src/model/collections/listeners.ts'
import type { LogFilter } from '../../src/model/receipt/log.ts'
import { Feeds, newFlashblockTransactions, Source } from '../../src/rpc/feeds.ts'
import type { Events } from '../../src/sequencer/events.ts'
import { blockOf, chainOf, momentOf, preconfirmedOf, transactionHash } from '../support/chains/chains.ts'
import { address } from '../support/engines/scenes.ts'

describe('a source', () => {
  /** A source whose events are told by `tell`, and whether it listens. */
  function source() {
    let tell: ((news: string) => void) | undefined
    let begun = 0
    const made = new Source<string>((each) => {
      tell = each
      begun++
      return () => {
        tell = undefined
      }
    })
    return {
      made,
      tell: (news: string) => tell?.(news),
      isListening: () => tell !== undefined,
      begun: () => begun,
    }
  }

  it('tells in the order in which they came, and a receiver twice that came twice', () => {
    const { made, tell } = source()
    const told: string[] = []
    const first = (news: string) => told.push(`first ${news}`)
    made.add(first)
    made.add((news) => told.push(`second ${news}`))
    made.add(first)
    tell('1')
    expect(told).toEqual(['first 1', 'second 1', 'first 1'])
  })

  it('does not tell those who come while it tells, nor those who leave', () => {
    const { made, tell } = source()
    const told: string[] = []
    let leave = () => {}
    made.add((news) => {
      told.push(`first ${news}`)
      leave()
      if (news === '1') made.add((late) => told.push(`late ${late}`))
    })
    leave = made.add((news) => told.push(`left ${news}`))
    tell('1')
    expect(told).toEqual(['first 1'])
    tell('2')
    expect(told).toEqual(['first 1', 'first 2', 'late 2'])
  })

  it('listens once while anybody is there, and no longer', () => {
    const { made, isListening, begun } = source()
    expect(isListening()).toBe(false)
    const leave = [made.add(() => {}), made.add(() => {})]
    expect([isListening(), begun()]).toEqual([true, 1])
    leave[0]!()
    leave[0]!()
    expect(isListening()).toBe(true)
    leave[1]!()
    expect(isListening()).toBe(false)
    const again = made.add(() => {})
    leave[1]!()
    expect([isListening(), begun()]).toEqual([true, 2])
    again()
  })
})

describe('the feeds', () => {
  it('tell of the logs of blocks that were taken off, the oldest block first, as removed', () => {
    const listeners = new Listeners<Events>()
    const told: unknown[] = []
    new Feeds(listeners).removed.add(({ logs }) => {
      for (const { json } of logs()) {
        const { blockNumber, logIndex, removed } = JSON.parse(json())
        told.push([blockNumber, logIndex, removed])
      }
    })
    listeners.emit('reorged', [sealed(4, 2), sealed(5, 1)])
    expect(told).toEqual([
      ['0x4', '0x0', true],
      ['0x4', '0x1', true],
      ['0x5', '0x0', true],
    ])
  })

  it('tell of a slice only what is new in it, at the places where that stands in the block', () => {
    const listeners = new Listeners<Events>()
    const told: unknown[] = []
    new Feeds(listeners).preconfirmed.add(({ logs, transactions }) => {
      told.push(logs().map(({ json }) => JSON.parse(json()).logIndex))
      told.push(transactions().map(({ hash }) => JSON.parse(hash)))
    })
    const slice = preconfirmedOf(chainOf([0]), 1, { logs: 3 })
    listeners.emit('preconfirmed', slice, slice.block.transactions.slice(1))
    expect(told).toEqual([
      ['0x1', '0x2'],
      [transactionHash(1, 1), transactionHash(1, 2)],
    ])
  })

  // Base: a transaction is told where any of its logs matches.
  it('know of a transaction whether one of its logs matches, be there others', () => {
    const slice = preconfirmedOf(chainOf([0]), 1, { logs: 1 })
    const { block } = slice
    const [receipt] = block.receipts
    const other = { ...receipt!.logs[0]!, address: address(2) }
    const receipts = [{ ...receipt!, logs: [other, receipt!.logs[0]!] }]
    const listeners = new Listeners<Events>()
    const feeds = new Feeds(listeners)
    const told = [0, 0, 0]
    for (const index of told.keys()) {
      const criteria = { addresses: [address(index + 1)], topics: [], minimumTopics: 0 }
      newFlashblockTransactions(feeds, { criteria } as unknown as LogFilter)(() => told[index]!++)
    }
    listeners.emit('preconfirmed', { ...slice, block: { ...block, receipts } }, block.transactions)
    expect(told).toEqual([1, 1, 0])
  })

  it('give each subscription an id of its own, from 1 on', () => {
    const feeds = new Feeds(new Listeners<Events>())
    expect([feeds.newId(), feeds.newId(), feeds.newId()]).toEqual([1n, 2n, 3n])
  })
})

function sealed(number: number, logs: number): Moment {
  return momentOf(blockOf(number, { logs }))
}
