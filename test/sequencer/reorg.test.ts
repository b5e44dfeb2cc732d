import { describe, expect, it } from 'vitest'
import type { Moment } from '../../src/chain/moment.ts'
import { byHash } from '../../src/model/block/selector.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { ALICE, BOB, CAROL, type Workplace, workplace } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'

async function mineEach({ sequencer }: Workplace, ...transactions: Transaction[]): Promise<void> {
  for (const transaction of transactions) {
    await sequencer.submissions.submit(transaction)
    await sequencer.blocks.mine()
  }
}

/** Alice's transfers, one for each of the first blocks. */
const PAYMENTS = [0n, 1n, 2n].map((nonce) => sign(ALICE, { nonce, to: BOB.address, value: 7n }))

async function paid(): Promise<Workplace> {
  const place = await workplace()
  await mineEach(place, ...PAYMENTS)
  return place
}

function sealed({ chain }: Workplace): (readonly Transaction[])[] {
  const numbers = Array.from({ length: Number(chain.latest.block.header.number) }, (_, i) => i + 1)
  return numbers.map((number) => chain.state.history.block(number)!.transactions)
}

describe('a reorg', () => {
  it('puts other blocks with the same transactions, times and heights in their place', async () => {
    const place = await paid()
    const before = place.chain.latest.block
    const outcome = await place.sequencer.blocks.reorg({ depth: 2, transactions: 'keep' })
    const { block } = place.chain.latest
    expect(sealed(place)).toEqual(PAYMENTS.map((payment) => [payment]))
    expect(outcome).toMatchObject({ removed: [{ block: { header: { number: 2n } } }, { block: before }] })
    expect(block.hash).not.toBe(before.hash)
    expect([block.header.number, block.header.timestamp]).toEqual([3n, before.header.timestamp])
    expect(block.header.stateRoot).toBe(before.header.stateRoot)
  })

  it('makes the transactions wait, in their order, where that is asked for', async () => {
    const place = await paid()
    await place.sequencer.blocks.reorg({ depth: 2, transactions: 'wait' })
    expect(sealed(place)).toEqual([[PAYMENTS[0]], [], []])
    expect(place.pool.of(ALICE.address).map(({ transaction }) => transaction)).toEqual(PAYMENTS.slice(1))
    await place.sequencer.blocks.mine()
    expect(sealed(place)[3]).toEqual(PAYMENTS.slice(1))
  })

  it('loses the transactions for good where that is asked for, and says so', async () => {
    const place = await paid()
    const lost: unknown[] = []
    place.sequencer.listeners.on('dropped', ({ hash }, { kind }) => lost.push([hash, kind]))
    await place.sequencer.blocks.reorg({ depth: 2, transactions: 'drop' })
    expect(lost).toEqual(PAYMENTS.slice(1).map(({ hash }) => [hash, 'reorged']))
    expect([place.pool.size, place.chain.find(PAYMENTS[2]!.hash)]).toEqual([0, undefined])
  })

  it('puts others in their place where they are given', async () => {
    const place = await paid()
    const other = sign(CAROL, { to: BOB.address, value: 1n })
    await place.sequencer.blocks.reorg({ depth: 2, transactions: [[], [other]] })
    expect(sealed(place)).toEqual([[PAYMENTS[0]], [], [other]])
    expect(place.pool.of(ALICE.address)).toHaveLength(2)
  })

  it('leaves a chain that is shorter, or longer, where that is asked for', async () => {
    const place = await paid()
    await place.sequencer.blocks.reorg({ depth: 2, transactions: 'wait', blocks: 0 })
    expect(place.chain.latest.block.header.number).toBe(1n)
    await place.sequencer.blocks.reorg({ depth: 1, transactions: 'drop', blocks: 4 })
    expect(sealed(place)).toEqual([[], [], [], []])
  })

  it('tells of the removed blocks before it tells of the new ones', async () => {
    const place = await paid()
    const told: string[] = []
    const { listeners } = place.sequencer
    listeners.on('reorged', (removed) => told.push(...removed.map(({ block }) => `- ${block.hash}`)))
    listeners.on('sealed', ({ block }) => told.push(`+ ${block.hash}`))
    const { history } = place.chain.state
    const old = [2, 3].map((number) => `- ${history.block(number)!.hash}`)
    await place.sequencer.blocks.reorg({ depth: 2, transactions: 'keep' })
    expect(told).toEqual([
      ...old,
      ...[2, 3].map((number) => `+ ${place.chain.state.history.block(number)!.hash}`),
    ])
  })

  it('lets a removed block be found by its hash, with its state, unless it has to be canonical', async () => {
    const place = await paid()
    const { hash } = place.chain.latest.block
    await place.sequencer.blocks.reorg({ depth: 1, transactions: 'drop' })
    const found = place.chain.at(byHash(hash)) as Moment
    expect(found.block.hash).toBe(hash)
    expect(found.state.account(BOB.address)?.balance).toBe(100n * 10n ** 18n + 21n)
    expect(place.chain.at({ kind: 'hash', hash, requireCanonical: true })).toEqual({
      kind: 'unknownHash',
      hash,
    })
    expect(place.chain.isRemoved(hash)).toBe(true)
  })

  it('gives the block under construction up, whose transactions wait', async () => {
    const place = await paid()
    const next = sign(ALICE, { nonce: 3n })
    await place.sequencer.submissions.submit(next)
    await place.sequencer.blocks.tick()
    await place.sequencer.blocks.reorg({ depth: 1, transactions: 'keep' })
    expect([place.chain.preconfirmed, place.pool.get(next.hash)]).toEqual([undefined, next])
    await place.sequencer.blocks.mine()
    expect(place.chain.latest.block.transactions).toEqual([next])
  })

  it('leaves alone what is final, and block 0', async () => {
    const place = await paid()
    expect(await place.sequencer.blocks.reorg({ depth: 4, transactions: 'keep' })).toEqual({
      kind: 'tooDeep',
      room: { forkBlock: undefined, removable: 3 },
    })
    for (let i = 0; i < 70; i++) await place.sequencer.blocks.seal()
    expect(await place.sequencer.blocks.reorg({ depth: 65, transactions: 'keep' })).toEqual({
      kind: 'tooDeep',
      room: { forkBlock: undefined, removable: 64 },
    })
    expect(await place.sequencer.blocks.reorg({ depth: 64, transactions: 'keep' })).toMatchObject({
      kind: 'reorged',
    })
  })

  it('can be taken back, and comes out the same when it is made again', async () => {
    const place = await paid()
    const { now: mark } = place.sequencer.marks
    const before = place.chain.latest.block.hash
    await place.sequencer.blocks.reorg({ depth: 2, transactions: 'keep' })
    const after = place.chain.latest.block.hash
    await place.sequencer.marks.restore(mark)
    expect(place.chain.latest.block.hash).toBe(before)
    await place.sequencer.blocks.reorg({ depth: 2, transactions: 'keep' })
    expect(place.chain.latest.block.hash).toBe(after)
  })
})
