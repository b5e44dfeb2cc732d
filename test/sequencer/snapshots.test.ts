/** Snapshots and forks in random orders of commands: what was published stays, and equal commands make equal blocks. */
import { describe, expect, it } from 'vitest'
import { type Hash, toHex } from '../../src/bytes/hex.ts'
import type { Moment } from '../../src/chain/moment.ts'
import { createDevnet } from '../../src/devnet/createDevnet.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { Mixture } from '../support/chains/mixture.ts'
import { ALICE, described, PEOPLE, randomCommand, submit, workplace } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'
import { Random, withRandom } from '../support/random/random.ts'

describe('a published moment', () => {
  it(
    'never changes, whatever comes after it',
    withRandom(async (random) => {
      await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 2 })
      const mixture = new Mixture(random, 'osaka', devnet.accounts)
      const published: { moment: Moment; seen: unknown }[] = []
      devnet.on('preconfirmed', (moment) => published.push({ moment, seen: described(moment) }))
      devnet.on('sealed', (moment) => published.push({ moment, seen: described(moment) }))
      for (let i = 0; i < 40; i++) {
        for (let waiting = random.below(4); waiting > 0; waiting--) await send(devnet, await mixture.next())
        await random.pick([() => devnet.tick(), () => devnet.mine(), () => devnet.seal()])()
      }
      for (const { moment, seen } of published) expect(described(moment)).toEqual(seen)
    }),
  )
})

describe('snapshots', () => {
  it(
    'of chain, pool and clock can be restored in any order, and the same commands lead to the same blocks again',
    withRandom(async (random) => {
      const place = await workplace({ ticksPerBlock: 2, gasLimit: 300_000n })
      const { sequencer, pool, clock } = place
      const look = () => ({
        latest: place.chain.latest.block.hash,
        pending: place.chain.preconfirmed && described(place.chain.preconfirmed),
        waiting: PEOPLE.flatMap(({ address }) => pool.of(address).map(({ transaction }) => transaction.hash)),
        clock: clock.mark,
      })
      const steps = random.list(40, () => randomCommand(random, sequencer))
      const marks = [{ mark: sequencer.marks.now, seen: look() }]
      for (const step of steps) {
        await step()
        marks.push({ mark: sequencer.marks.now, seen: look() })
      }
      for (let round = 0; round < 25; round++) {
        const from = random.below(steps.length)
        const to = random.between(from, Math.min(from + 6, steps.length))
        await sequencer.marks.restore(marks[from]!.mark)
        expect(look()).toEqual(marks[from]!.seen)
        for (const step of steps.slice(from, to)) await step()
        expect(look()).toEqual(marks[to]!.seen)
      }
    }),
  )

  it('wait their turn: what was asked before is done first, and undone', async () => {
    const place = await workplace()
    const { now: mark } = place.sequencer.marks
    const done = [
      place.sequencer.submissions.submit(sign(ALICE)),
      place.sequencer.blocks.mine(),
      place.sequencer.marks.restore(mark),
    ]
    await Promise.all(done)
    expect([place.chain.latest.block.header.number, place.pool.size]).toEqual([0n, 0])
    await submit(place, sign(ALICE))
  })
})

describe('a fork', () => {
  it('begins where its parent is, with what waits and what is pre-confirmed', async () => {
    await using parent = await createDevnet({ rhythm: 'manual' })
    const [alice, bob] = parent.accounts
    await send(parent, sign(alice!))
    await parent.tick()
    await send(parent, sign(bob!))
    await using fork = parent.fork()
    const [ours, theirs] = [parent.snapshot().mark, fork.snapshot().mark]
    expect(theirs.chain).toBe(ours.chain)
    expect(theirs.pool).toBe(ours.pool)
    expect(theirs.clock).toEqual(ours.clock)
  })

  it('and its parent make the same blocks of the same commands, also at the same time', async () => {
    await withRandom(async (random) => {
      await using parent = await createDevnet({ rhythm: 'manual', ticksPerBlock: 2 })
      const mixture = new Mixture(random, 'osaka', parent.accounts)
      await using fork = parent.fork()
      for (let i = 0; i < 12; i++) {
        const transactions: Transaction[] = []
        for (let waiting = random.below(4); waiting > 0; waiting--) transactions.push(await mixture.next())
        await Promise.all(
          [parent, fork].map(async (devnet) => {
            for (const transaction of transactions) await send(devnet, transaction)
            await devnet.tick()
          }),
        )
      }
      const [ours, theirs] = [parent, fork].map((devnet) => devnet.snapshot().mark.chain)
      expect(theirs!.history.latest.block.header.number).toBe(5n)
      expect(theirs!.history.latest.block.hash).toBe(ours!.history.latest.block.hash)
      expect(theirs!.history.latest).not.toBe(ours!.history.latest)
    })()
  })

  it('and its parent do not see each other’s blocks, pool or time', async () => {
    await using parent = await createDevnet({ rhythm: 'manual' })
    await using fork = parent.fork()
    const before = parent.snapshot().mark
    await send(fork, sign(parent.accounts[0]!))
    await fork.mine()
    await send(fork, sign(parent.accounts[1]!))
    await fork.advance({ ms: 5_000 })
    expect(parent.snapshot().mark).toEqual(before)
    const after = fork.snapshot().mark
    await parent.mine()
    await parent.close()
    expect(fork.snapshot().mark).toEqual(after)
    await fork.mine()
    expect(fork.snapshot().mark.chain.history.latest.block.header.number).toBe(26n)
  })
})

describe('the same options and the same commands', () => {
  it(
    'give the same hashes under the manual rhythm (invariant 6)',
    withRandom(async (random) => {
      const seed = random.below(2 ** 32)
      const hashes = async () => {
        const again = new Random(seed)
        await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 2, systemContracts: true })
        const { mark } = devnet.snapshot()
        const seen: Hash[] = [mark.chain.history.genesis.block.hash]
        devnet.on('sealed', ({ block }) => seen.push(block.hash))
        const mixture = new Mixture(again, 'osaka', devnet.accounts, true)
        for (let i = 0; i < 25; i++) {
          for (let waiting = again.below(4); waiting > 0; waiting--) await send(devnet, await mixture.next())
          await again.pick([() => devnet.tick(), () => devnet.mine(), () => devnet.advance({ ms: 333 })])()
        }
        return seen
      }
      const first = await hashes()
      expect(first.length).toBeGreaterThan(10)
      expect(await hashes()).toEqual(first)
    }),
  )
})

/** Sends signed bytes, as a user would. */
async function send(devnet: Devnet, { raw }: Transaction): Promise<void> {
  await devnet.request({ method: 'eth_sendRawTransaction', params: [toHex(raw)] })
}
