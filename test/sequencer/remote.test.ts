import { describe, expect, it } from 'vitest'
import type { Hash } from '../../src/bytes/hex.ts'
import { type Address, toWord } from '../../src/bytes/hex.ts'
import type { Moment } from '../../src/chain/moment.ts'
import type { Transaction } from '../../src/model/transaction/transaction.ts'
import type { DropReason } from '../../src/sequencer/events.ts'
import { readTogether } from '../../src/state/fetchingView.ts'
import { FetchFailed } from '../../src/state/remoteState.ts'
import { type AccountChange, State } from '../../src/state/state.ts'
import { whenFetched } from '../../src/state/whenFetched.ts'
import { RemoteTwin } from '../support/chains/remoteStates.ts'
import { ALICE, BOB, PEOPLE, type Workplace, workplace } from '../support/chains/sequencers.ts'
import { sign } from '../support/chains/signing.ts'
import { assemble } from '../support/compilers/assembly.ts'
import { type Random, withRandom } from '../support/random/random.ts'

const COUNTER: Address = `0x${'c0'.repeat(20)}`
const NOBODY: Address = `0x${'ab'.repeat(20)}`
/** Adds one to the slot that the calldata names, and logs the sum. */
const COUNTER_ACCOUNT: AccountChange = {
  address: COUNTER,
  nonce: 1n,
  code: assemble(
    ...([1, 0, 'CALLDATALOAD', 'SLOAD', 'ADD', 'DUP1', 0, 'CALLDATALOAD', 'SSTORE'] as const),
    ...([0, 'MSTORE', 32, 0, 'LOG0'] as const),
  ),
  storage: Array.from({ length: 20 }, (_, slot) => [BigInt(slot), 100n] as const),
}

interface ForkedPlace extends Workplace {
  readonly remote: RemoteTwin
  readonly dropped: (readonly [Hash, DropReason])[]
}

/** A chain whose first state stands on a remote one, which has people with ether and a counter. */
async function forked(wishes: Parameters<typeof workplace>[0] = {}): Promise<ForkedPlace> {
  let remote: RemoteTwin | undefined
  const place = await workplace({
    ...wishes,
    first(usual) {
      const state = usual.state.with([COUNTER_ACCOUNT])
      remote = new RemoteTwin(state)
      return { ...usual, state: State.on(remote, state.root()) }
    },
  })
  const dropped: (readonly [Hash, DropReason])[] = []
  place.sequencer.listeners.on('dropped', ({ hash }, reason) => dropped.push([hash, reason]))
  return { ...place, remote: remote!, dropped }
}

/** The same without a remote state. */
function plain(wishes: Parameters<typeof workplace>[0] = {}): Promise<Workplace> {
  return workplace({
    ...wishes,
    first: (usual) => ({ ...usual, state: usual.state.with([COUNTER_ACCOUNT]) }),
  })
}

const count = (signer: typeof ALICE, nonce: bigint, slot: bigint): Transaction =>
  sign(signer, { nonce, to: COUNTER, data: toWord(slot), gasLimit: 100_000n })

/** Makes the remote state reject what `isFaulty` returns true for. */
function failing(remote: RemoteTwin, isFaulty: (asked: string) => boolean): void {
  remote.beforeAnswer = ({ values }) => {
    const asked = values.map((value) => ('slot' in value ? `slot ${value.slot}` : 'other'))
    if (asked.some(isFaulty)) throw new Error('no network')
  }
}

const hashes = ({ block }: Moment): Hash[] => block.transactions.map(({ hash }) => hash)

describe('a tick on a state of which nothing was fetched', () => {
  it('waits for what it needs, while readers are answered and commands wait', async () => {
    const { sequencer, chain, remote, pool } = await forked()
    const sent = count(ALICE, 0n, 3n)
    await sequencer.submissions.submit(sent)
    let answer = () => {}
    remote.beforeAnswer = () => new Promise<void>((resolve) => (answer = resolve))
    const tick = sequencer.blocks.tick()
    let isNext = false
    const next = sequencer.marks.snapshot().then(() => (isNext = true))
    await new Promise((resolve) => setTimeout(resolve))
    // Nothing is published in between.
    expect([chain.open, chain.latest.block.header.number, pool.size, isNext]).toEqual([
      undefined,
      0n,
      1,
      false,
    ])
    remote.beforeAnswer = () => {}
    answer()
    await tick
    await next
    expect(hashes(chain.pending)).toEqual([sent.hash])
    expect(chain.pending.block.receipts[0]!.logs[0]!.data).toEqual(toWord(101n))
  })

  it('fetches nothing for what was fetched before, block after block, with all system contracts', async () => {
    const { sequencer, chain, remote } = await forked({ systemContracts: true, ticksPerBlock: 0 })
    await sequencer.submissions.submit(count(ALICE, 0n, 3n))
    await sequencer.blocks.mine()
    const before = remote.questions.length
    for (let nonce = 1n; nonce < 20n; nonce++) {
      await sequencer.submissions.submit(count(ALICE, nonce, 3n))
      await sequencer.blocks.mine()
    }
    expect(chain.latest.block.header.number).toBe(20n)
    expect(remote.questions.length).toBe(before)
  })

  it('fetches for the first block in few rounds', async () => {
    const { sequencer, remote } = await forked({ systemContracts: true, ticksPerBlock: 0 })
    await sequencer.submissions.submit(count(ALICE, 0n, 3n))
    remote.questions.length = 0
    await sequencer.blocks.mine()
    // The accounts of system contracts; the transaction's accounts, its slot; two contracts of requests.
    expect(remote.questions.length).toBeLessThanOrEqual(5)
  })
})

describe('what cannot be fetched', () => {
  it('leaves its transaction in the pool; others are pre-confirmed, the tick says so, and a later one includes it', async () => {
    const { sequencer, chain, remote, pool, dropped } = await forked()
    const [stuck, after, other] = [count(ALICE, 0n, 3n), count(ALICE, 1n, 4n), count(BOB, 0n, 5n)]
    for (const each of [stuck, after, other]) await sequencer.submissions.submit(each)
    failing(remote, (asked) => asked === 'slot 3')
    await expect(sequencer.blocks.tick()).rejects.toThrow(FetchFailed)
    expect(hashes(chain.pending)).toEqual([other.hash])
    expect([pool.size, dropped]).toEqual([2, []])
    remote.beforeAnswer = () => {}
    await sequencer.blocks.tick()
    expect(hashes(chain.pending)).toEqual([stuck.hash, after.hash])
  })

  it('rejects what mines for it, which makes no block; the transaction waits for the next', async () => {
    const { sequencer, chain, remote, pool } = await forked({ rhythm: 'instant', ticksPerBlock: 0 })
    await sequencer.steering.overrideNext({ gasLimit: 20_000_000n })
    failing(remote, (asked) => asked === 'slot 3')
    const sent = count(ALICE, 0n, 3n)
    await expect(sequencer.submissions.submit(sent)).rejects.toThrow('no network')
    expect([chain.latest.block.header.number, pool.size]).toEqual([0n, 1])
    remote.beforeAnswer = () => {}
    await sequencer.blocks.mine()
    expect(hashes(chain.latest)).toEqual([sent.hash])
    // What was set for the next block is that block's.
    expect(chain.latest.block.header.gasLimit).toBe(20_000_000n)
    await sequencer.blocks.mine()
    expect(chain.latest.block.header.number).toBe(2n)
  })

  it('of the end of a block leaves the block open, and what was set for the next one to it', async () => {
    const { sequencer, chain, remote } = await forked({ systemContracts: true, ticksPerBlock: 0 })
    await sequencer.submissions.submit(sign(ALICE, { to: BOB.address, value: 1n }))
    await sequencer.steering.overrideNext({ gasLimit: 20_000_000n })
    failing(remote, (asked) => asked.startsWith('slot'))
    await expect(sequencer.blocks.mine()).rejects.toThrow(FetchFailed)
    expect(chain.latest.block.header.number).toBe(0n)
    remote.beforeAnswer = () => {}
    await sequencer.blocks.mine()
    expect(chain.latest.block).toMatchObject({ header: { number: 1n, gasLimit: 20_000_000n } })
    expect(chain.latest.block.transactions).toHaveLength(1)
  })

  it('rejects a submission before it is accepted', async () => {
    const { sequencer, remote, pool } = await forked()
    remote.beforeAnswer = () => {
      throw new Error('no network')
    }
    await expect(sequencer.submissions.submit(count(ALICE, 0n, 3n))).rejects.toThrow(FetchFailed)
    expect(pool.size).toBe(0)
  })
})

describe('cheats on a state of which nothing was fetched', () => {
  it('change accounts that were not fetched, all of which are fetched in one round', async () => {
    const { sequencer, chain, remote } = await forked()
    await sequencer.steering.changeAccounts(() => [
      { address: ALICE.address, balance: 1n },
      { address: NOBODY, balance: 2n },
      { address: COUNTER, storage: [[3n, 0n]] },
    ])
    expect(remote.questions).toHaveLength(1)
    const { state } = chain.latest
    expect([state.account(ALICE.address), state.account(NOBODY)]).toMatchObject([
      { balance: 1n },
      { balance: 2n },
    ])
    expect(state.storage(COUNTER, 3n)).toBe(0n)
  })
})

describe('a chain on a remote state', () => {
  it(
    'does what one in memory does, through reorgs and snapshots, whatever fails to be fetched',
    withRandom(async (random) => {
      for (let story = 0; story < 8; story++) {
        const wishes = { systemContracts: true, ticksPerBlock: random.pick([0, 1, 3]) }
        const [here, there] = [await plain(wishes), await forked(wishes)]
        const fails = { chance: 0.3, count: 0 }
        there.remote.beforeAnswer = () => {
          if (!random.chance(fails.chance)) return
          fails.count++
          throw new Error('no network')
        }
        const sent: Transaction[] = []
        for (let step = 0; step < 40; step++) await doOnBoth(random, here, there, sent)
        expect(fails.count).toBeGreaterThan(0)
        fails.chance = 0
        // Without faults everything that waits gets in.
        for (const place of [here, there]) while (place.pool.size > 0) await place.sequencer.blocks.mine()
        expect(there.dropped.filter(([, { kind }]) => kind !== 'reorged')).toEqual([])
        expect(await contentOf(there)).toEqual(await contentOf(here))
      }
    }),
  )
})

/** Does the same on both, on the forked one until it succeeds: what failed has changed nothing. */
async function doOnBoth(
  random: Random,
  here: Workplace,
  there: ForkedPlace,
  sent: Transaction[],
): Promise<void> {
  const choice = random.below(10)
  if (choice < 6) {
    const signer = random.pick(PEOPLE)
    const nonce = BigInt(sent.filter(({ from }) => from === signer.address).length)
    const transaction = count(signer, nonce, BigInt(random.below(20)))
    sent.push(transaction)
    await here.sequencer.submissions.submit(transaction)
    await untilDone(() => there.sequencer.submissions.submit(transaction))
  } else if (choice < 9) {
    for (const { sequencer } of [here, there]) await sequencer.blocks.tick().catch(onlyFetches)
  } else {
    for (const { sequencer, chain } of [here, there]) {
      if (chain.removable > 0) {
        await sequencer.blocks.reorg({ depth: 1, transactions: 'keep' } as const).catch(onlyFetches)
      }
    }
  }
}

async function untilDone(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await act()
      return
    } catch (error) {
      onlyFetches(error)
    }
  }
}

function onlyFetches(error: unknown): void {
  if (!(error instanceof FetchFailed)) throw error
}

/** What all transactions together have made: the order of senders differs where one had to wait. */
async function contentOf({ chain }: Workplace) {
  const { state } = chain.tip
  return await whenFetched(() =>
    readTogether(state, (view) => [
      PEOPLE.map(({ address }) => view.account(address)?.nonce),
      COUNTER_ACCOUNT.storage && [...COUNTER_ACCOUNT.storage].map(([slot]) => view.storage(COUNTER, slot)),
    ]),
  )
}
