import { describe, expect, it } from 'vitest'
import type { Chain } from '../../src/chain/chain.ts'
import type { Moment } from '../../src/chain/moment.ts'
import { byHash } from '../../src/model/block/selector.ts'
import {
  blockOf,
  chainOf,
  momentOf,
  preconfirmedOf,
  showPreconfirmed,
  transactionHash,
} from '../support/chains/chains.ts'
import { address, blockHash } from '../support/engines/scenes.ts'

/** Blocks 0 to `height` with a transaction each. */
function grown(height: number, options: Parameters<typeof chainOf>[1] = {}): Chain {
  return chainOf(
    Array.from({ length: height + 1 }, () => 1),
    options,
  )
}

/** The numbers of the blocks that are held, block 0 apart. */
function held({ state: { history } }: Chain): number[] {
  return Array.from({ length: history.end - 1 }, (_, i) => i + 1).filter(
    (number) => history.keptBlock(number) !== undefined,
  )
}

describe('a chain that keeps five blocks', () => {
  const five = () => grown(12, { historyBlocks: 5 })

  it('holds the newest five and block 0', () => {
    const chain = five()
    expect(held(chain)).toEqual([8, 9, 10, 11, 12])
    expect(chain.state.history.oldest).toBe(8)
    expect(chain.state.history.atNumber(0n)).toMatchObject({ block: { hash: blockHash(0n) } })
  })

  it('holds all of its first five', () => {
    expect(held(grown(5, { historyBlocks: 5 }))).toEqual([1, 2, 3, 4, 5])
    expect(held(grown(6, { historyBlocks: 5 }))).toEqual([2, 3, 4, 5, 6])
  })

  it('finds the transactions of blocks that it holds, and no others', () => {
    const chain = five()
    expect(chain.find(transactionHash(8, 0))).toMatchObject({ block: { hash: blockHash(8n) }, index: 0 })
    expect(chain.find(transactionHash(7, 0))).toBeUndefined()
  })

  // The index has segments of 256 blocks, which go as a whole.
  it('has no places of logs in its index that lie a segment before what it holds', () => {
    const { logIndex } = grown(600, { historyBlocks: 5 }).state.history
    const wanted = { addresses: [address(1)], topics: [], minimumTopics: 0 }
    const numbers = [...logIndex.candidates(wanted, 0, 600)].map(({ number }) => number)
    expect(numbers.every((number) => number >= 256)).toBe(true)
    expect(numbers.slice(-5)).toEqual([596, 597, 598, 599, 600])
  })

  // A reorg must leave a newest block whose state is known: of five that are kept, four can go.
  it('can lose all but one of them in a reorg', () => {
    const chain = five()
    expect(chain.removable).toBe(4)
    chain.rewind(4)
    expect(chain.latest.block.hash).toBe(blockHash(8n))
  })

  it('does not hold again in a reorg what was pruned before', () => {
    const chain = five()
    chain.rewind(4)
    expect(held(chain)).toEqual([8])
    expect(chain.at({ kind: 'number', number: 7n })).toEqual({
      kind: 'prunedHistory',
      number: 7n,
      oldest: 8n,
    })
    expect(chain.find(transactionHash(7, 0))).toBeUndefined()
    expect(chain.removable).toBe(0)
  })

  it('goes on after a reorg, and prunes as before', () => {
    const chain = five()
    chain.rewind(2)
    for (const number of [11, 12, 13]) chain.seal(momentOf(blockOf(number, { logs: 1 })))
    expect(held(chain)).toEqual([9, 10, 11, 12, 13])
    expect(chain.removable).toBe(4)
  })

  it('loses no final block, however many it keeps', () => {
    expect(grown(12, { historyBlocks: 5, finalizedDistance: 2 }).removable).toBe(2)
    expect(grown(12, { historyBlocks: 5, finalizedDistance: 0 }).removable).toBe(0)
    expect(grown(12, { historyBlocks: 1 }).removable).toBe(0)
  })
})

describe('a chain that keeps all', () => {
  it('can lose what is not final, and never block 0', () => {
    expect(grown(12, { finalizedDistance: 5 }).removable).toBe(5)
    expect(grown(3, { finalizedDistance: 5 }).removable).toBe(3)
    expect(grown(0).removable).toBe(0)
  })

  it('gives back what a reorg took off, the oldest first', () => {
    const taken = grown(6).rewind(3)
    expect(taken.map(({ block }) => block.header.number)).toEqual([4n, 5n, 6n])
  })

  it('leaves all as it is in a reorg of no block', () => {
    const chain = grown(3)
    const before = chain.state
    expect(chain.rewind(0)).toEqual([])
    expect(chain.state).toBe(before)
  })

  it('can go back again, as far as it could before', () => {
    const chain = grown(6, { finalizedDistance: 4 })
    chain.rewind(1)
    expect(chain.removable).toBe(3)
    chain.rewind(3)
    expect([chain.latest.block.header.number, chain.removable]).toEqual([2n, 0])
  })

  it('gives up the block under construction in a reorg', () => {
    const chain = grown(3)
    showPreconfirmed(chain, preconfirmedOf(chain, 4))
    chain.rewind(1)
    expect([chain.preconfirmed, chain.open]).toEqual([undefined, undefined])
  })
})

describe('a block that a reorg took off', () => {
  const removed = () => {
    const chain = grown(3)
    const [moment] = chain.rewind(1)
    return { chain, moment: moment! }
  }

  it('is removed, and found by its hash with its state unless it has to be canonical', () => {
    const { chain, moment } = removed()
    expect(chain.isRemoved(blockHash(3n))).toBe(true)
    expect(chain.at(byHash(blockHash(3n)))).toBe(moment)
    const canonical = { kind: 'hash', hash: blockHash(3n), requireCanonical: true } as const
    expect(chain.at(canonical)).toEqual({ kind: 'unknownHash', hash: blockHash(3n) })
  })

  it('is not removed once it is on the chain again', () => {
    const { chain, moment } = removed()
    chain.seal(moment)
    expect(chain.isRemoved(blockHash(3n))).toBe(false)
  })

  it('is not one that never was on the chain, nor one that still is', () => {
    const { chain } = removed()
    expect([chain.isRemoved(blockHash(2n)), chain.isRemoved(blockHash(99n))]).toEqual([false, false])
  })
})

describe('the slices of sealed blocks', () => {
  /** Blocks 1 to 5, each grown in two slices. */
  function sliced(sliceBlocks: number): Chain {
    const chain = grown(0, { sliceBlocks })
    for (let number = 1; number <= 5; number++) {
      const previous = preconfirmedOf(chain, number, { slices: 1 })
      const lastSlice = preconfirmedOf(chain, number, { slices: 2, previous })
      chain.seal({ ...momentOf(blockOf(number)), lastSlice })
    }
    return chain
  }
  const withSlices = ({ state: { history } }: Chain) =>
    [1, 2, 3, 4, 5].filter((number) => 'lastSlice' in history.keptBlock(number)!)

  it('are kept of as many blocks as was asked for', () => {
    expect(withSlices(sliced(2))).toEqual([4, 5])
    expect(withSlices(sliced(1))).toEqual([5])
    expect(withSlices(sliced(9))).toEqual([1, 2, 3, 4, 5])
  })

  it('can be asked for by their index while they are kept', () => {
    const chain = sliced(2)
    const at = (number: bigint, slice: number) => chain.at({ kind: 'slice', number, slice })
    expect((at(5n, 1) as Moment & { slices: number }).slices).toBe(1)
    expect((at(5n, 2) as Moment & { slices: number }).slices).toBe(2)
    expect(at(5n, 3)).toEqual({ kind: 'unknownSlice', number: 5n, slice: 3, last: 2 })
    expect(at(3n, 1)).toEqual({ kind: 'unknownSlice', number: 3n, slice: 1, last: 0 })
  })

  it('are those of the sealed block where readers still see it as pre-confirmed', () => {
    const chain = grown(1, { sliceBlocks: 2 })
    const stale = preconfirmedOf(chain, 2, { slices: 1 })
    chain.seal(
      { ...momentOf(blockOf(2)), lastSlice: preconfirmedOf(chain, 2, { slices: 2, previous: stale }) },
      stale,
    )
    expect(chain.pending).toBe(stale)
    expect(chain.at({ kind: 'slice', number: 2n, slice: 2 })).toMatchObject({ slices: 2 })
  })
})

describe('a transaction', () => {
  it('stands in the sealed block where both that and the pre-confirmed one have it', () => {
    const chain = grown(1)
    const stale = preconfirmedOf(chain, 2, { logs: 1 })
    chain.seal(momentOf(blockOf(2, { logs: 1 })), stale)
    expect(chain.find(transactionHash(2, 0))?.block.hash).toBe(blockHash(2n))
  })

  it('that a fault hides is found as hidden, and as nothing else', () => {
    const chain = grown(1)
    const shown = preconfirmedOf(chain, 2, { logs: 1 })
    showPreconfirmed(chain, shown)
    expect(chain.hidden(transactionHash(2, 0))).toBeUndefined()
    chain.preconfirm(preconfirmedOf(chain, 2, { logs: 2, slices: 2, previous: shown }), shown)
    const second = transactionHash(2, 1)
    expect([chain.hidden(second)?.hash, chain.find(second)]).toEqual([second, undefined])
    chain.preconfirm(chain.open, chain.open)
    expect(chain.find(second)).toMatchObject({ index: 1 })
  })
})

describe('safe and finalized', () => {
  it('trail the latest by their distances, and are block 0 before that', () => {
    const numbers = (chain: Chain) =>
      (['safe', 'finalized'] as const).map(
        (tag) => (chain.at({ kind: 'tag', tag }) as Moment).block.header.number,
      )
    const distances = { safeDistance: 2, finalizedDistance: 4 }
    expect(numbers(grown(7, distances))).toEqual([5n, 3n])
    expect(numbers(grown(3, distances))).toEqual([1n, 0n])
  })
})
