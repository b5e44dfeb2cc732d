/** Slices that run for longer than anybody should have to wait: each transaction takes as long as a turn of others. */
import { afterEach, expect, it, vi } from 'vitest'
import { ALICE, BOB, engineAfter, type Workplace, workplace } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'

const PAYMENTS = [0n, 1n, 2n].map((nonce) => sign(ALICE, { nonce, to: BOB.address, value: 7n }))

let nowMs = 0

const slow = engineAfter(() => {
  nowMs += 10
})

afterEach(() => {
  vi.restoreAllMocks()
})

async function slowPlace(): Promise<Workplace> {
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  const place = await workplace({ engine: slow })
  for (const payment of PAYMENTS) await place.sequencer.submissions.submit(payment)
  return place
}

/** When everything else that waited in this process has had its turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function received({ chain }: Workplace): bigint {
  return chain.pending.state.account(BOB.address)!.balance - 100n * 10n ** 18n
}

it('others have their turns while a slice runs, and see nothing of it until it is whole', async () => {
  const place = await slowPlace()
  const ticking = place.sequencer.blocks.tick()
  for (const _ of PAYMENTS.slice(1)) {
    await turn()
    expect([received(place), place.pool.size]).toEqual([0n, 3])
  }
  await ticking
  expect([received(place), place.pool.size]).toEqual([21n, 0])
})

it('what is sent while a slice runs waits for the next', async () => {
  const place = await slowPlace()
  const ticking = place.sequencer.blocks.tick()
  await turn()
  const sending = place.sequencer.submissions.submit(sign(ALICE, { nonce: 3n, to: BOB.address, value: 7n }))
  await ticking
  await sending
  expect([received(place), place.pool.size]).toEqual([21n, 1])
})

it('a block is the same whether or not others had their turns while it was made', async () => {
  const [slow, swift] = [await slowPlace(), await workplace()]
  for (const payment of PAYMENTS) await swift.sequencer.submissions.submit(payment)
  await slow.sequencer.blocks.mine()
  await swift.sequencer.blocks.mine()
  expect(slow.chain.latest.block).toEqual(swift.chain.latest.block)
})

it('a reorg is seen when it is whole, however long its blocks take', async () => {
  const place = await slowPlace()
  await place.sequencer.blocks.mine()
  const reorging = place.sequencer.blocks.reorg({ depth: 1, transactions: 'keep' })
  await turn()
  expect(place.chain.latest.block.transactions).toEqual(PAYMENTS)
  await reorging
})
