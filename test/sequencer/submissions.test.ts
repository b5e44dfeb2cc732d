/** Transactions that are submitted: accepted or rejected, ordered, pre-confirmed and sealed, or dropped. */
import { describe, expect, it, vi } from 'vitest'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { yieldToEventLoop } from '../../src/sequencer/clock.ts'
import {
  ALICE,
  BOB,
  CAROL,
  droppedBy,
  latest,
  PEOPLE,
  preconfirmed,
  submit,
  workplace,
} from '../support/chains/sequencers.ts'
import { authorize, sign } from '../support/chains/signing.ts'

const GWEI = 10n ** 9n

describe('a transaction that is submitted', () => {
  it('waits, is pre-confirmed by the next tick and sealed by the one after', async () => {
    const place = await workplace()
    const transaction = sign(ALICE, { to: BOB.address, value: 5n })
    await submit(place, transaction)
    expect([place.pool.size, place.chain.preconfirmed]).toEqual([1, undefined])
    await place.sequencer.blocks.tick()
    expect([place.pool.size, preconfirmed(place), latest(place)]).toEqual([0, [transaction], []])
    await place.sequencer.blocks.tick()
    expect([preconfirmed(place), latest(place)]).toEqual([[], [transaction]])
  })

  it('is rejected with a reason, and nothing is said of it to listeners', async () => {
    const place = await workplace()
    const accepted = vi.fn()
    place.sequencer.listeners.on('accepted', accepted)
    const transaction = sign(ALICE, { chainId: 5n })
    expect(await place.sequencer.submissions.submit(transaction)).toEqual({
      kind: 'rejected',
      transaction,
      rejection: { kind: 'invalidChainId', have: 5n, want: 31_337n },
      mayWait: true,
    })
    expect(accepted).not.toHaveBeenCalled()
    expect(place.pool.size).toBe(0)
  })

  it('replaces one of the same nonce for ten percent more, of which listeners hear', async () => {
    const place = await workplace()
    const dropped = droppedBy(place)
    const fees = (percent: bigint) => ({ maxFeePerGas: percent * GWEI, maxPriorityFeePerGas: percent * GWEI })
    const [first, cheap, dear] = [sign(ALICE, fees(100n)), sign(ALICE, fees(109n)), sign(ALICE, fees(110n))]
    await submit(place, first)
    expect(await place.sequencer.submissions.submit(cheap)).toMatchObject({
      rejection: { kind: 'replacementUnderpriced' },
    })
    await submit(place, dear)
    expect(dropped).toEqual([[first.hash, { kind: 'replaced', by: dear }]])
    await place.sequencer.blocks.mine()
    expect(latest(place)).toEqual([dear])
  })

  it('with a nonce that is ahead waits until the gap is filled', async () => {
    const place = await workplace()
    const [zero, one, two] = [0n, 1n, 2n].map((nonce) => sign(ALICE, { nonce })) as [
      Transaction,
      Transaction,
      Transaction,
    ]
    await submit(place, two, one)
    await place.sequencer.blocks.mine()
    expect([latest(place), place.pool.size]).toEqual([[], 2])
    await submit(place, zero)
    await place.sequencer.blocks.mine()
    expect([latest(place), place.pool.size]).toEqual([[zero, one, two], 0])
  })

  it('gets the next nonce, however many others are on their way', async () => {
    const place = await workplace()
    await submit(place, sign(ALICE), sign(ALICE, { nonce: 7n }))
    const makeOne = () =>
      place.sequencer.submissions.submitNext(ALICE.address, (nonce) => sign(ALICE, { nonce }))
    const all = await Promise.all([makeOne(), makeOne(), place.sequencer.blocks.tick(), makeOne()])
    expect(all.filter((one) => one !== undefined).map(({ transaction }) => transaction.nonce)).toEqual([
      1n,
      2n,
      3n,
    ])
    expect(place.sequencer.submissions.nextNonce(ALICE.address)).toBe(4n)
  })

  it('goes into the block at its price, between senders, and by nonce for each of them', async () => {
    const place = await workplace()
    const tip = (gwei: bigint) => ({ maxPriorityFeePerGas: gwei * GWEI })
    const [alice0, alice1] = [sign(ALICE, tip(2n)), sign(ALICE, { nonce: 1n, ...tip(9n) })]
    const [bob, carol] = [sign(BOB, tip(3n)), sign(CAROL, tip(1n))]
    await submit(place, carol, alice1, bob, alice0)
    await place.sequencer.blocks.mine()
    expect(latest(place)).toEqual([bob, alice0, alice1, carol])
  })

  it('that does not fit into the block is held until the next one', async () => {
    const place = await workplace({ gasLimit: 63_000n, ticksPerBlock: 2 })
    const dropped = droppedBy(place)
    const first = [sign(ALICE), sign(ALICE, { nonce: 1n }), sign(ALICE, { nonce: 2n })]
    const next = [sign(BOB, { maxPriorityFeePerGas: 1n }), sign(BOB, { nonce: 1n, maxPriorityFeePerGas: 1n })]
    await submit(place, ...first, ...next)
    await place.sequencer.blocks.tick()
    await place.sequencer.blocks.tick()
    expect([preconfirmed(place), place.pool.size]).toEqual([first, 2])
    await place.sequencer.blocks.tick()
    expect([latest(place), preconfirmed(place), place.pool.size, dropped]).toEqual([first, next, 0, []])
  })

  it('that cannot be paid any more is dropped, with the numbers', async () => {
    const place = await workplace()
    const dropped = droppedBy(place)
    const all = 100n * 10n ** 18n
    const cost = 21_000n * 100n * GWEI
    const [gift, doomed] = [
      sign(ALICE, { to: BOB.address, value: all - cost }),
      sign(ALICE, { nonce: 1n, to: CAROL.address, value: all - cost }),
    ]
    await submit(place, gift, doomed)
    await place.sequencer.blocks.mine()
    expect(latest(place)).toEqual([gift])
    const have = place.chain.latest.state.account(ALICE.address)!.balance
    expect(dropped).toEqual([
      [doomed.hash, { kind: 'insufficientFunds', address: ALICE.address, have, want: all }],
    ])
    expect(place.pool.size).toBe(0)
  })

  it('whose nonce an authorization took is dropped, and does not stay for ever (EIP-7702)', async () => {
    const place = await workplace()
    const dropped = droppedBy(place)
    const authorizationList = [await authorize(ALICE, { address: BOB.address, nonce: 0n })]
    // Held by its fee, until the base fee falls, while Bob's goes ahead.
    const doomed = sign(ALICE, { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n })
    await submit(place, doomed, sign(BOB, { type: 4, gasLimit: 100_000n, authorizationList }))
    await place.sequencer.blocks.mine()
    await place.sequencer.blocks.mine()
    expect(dropped).toEqual([[doomed.hash, { kind: 'nonceTooLow', next: 1n, got: 0n }]])
    expect(place.pool.size).toBe(0)
  })

  it('can be found at every instant between accepted and sealed', async () => {
    for (const ticksPerBlock of [0, 1, 3]) {
      const place = await workplace({ ticksPerBlock, gasLimit: 200_000n })
      const transactions = PEOPLE.flatMap((signer) => [0n, 1n, 2n].map((nonce) => sign(signer, { nonce })))
      await submit(place, ...transactions)
      const isLost = ({ hash }: Transaction) =>
        place.pool.get(hash) === undefined && place.chain.find(hash) === undefined
      let instants = 0
      for (let tick = 0; tick < 12; tick++) {
        let isDone = false
        const done = [
          place.sequencer.blocks.tick(),
          tick % 4 === 3 ? place.sequencer.blocks.mine() : undefined,
        ]
        void Promise.all(done).then(() => {
          isDone = true
        })
        while (!isDone) {
          expect(transactions.filter(isLost)).toEqual([])
          instants++
          // Others have their turns, too: a slice that takes long goes on when they have had them.
          await (instants % 100 === 0 ? yieldToEventLoop() : Promise.resolve())
        }
      }
      expect(place.pool.size).toBe(0)
      expect(instants).toBeGreaterThan(100)
    }
  })
})
