import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Moment } from '../../src/chain/moment.ts'
import { createDevnet } from '../../src/createDevnet.ts'
import type { Devnet } from '../../src/devnet.ts'
import { type Hash, toHex } from '../../src/model/bytes/hex.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import { breathe } from '../../src/sequencer/clock.ts'
import type { DropReason } from '../../src/sequencer/events.ts'
import { assemble, creationOf } from '../support/assembly.ts'
import { createEngine } from '../support/engineOfRun.ts'
import { Mixture } from '../support/mixture.ts'
import { Random, withRandom } from '../support/random.ts'
import {
  ALICE,
  BOB,
  CAROL,
  described,
  engineAfter,
  PEOPLE,
  type Workplace,
  workplace,
} from '../support/sequencers.ts'
import { authorize, sign } from '../support/signing.ts'
import { SOON } from '../support/until.ts'

const GWEI = 10n ** 9n

/** Submits transactions that have to be accepted. */
async function submit({ sequencer }: Workplace, ...transactions: Transaction[]): Promise<void> {
  for (const transaction of transactions) {
    expect(await sequencer.submissions.submit(transaction)).toMatchObject({ kind: 'accepted' })
  }
}

/** What was dropped and why, as it happens. */
function droppedBy({ sequencer }: Workplace): (readonly [Hash, DropReason])[] {
  const dropped: (readonly [Hash, DropReason])[] = []
  sequencer.listeners.on('dropped', (transaction, reason) => dropped.push([transaction.hash, reason]))
  return dropped
}

/** The transactions of the latest block. */
function latest({ chain }: Workplace): readonly Transaction[] {
  return chain.latest.block.transactions
}

/** Those of the pre-confirmed block. */
function preconfirmed({ chain }: Workplace): readonly Transaction[] {
  return chain.preconfirmed?.block.transactions ?? []
}

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
          await (instants % 100 === 0 ? breathe() : Promise.resolve())
        }
      }
      expect(place.pool.size).toBe(0)
      expect(instants).toBeGreaterThan(100)
    }
  })
})

describe('the queue of commands', () => {
  it('goes on after a command that failed', async () => {
    const place = await workplace()
    const failing = place.sequencer.submissions.submitNext(ALICE.address, () => {
      throw new Error('no key')
    })
    const ticking = place.sequencer.blocks.tick()
    await expect(failing).rejects.toThrow('no key')
    await ticking
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.mine()
    expect(latest(place)).toHaveLength(1)
  })

  it('runs one command at a time, in order', async () => {
    const place = await workplace()
    const heard: string[] = []
    place.sequencer.listeners.on('accepted', ({ nonce }) => heard.push(`accepted ${nonce}`))
    place.sequencer.listeners.on('preconfirmed', (_, added) => heard.push(`preconfirmed ${added.length}`))
    place.sequencer.listeners.on('sealed', ({ block }) => heard.push(`sealed ${block.transactions.length}`))
    await Promise.all([
      place.sequencer.submissions.submit(sign(ALICE)),
      place.sequencer.blocks.tick(),
      place.sequencer.submissions.submit(sign(ALICE, { nonce: 1n })),
      place.sequencer.blocks.tick(),
      place.sequencer.blocks.seal(),
    ])
    expect(heard).toEqual([
      'accepted 0',
      'preconfirmed 1',
      'accepted 1',
      'sealed 1',
      'preconfirmed 1',
      'sealed 1',
    ])
  })

  it('is not stopped by a transaction that breaks the machine; that one is dropped', async () => {
    const broken = new Error('the machine broke')
    const place = await workplace({
      engine: engineAfter(([, , { from }]) => {
        if (from === ALICE.address) throw broken
      }),
    })
    const dropped = droppedBy(place)
    const [bad, good] = [sign(ALICE), sign(BOB)]
    await submit(place, bad, good)
    await place.sequencer.blocks.tick()
    await place.sequencer.blocks.tick()
    expect(dropped).toEqual([[bad.hash, { kind: 'defect', error: broken }]])
    expect([latest(place), place.pool.size]).toEqual([[good], 0])
    // Nor has it left the machine in a bad state for the next.
    await submit(place, sign(BOB, { nonce: 1n }))
    await place.sequencer.blocks.mine()
    expect(latest(place)).toHaveLength(1)
  })

  it('is not stopped by a listener that throws', async () => {
    const place = await workplace()
    const uncaught = vi.fn()
    const before = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', uncaught)
    try {
      place.sequencer.listeners.on('sealed', () => {
        throw new Error('a listener’s own fault')
      })
      const second = vi.fn()
      place.sequencer.listeners.on('sealed', second)
      await place.sequencer.blocks.mine()
      await place.sequencer.blocks.mine()
      expect(second).toHaveBeenCalledTimes(2)
      expect(place.chain.latest.block.header.number).toBe(2n)
      await vi.waitUntil(() => uncaught.mock.calls.length === 2, SOON)
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const listener of before) process.on('uncaughtException', listener)
    }
  })
})

describe('a tick', () => {
  /** After each of `ticks` ticks: the latest block, the open one and its slices. */
  async function states(ticks: number, wishes: Parameters<typeof workplace>[0]) {
    const place = await workplace(wishes)
    const seen: (readonly [bigint, bigint | undefined, number | undefined])[] = []
    for (let tick = 0; tick < ticks; tick++) {
      await place.sequencer.blocks.tick()
      const { latest, preconfirmed } = place.chain
      seen.push([latest.block.header.number, preconfirmed?.block.header.number, preconfirmed?.slices])
    }
    return seen
  }

  it('opens and pre-confirms, and seals what the tick before opened, with one slice for each block', async () => {
    expect(await states(3, { ticksPerBlock: 1 })).toEqual([
      [0n, 1n, 1],
      [1n, 2n, 1],
      [2n, 3n, 1],
    ])
  })

  it('adds a slice, and seals after ten of them, with ten for each block', async () => {
    const seen = await states(21, { ticksPerBlock: 10 })
    expect(seen.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, i) => [0n, 1n, i + 1]))
    expect(seen[10]).toEqual([1n, 2n, 1])
    expect(seen[20]).toEqual([2n, 3n, 1])
  })

  it('opens, runs and seals at once without slices, and pre-confirms nothing', async () => {
    expect(await states(2, { ticksPerBlock: 0 })).toEqual([
      [1n, undefined, undefined],
      [2n, undefined, undefined],
    ])
  })

  it('seals no empty blocks where that is turned off, but opens them anew with the time of now', async () => {
    const place = await workplace({ sealEmptyBlocks: false, tickMs: 1_000 })
    for (let tick = 0; tick < 5; tick++) await place.sequencer.blocks.tick()
    const { latest, preconfirmed } = place.chain
    expect(latest.block.header.number).toBe(0n)
    expect(preconfirmed!.block.header.timestamp).toBe(latest.block.header.timestamp + 5n)
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.tick()
    await place.sequencer.blocks.tick()
    expect(place.chain.latest.block).toMatchObject({
      header: { number: 1n },
      transactions: [{ from: ALICE.address }],
    })
  })

  it('makes a block for what only the next block’s lower base fee lets in, where empty ones are not sealed', async () => {
    for (const wishes of [{ ticksPerBlock: 0, sealEmptyBlocks: false }, { rhythm: 'instant' }] as const) {
      const place = await workplace({ ...wishes, baseFeePerGas: 1_000n })
      // 875 after the empty genesis.
      await submit(place, sign(ALICE, { maxFeePerGas: 900n, maxPriorityFeePerGas: 0n }))
      await place.sequencer.blocks.tick()
      expect(place.chain.latest.block).toMatchObject({
        header: { number: 1n, baseFeePerGas: 875n },
        transactions: [{}],
      })
    }
  })
})

describe('steering', () => {
  it('seals the open block as it is, and leaves what waits', async () => {
    const place = await workplace()
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.tick()
    await submit(place, sign(ALICE, { nonce: 1n }))
    await place.sequencer.blocks.seal()
    expect([latest(place).length, place.pool.size, place.chain.preconfirmed]).toEqual([1, 1, undefined])
    await place.sequencer.blocks.seal()
    expect([latest(place).length, place.pool.size]).toEqual([0, 1])
  })

  it('mines what waits into the open block and seals it', async () => {
    const place = await workplace()
    await submit(place, sign(ALICE))
    await place.sequencer.blocks.tick()
    await submit(place, sign(ALICE, { nonce: 1n }))
    await place.sequencer.blocks.mine()
    expect([place.chain.latest.block.header.number, latest(place).length]).toEqual([1n, 2])
  })

  it('advances time with each tick that falls due on the way, and no further', async () => {
    const place = await workplace()
    const start = place.clock.nowMs
    await place.sequencer.blocks.advance(999)
    expect(place.clock.nowMs).toBe(start + 999)
    // Ticks at 200, 400, 600 and 800.
    expect(place.chain.latest.block.header.number).toBe(3n)
    await place.sequencer.blocks.advance(1)
    expect(place.chain.latest.block.header.number).toBe(4n)
  })

  it('under the instant rhythm seals what is ready as soon as it comes, and moves only time', async () => {
    const place = await workplace({ rhythm: 'instant' })
    await submit(place, sign(ALICE))
    await submit(place, sign(ALICE, { nonce: 2n }))
    await place.sequencer.blocks.advance(10_000)
    expect(place.chain.latest.block.header.number).toBe(1n)
    await submit(place, sign(ALICE, { nonce: 1n }))
    expect(latest(place).map(({ nonce }) => nonce)).toEqual([1n, 2n])
    const [second, first] = [2n, 1n].map((number) => place.chain.at({ kind: 'number', number }) as Moment)
    expect(second!.block.header.timestamp - first!.block.header.timestamp).toBeGreaterThanOrEqual(10n)
  })
})

describe('block after block', () => {
  it('the base fee follows EIP-1559: by an eighth down for empty and up for full blocks, and by what lies between', async () => {
    const place = await workplace({ gasLimit: 84_000n, baseFeePerGas: 1_000n })
    const fees: (bigint | undefined)[] = []
    let nonce = 0n
    const mine = async (transfers: number) => {
      for (let i = 0; i < transfers; i++) await submit(place, sign(ALICE, { nonce: nonce++ }))
      await place.sequencer.blocks.mine()
      fees.push(place.chain.latest.block.header.baseFeePerGas)
    }
    for (const transfers of [0, 0, 4, 4, 2, 3, 1, 0]) await mine(transfers)
    // Each is the one before, moved by an eighth for a block that was empty or full, by a sixteenth for one that was a
    // quarter off, and not at all for one that was half full.
    expect(fees).toEqual([875n, 766n, 671n, 754n, 848n, 848n, 901n, 845n])
  })

  it('the price that a transaction pays is that of its own block', async () => {
    const place = await workplace({ baseFeePerGas: 1_000n })
    await submit(place, sign(ALICE, { maxFeePerGas: 5_000n, maxPriorityFeePerGas: 7n }))
    await place.sequencer.blocks.mine()
    expect(place.chain.latest.block.receipts).toMatchObject([{ effectiveGasPrice: 882n }])
  })

  it('timestamps are whole seconds that never go back, whatever the clock does', async () => {
    const place = await workplace({ tickMs: 300 })
    const timestamps: bigint[] = []
    place.sequencer.listeners.on('sealed', ({ block }) => timestamps.push(block.header.timestamp))
    const { clock } = place.sequencer.marks.now
    for (let tick = 0; tick < 10; tick++) await place.sequencer.blocks.tick()
    // The clock alone is set back, as by a snapshot of another devnet.
    place.clock.restore(clock)
    for (let tick = 0; tick < 10; tick++) await place.sequencer.blocks.tick()
    expect(timestamps.length).toBeGreaterThan(15)
    expect(timestamps).toEqual([...timestamps].sort((a, b) => Number(a - b)))
  })

  it('time runs on from the first block’s, where that was given', async () => {
    const timestamp = 4_000_000_000
    await using devnet = await createDevnet({ rhythm: 'manual', timestamp, tickMs: 1_000 })
    const seen: bigint[] = []
    devnet.on('sealed', ({ block }) => seen.push(block.header.timestamp))
    await devnet.advance({ ms: 4_000 })
    expect(seen).toEqual([1n, 2n, 3n].map((seconds) => BigInt(timestamp) + seconds))
  })

  it('what was pre-confirmed is sealed with the same receipts and the same state', async () => {
    await withRandom(async (random) => {
      await using devnet = await createDevnet({ rhythm: 'manual', ticksPerBlock: 3 })
      const mixture = new Mixture(random, 'osaka', devnet.accounts)
      let last: Moment | undefined
      devnet.on('preconfirmed', (moment) => {
        last = moment
      })
      let compared = 0
      devnet.on('sealed', ({ block, state }) => {
        expect(block.receipts).toEqual(last!.block.receipts)
        expect(block.transactions).toEqual(last!.block.transactions)
        expect(state).toBe(last!.state)
        compared++
      })
      for (let i = 0; i < 30; i++) {
        for (let waiting = random.below(3); waiting > 0; waiting--) await send(devnet, await mixture.next())
        await devnet.tick()
      }
      expect(compared).toBe(9)
    })()
  })
})

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

describe('the interval', () => {
  const NOW = 1_800_000_000_000
  let place: Workplace | undefined

  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await place?.sequencer.stop()
  })

  /** An engine on which each transaction takes half a second. */
  const slow = engineAfter(() => new Promise((resolve) => setTimeout(resolve, 500)))

  /** A started sequencer, and how many milliseconds after its start it pre-confirmed. */
  async function started(engine = createEngine, onDefect?: (error: unknown) => void) {
    const started = await workplace({ rhythm: 'interval', engine, ...(onDefect && { onDefect }) })
    place = started
    const slices: (readonly [ms: number, transactions: number])[] = []
    started.sequencer.listeners.on('preconfirmed', (_, added) =>
      slices.push([Date.now() - NOW, added.length]),
    )
    started.sequencer.start()
    return { ...started, slices }
  }

  it('makes a tick every 200 ms', async () => {
    const { slices, chain, sequencer } = await started()
    await sequencer.submissions.submit(sign(ALICE))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(slices).toEqual([
      [200, 1],
      [400, 0],
      [600, 0],
      [800, 0],
      [1_000, 0],
    ])
    expect(chain.latest.block.header.number).toBe(4n)
  })

  it('is not queued twice by a tick that overruns, goes on after it, and makes up for nothing', async () => {
    const { slices, sequencer } = await started(slow)
    await sequencer.submissions.submit(sign(ALICE))
    await vi.advanceTimersByTimeAsync(300)
    // Comes while the tick of 200 still runs, and waits for the one after.
    const late = sequencer.submissions.submit(sign(BOB))
    await vi.advanceTimersByTimeAsync(1_500)
    expect(await late).toMatchObject({ kind: 'accepted' })
    // What is overdue is made at once, which for a timer is after 1 ms; then every 200 ms again.
    expect(slices).toEqual([
      [700, 1],
      [1_201, 1],
      [1_202, 0],
      [1_402, 0],
      [1_602, 0],
    ])
  })

  it('is shifted by ticks that are asked for and by time that is moved', async () => {
    const { slices, sequencer } = await started()
    await vi.advanceTimersByTimeAsync(100)
    await sequencer.blocks.tick()
    await vi.advanceTimersByTimeAsync(250)
    await sequencer.blocks.advance(140)
    await vi.advanceTimersByTimeAsync(60)
    expect(slices.map(([ms]) => ms)).toEqual([100, 300, 360])
  })

  it('goes on after a tick that broke, and tells what broke it', async () => {
    const onDefect = vi.fn()
    const { slices, chain } = await started(createEngine, onDefect)
    const broken = new Error('broken')
    vi.spyOn(chain, 'preconfirm').mockImplementationOnce(() => {
      throw broken
    })
    await vi.advanceTimersByTimeAsync(600)
    expect(onDefect.mock.calls).toEqual([[broken]])
    expect(slices.map(([ms]) => ms)).toEqual([400, 600])
  })

  it('ends when it is stopped, after the command that runs', async () => {
    const { slices, sequencer } = await started(slow)
    await sequencer.submissions.submit(sign(ALICE))
    await vi.advanceTimersByTimeAsync(200)
    const stopped = vi.fn()
    void sequencer.stop().then(stopped)
    await vi.advanceTimersByTimeAsync(100)
    expect(stopped).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(stopped).toHaveBeenCalled()
    expect(slices).toEqual([[700, 1]])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a devnet that is closed', () => {
  it('keeps no process alive, nor do its forks', async () => {
    const script = `
      import { createDevnet } from './src/index.ts'
      const devnet = await createDevnet({ tickMs: 20 })
      const fork = devnet.fork({ rhythm: 'interval' })
      const { url } = await devnet.listen({ port: 0 })
      await new Promise((resolve) => devnet.on('sealed', ({ block }) => block.header.number >= 3n && resolve()))
      await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' })
      await Promise.all([devnet.close(), fork.close()])
      console.log('closed')`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      cwd: new URL('../..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    const [code] = await once(child, 'exit')
    expect([said, code]).toEqual(['closed\n', 0])
  })
})

/** A command that gives the same whenever it is given in the same situation. */
function randomCommand(random: Random, sequencer: Workplace['sequencer']): () => Promise<unknown> {
  const signer = random.pick(PEOPLE)
  const value = random.bigint(60)
  const fee = BigInt(random.between(20, 40)) * GWEI
  const ms = random.between(1, 900)
  const creates = random.chance(0.3)
  const data = creationOf(assemble('STOP'), assemble(random.below(3), random.below(3), 'SSTORE'))
  return random.pick([
    () =>
      sequencer.submissions.submitNext(signer.address, (nonce) =>
        sign(signer, {
          nonce,
          value,
          maxPriorityFeePerGas: fee,
          ...(creates ? { to: undefined, data, gasLimit: 150_000n } : { to: BOB.address }),
        }),
      ),
    () => sequencer.blocks.tick(),
    () => sequencer.blocks.mine(),
    () => sequencer.blocks.seal(),
    () => sequencer.blocks.advance(ms),
  ])
}

/** Sends signed bytes, as a user would. */
async function send(devnet: Devnet, { raw }: Transaction): Promise<void> {
  await devnet.request({ method: 'eth_sendRawTransaction', params: [toHex(raw)] })
}
