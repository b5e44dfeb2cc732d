import { describe, expect, it } from 'vitest'
import { LogIndex } from '../../src/chain/logIndex.ts'
import { type Block, logAt, logsOf, type PlacedLog } from '../../src/model/block/block.ts'
import type { Log } from '../../src/model/receipt/log.ts'
import { type LogCriteria, matches } from '../../src/model/receipt/log.ts'
import type { Receipt } from '../../src/model/receipt/receipt.ts'
import { address, blockHash } from '../support/engines/scenes.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const ADDRESSES = [1, 2, 3, 4].map(address)
const TOPICS = [1n, 2n, 3n, 4n, 5n].map(blockHash)

/** A block of which nothing matters but its number and its logs. */
function randomBlock(random: Random, number: number): Block {
  let firstLogIndex = 0
  const receipts = random.list(random.chance(1 / 3) ? 0 : random.below(5), () => {
    const logs = random.list(random.chance(0.02) ? 600 : random.below(4), () => randomLog(random))
    const receipt = { logs, firstLogIndex }
    firstLogIndex += logs.length
    return receipt as unknown as Receipt
  })
  return { header: { number: BigInt(number) }, receipts, transactions: [] } as unknown as Block
}

function randomLog(random: Random): Log {
  const topics = random.list(random.below(5), () => random.pick(TOPICS))
  return { address: random.pick(ADDRESSES), topics, data: new Uint8Array() }
}

function randomCriteria(random: Random): LogCriteria {
  const some = <T>(items: readonly T[]) =>
    random.chance(0.5) ? [] : random.list(random.between(1, 3), () => random.pick(items))
  const positions = random.list(random.below(5), () => some(TOPICS))
  const topics = positions.slice(0, positions.findLastIndex((wanted) => wanted.length > 0) + 1)
  const minimumTopics = random.chance(0.5) ? positions.length : topics.length
  return { addresses: some(ADDRESSES), topics, minimumTopics }
}

function placeOf({ block, transactionIndex, logIndex }: PlacedLog): string {
  return `${block.header.number}:${transactionIndex}:${logIndex}`
}

describe('the log index', () => {
  it(
    'finds what a look at each log finds, in the same order, over several segments',
    withRandom((random) => {
      for (let trial = 0; trial < 10; trial++) {
        const start = random.below(600)
        const blocks = random
          .list(random.between(1, 700), () => 0)
          .map((_, i) => randomBlock(random, start + i))
        const index = blocks.reduce((sum, block) => sum.add(block).packed(), LogIndex.empty)
        for (let question = 0; question < 20; question++) {
          const criteria = randomCriteria(random)
          const from = start + random.below(blocks.length)
          const to = random.between(from, start + blocks.length - 1)
          const found: PlacedLog[] = []
          for (const { number, logs } of index.candidates(criteria, from, to)) {
            const block = blocks[number - start]!
            found.push(...(logs === 'all' ? logsOf(block) : logs.map((at) => logAt(block, at))))
          }
          const wanted = blocks.slice(from - start, to - start + 1).flatMap((block) => [...logsOf(block)])
          const matching = (logs: PlacedLog[]) =>
            logs.filter(({ log }) => matches(log, criteria)).map(placeOf)
          expect(matching(found)).toEqual(matching(wanted))
        }
      }
    }),
  )

  it(
    'is left alone by what is added to it later, and grows by the slices of one block',
    withRandom((random) => {
      const all: LogCriteria = { addresses: ADDRESSES, topics: [], minimumTopics: 0 }
      const block = { ...randomBlock(random, 7), receipts: [...randomBlock(random, 7).receipts] }
      const whole = LogIndex.empty.add(block)
      let grown = LogIndex.empty
      for (const [transaction] of block.receipts.entries()) {
        const before = [...grown.candidates(all, 0, 7)]
        const next = grown.add({ ...block, receipts: block.receipts.slice(0, transaction + 1) }, transaction)
        expect([...grown.candidates(all, 0, 7)]).toEqual(before)
        grown = next
      }
      expect([...grown.candidates(all, 0, 7)]).toEqual([...whole.candidates(all, 0, 7)])
    }),
  )

  it(
    'finds what it found before the blocks that a reorg removed, and other blocks in their place',
    withRandom((random) => {
      for (let trial = 0; trial < 6; trial++) {
        const blocks = random.list(random.between(2, 900), () => 0).map((_, i) => randomBlock(random, i))
        const end = random.between(1, blocks.length)
        const others = blocks.slice(end).map((_, i) => randomBlock(random, end + i))
        const grown = (index: LogIndex, added: readonly Block[]) =>
          added.reduce((sum, block) => sum.add(block).packed(), index)
        const kept = grown(LogIndex.empty, blocks.slice(0, end))
        const rewound = grown(kept, blocks.slice(end)).before(end)
        for (let question = 0; question < 10; question++) {
          const criteria = randomCriteria(random)
          const found = (index: LogIndex) => [...index.candidates(criteria, 0, blocks.length)]
          expect(found(rewound)).toEqual(found(kept))
          expect(found(grown(rewound, others))).toEqual(found(grown(kept, others)))
        }
      }
    }),
  )

  it(
    'finds what is left when its oldest blocks were pruned, one after the other',
    withRandom((random) => {
      const blocks = random.list(900, () => 0).map((_, number) => randomBlock(random, number))
      const whole = blocks.reduce((sum, block) => sum.add(block).packed(), LogIndex.empty)
      let pruned = whole
      for (let oldest = 1; oldest <= 700; oldest++) pruned = pruned.prune(oldest)
      for (let question = 0; question < 20; question++) {
        const criteria = randomCriteria(random)
        const found = [...pruned.candidates(criteria, 700, 899)]
        expect(found).toEqual([...whole.candidates(criteria, 700, 899)])
        if (criteria.addresses.length > 0) expect([...pruned.candidates(criteria, 0, 511)]).toEqual([])
      }
    }),
  )
})
