import { describe, expect, it } from 'vitest'
import { ZERO_HASH } from '../../src/bytes/hex.ts'
import type { Chain } from '../../src/chain/chain.ts'
import { type LogAnswer, queryLogs } from '../../src/chain/logs.ts'
import type { Selector, Tag } from '../../src/model/block/selector.ts'
import type { LogRange } from '../../src/model/receipt/log.ts'
import { blockOf, chainOf, momentOf, preconfirmedOf, showPreconfirmed } from '../support/chains/chains.ts'
import { address, blockHash } from '../support/engines/scenes.ts'

const tag = (name: Tag): Selector => ({ kind: 'tag', tag: name })
const [LATEST, PENDING] = [tag('latest'), tag('pending')]
const block = (number: number): Selector => ({ kind: 'number', number: BigInt(number) })

interface Question {
  readonly from?: Selector
  readonly to?: Selector
  /** The largest answer that is given; by default any. */
  readonly results?: number
  /** Whose logs are asked for; by default everybody's. */
  readonly addresses?: readonly ReturnType<typeof address>[]
}

function ask(chain: Chain, { from, to, results = 0, addresses = [] }: Question): LogAnswer {
  return find(chain, { kind: 'range', from, to }, results, addresses)
}

function find(chain: Chain, range: LogRange, results = 0, addresses: Question['addresses'] = []): LogAnswer {
  const criteria = { addresses, topics: [], minimumTopics: 0 }
  return queryLogs(chain, { criteria, range }, { range: 0, results }, (log) => log)
}

/** The number of the block of each log that was found, and its index there. */
function found(answer: LogAnswer): unknown {
  if (answer.kind !== 'logs') return answer
  return answer.logs.map((placed) => `${placed.block.header.number}:${placed.logIndex}`)
}

function hashesOf(answer: LogAnswer): unknown {
  return answer.kind === 'logs' && answer.logs.map((placed) => placed.block.hash)
}

/** Blocks 0 to 3 with a log each, and block 4 under construction with two. */
function open(): Chain {
  const chain = chainOf([1, 1, 1, 1])
  showPreconfirmed(chain, preconfirmedOf(chain, 4, { logs: 2 }))
  return chain
}

// RETH (crates/rpc/rpc/src/eth/filter.rs): with more logs than the limit, a range of several blocks is refused and the range
// up to the block before the one that was too much is proposed; one block is answered whole.
describe('the limit of results', () => {
  const tooMany = (limit: number, from: bigint, to: bigint) => ({ kind: 'tooManyResults', limit, from, to })

  it('lets as many logs through as it says', () => {
    expect(found(ask(open(), { from: block(1), to: block(3), results: 3 }))).toEqual(['1:0', '2:0', '3:0'])
  })

  it('counts the pre-confirmed logs', () => {
    const range = { from: block(3), to: PENDING }
    expect(found(ask(open(), { ...range, results: 3 }))).toEqual(['3:0', '4:0', '4:1'])
    expect(found(ask(open(), { ...range, results: 2 }))).toEqual(tooMany(2, 3n, 3n))
  })

  it('proposes a range that ends before the block that was too much', () => {
    expect(found(ask(open(), { from: block(0), to: block(3), results: 2 }))).toEqual(tooMany(2, 0n, 1n))
  })

  it('never proposes a range that ends before it begins', () => {
    const chain = chainOf([0, 5, 1])
    expect(found(ask(chain, { from: block(1), to: block(2), results: 2 }))).toEqual(tooMany(2, 1n, 1n))
  })

  it('does not bind a question for one block, sealed or under construction', () => {
    const chain = chainOf([0, 5, 1])
    expect(found(ask(chain, { from: block(1), to: block(1), results: 2 }))).toHaveLength(5)
    showPreconfirmed(chain, preconfirmedOf(chain, 3, { logs: 4 }))
    expect(found(ask(chain, { from: PENDING, to: PENDING, results: 2 }))).toHaveLength(4)
    expect(found(ask(chain, { from: block(3), to: PENDING, results: 2 }))).toHaveLength(4)
  })

  it('binds the latest block with the one under construction: these are two', () => {
    const chain = chainOf([0, 1])
    showPreconfirmed(chain, preconfirmedOf(chain, 2, { logs: 1 }))
    expect(found(ask(chain, { from: LATEST, to: PENDING, results: 1 }))).toEqual(tooMany(1, 1n, 1n))
  })
})

describe('the logs up to pending', () => {
  it('are the sealed ones, then the pre-confirmed ones, none of them twice', () => {
    expect(found(ask(open(), { from: block(2), to: PENDING }))).toEqual(['2:0', '3:0', '4:0', '4:1'])
  })

  it('are the pre-confirmed ones where the range begins with pending, its end named or not', () => {
    expect(found(ask(open(), { from: PENDING }))).toEqual(['4:0', '4:1'])
    expect(found(ask(open(), { from: PENDING, to: PENDING }))).toEqual(['4:0', '4:1'])
    expect(found(ask(open(), { from: PENDING, addresses: [address(1)] }))).toEqual(['4:0', '4:1'])
  })

  it('are none from pending to a block that is sealed, and refused to one that is not', () => {
    expect(found(ask(open(), { from: PENDING, to: block(3) }))).toEqual([])
    expect(found(ask(open(), { from: PENDING, to: block(4) }))).toMatchObject({ kind: 'beyondHead' })
  })

  it('are those of a pre-confirmed block once, where that is still shown though it is sealed', () => {
    const chain = open()
    const shown = chain.preconfirmed!
    chain.seal(momentOf(blockOf(4, { logs: 2 })), shown)
    const all = ask(chain, { from: block(3), to: PENDING })
    expect(found(all)).toEqual(['3:0', '4:0', '4:1'])
    expect(hashesOf(all)).toEqual([blockHash(3n), blockHash(4n), blockHash(4n)])
    const pending = ask(chain, { from: PENDING })
    expect(found(pending)).toEqual(['4:0', '4:1'])
    expect(hashesOf(pending)).toEqual([ZERO_HASH, ZERO_HASH])
  })

  it('are those of a pre-confirmed block that is still shown though it is pruned', () => {
    const chain = chainOf([1, 1], { historyBlocks: 1 })
    const shown = preconfirmedOf(chain, 2, { logs: 1 })
    for (const number of [2, 3, 4]) chain.seal(momentOf(blockOf(number, { logs: 1 })), shown)
    expect(found(ask(chain, { from: PENDING, to: PENDING }))).toEqual(['2:0'])
  })

  // CONTRACT of eth_getLogs: the next number is the block under construction, what is further ahead is refused.
  it('are the pre-confirmed ones from the next number on, and refused from further ahead', () => {
    expect(found(ask(open(), { from: block(4), to: PENDING }))).toEqual(['4:0', '4:1'])
    expect(ask(open(), { from: block(5), to: PENDING })).toEqual({ kind: 'beyondHead', number: 5n, head: 3n })
  })

  it('are none of the latest block where nothing is pre-confirmed', () => {
    expect(found(ask(chainOf([1, 1]), { from: PENDING }))).toEqual([])
  })
})

// execution-apis, eth_getLogs: invalid-block-range.io, block-range-exceeds-head.io.
describe('a range of numbers', () => {
  it('that is reversed is refused as that, wherever the head is', () => {
    expect(ask(open(), { from: block(3), to: block(2) })).toEqual({ kind: 'reversedRange', from: 3n, to: 2n })
    expect(ask(open(), { from: block(9), to: block(8) })).toEqual({ kind: 'reversedRange', from: 9n, to: 8n })
  })

  it('that ends after the head is refused with the head', () => {
    expect(ask(open(), { from: block(2), to: block(4) })).toEqual({
      kind: 'beyondHead',
      number: 4n,
      head: 3n,
    })
  })

  it('that begins after the head and names no end has nothing in it', () => {
    expect(found(ask(open(), { from: block(4) }))).toEqual([])
    expect(ask(open(), { from: block(4), to: LATEST })).toMatchObject({ kind: 'reversedRange' })
  })

  it('is that of the latest block where neither end is named', () => {
    expect(found(ask(open(), {}))).toEqual(['3:0'])
  })

  it('has as many blocks as its limit says, and a refusal proposes as many', () => {
    const range = (from: number, to: number, limit: number) =>
      queryLogs(
        open(),
        {
          criteria: { addresses: [], topics: [], minimumTopics: 0 },
          range: { kind: 'range', from: block(from), to: block(to) },
        },
        { range: limit, results: 0 },
        (log) => log,
      )
    expect(found(range(1, 3, 3))).toHaveLength(3)
    expect(range(1, 3, 2)).toEqual({ kind: 'rangeTooLarge', limit: 2, from: 1n, to: 2n, last: 3n })
  })
})

describe('a chain of which only the newest blocks are kept', () => {
  const pruned = () => chainOf([1, 1, 1, 1, 1, 1], { historyBlocks: 3 })

  it('answers from the oldest block that is kept on, and refuses what begins before it', () => {
    expect(found(ask(pruned(), { from: block(3), to: LATEST }))).toEqual(['3:0', '4:0', '5:0'])
    expect(ask(pruned(), { from: block(2), to: LATEST })).toEqual({
      kind: 'prunedHistory',
      number: 2n,
      oldest: 3n,
    })
  })

  it('answers for block 0, which is always kept', () => {
    expect(found(ask(pruned(), { from: block(0), to: block(0) }))).toEqual(['0:0'])
  })

  it('refuses what begins with block 0 and goes on', () => {
    expect(ask(pruned(), { from: block(0), to: block(1) })).toMatchObject({ kind: 'prunedHistory' })
  })
})

describe('the logs of one block by its hash', () => {
  it('say that they were removed, once a reorg took it off', () => {
    const chain = chainOf([0, 2])
    const range = { kind: 'block', hash: blockHash(1n) } as const
    const isRemoved = () => {
      const answer = find(chain, range)
      return answer.kind === 'logs' && answer.logs.map((placed) => placed.isRemoved === true)
    }
    expect(isRemoved()).toEqual([false, false])
    const [moment] = chain.rewind(1)
    expect(isRemoved()).toEqual([true, true])
    chain.seal(moment!)
    expect(isRemoved()).toEqual([false, false])
  })
})
