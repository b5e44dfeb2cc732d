/**
 * Whether a cost grows with the size of the chain: each is measured with a thousand accounts and with a million, after a
 * hundred blocks and after a hundred thousand, by turns.
 *
 * Accounts and blocks are drawn from the whole chain, in an order that no cache foresees: "any account" of a million is one
 * that was not read lately. Rows that read the same few again and again say so.
 */
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Devnet } from '../../src/index.ts'
import { HOLDERS, type LongChain, withAccounts, withBlocks } from './grown.ts'
import { Client, type Question, single } from './http/load.ts'
import { contest, type Effort, type Work } from './measure.ts'
import { beside, type Goal, type Measured, type Row, raced, rowOf, type Thoroughness } from './row.ts'
import { addressOf, dataOf, quantity, topicOf } from './scenario.ts'
import { count } from './table.ts'

const SAME: Goal = { kind: 'ratioAtMost', ratio: 1.5 }
const SHORT: Goal = { kind: 'under', microseconds: 50 }

/** Odd, and so without a common factor with the sizes, which are powers of ten: steps through all of them. */
const STRIDE = 7_919

/** Requests over HTTP, which each round sends to the client's process first. */
const PREPARED_OVER_HTTP = 5_000

export async function* growth(thoroughness: Thoroughness): AsyncGenerator<Row> {
  if (thoroughness === 'full') {
    const how = { effort: { rounds: 11, roundMs: 60 }, prepared: 200_000 }
    yield* byAccounts({ large: 1_000_000, small: 1_000, ...how })
    yield* byBlocks({ large: 100_000, small: 100, ...how })
  } else {
    const how = { effort: { rounds: 2, roundMs: 3 }, prepared: 5_000 }
    yield* byAccounts({ large: 20_000, small: 1_000, ...how })
    yield* byBlocks({ large: 1_000, small: 100, ...how })
  }
}

interface Sizes {
  readonly large: number
  readonly small: number
  readonly effort: Effort
  /**
   * Requests made beforehand, so that only the answer is measured. More than the state remembers the hashed keys of
   * (see hashedKey.ts), or none of a million accounts would be one that was not read lately.
   */
  readonly prepared: number
}

/** Two chains of different sizes. */
interface Pair<Side> {
  readonly large: Side
  readonly small: Side
  readonly names: { readonly large: string; readonly small: string }
  readonly effort: Effort
}

function compare<Side>(
  { large, small, names, effort }: Pair<Side>,
  what: string,
  work: (side: Side) => Work,
  goals: readonly Goal[] = [SAME],
): Promise<Measured> {
  return raced(
    `${what}, ${names.large}`,
    work(large),
    `the same with ${names.small}`,
    work(small),
    effort,
    goals,
  )
}

/** The same over HTTP, one request at a time. */
async function compareOverHttp<Side extends { readonly devnet: Devnet }>(
  { large, small, names, effort }: Pair<Side>,
  what: string,
  question: (side: Side, i: number) => Question,
): Promise<Measured> {
  const client = new Client()
  const sides = [large, small]
  const listeners = await Promise.all(sides.map(({ devnet }) => devnet.listen({ port: 0 })))
  try {
    const contenders = sides.map((side, index) => {
      const bodies = Array.from({ length: PREPARED_OVER_HTTP }, (_, i) => single(question(side, i)))
      const { url } = listeners[index]!
      return client.time({ url, bodies, connections: 1, until: { ms: effort.roundMs } })
    })
    const [own, other] = (await contest(contenders, effort.rounds)) as [number[], number[]]
    const peer = beside(`the same with ${names.small}`, own, other)
    return rowOf(`${what} over HTTP, ${names.large}`, 'microseconds', own, peer, [SAME])
  } finally {
    client.close()
    for (const { close } of listeners) await close()
  }
}

/** Sends one prepared request after the other, and goes on in each round where the last one ended. */
function inTurn(devnet: Devnet, prepared: number, question: (i: number) => Question): Work {
  const questions = Array.from({ length: prepared }, (_, i) => question(i))
  let asked = 0
  return () => devnet.request(questions[asked++ % prepared]!)
}

/** Sends ten transfers to the accounts with the numbers `next`, and seals them. */
function transferring(devnet: Devnet, next: (i: number) => number): Work {
  const senders = devnet.accounts.map(({ address }) => address)
  let sent = 0
  return async () => {
    for (const from of senders) {
      const params = [{ from, to: addressOf(next(sent++)), value: '0x1', gas: quantity(21_000) }] as const
      await devnet.request({ method: 'eth_sendTransaction', params })
    }
    await devnet.mine()
  }
}

interface World {
  readonly devnet: Devnet
  readonly size: number
}

async function* byAccounts({ large, small, effort, prepared }: Sizes): AsyncGenerator<Row> {
  const world = async (size: number): Promise<World> => ({ devnet: await withAccounts(size), size })
  const names = { large: `${count(large)} accounts`, small: `${count(small)} accounts` }
  const worlds: Pair<World> = { large: await world(large), small: await world(small), names, effort }
  const balanceOf = (i: number) => [addressOf(i), 'latest']
  const questions: readonly [what: string, method: string, params: (account: number) => unknown[]][] = [
    ['eth_getBalance of 100 accounts', 'eth_getBalance', (i) => balanceOf(i % 100)],
    ['eth_getBalance of any account', 'eth_getBalance', balanceOf],
    ['eth_getTransactionCount of any account', 'eth_getTransactionCount', balanceOf],
    ['eth_getCode of any account', 'eth_getCode', balanceOf],
    [
      'eth_call with any account',
      'eth_call',
      (i) => [{ to: addressOf(i), from: addressOf(i), value: '0x1' }, 'latest'],
    ],
    [
      'eth_estimateGas of a transfer to any account',
      'eth_estimateGas',
      (i) => [{ to: addressOf(i), value: '0x0' }, 'latest'],
    ],
  ]
  for (const [what, method, params] of questions) {
    yield await compare(worlds, what, ({ devnet, size }) =>
      inTurn(devnet, prepared, (i) => ({ method, params: params((i * STRIDE) % size) })),
    )
  }
  yield await compareOverHttp(worlds, 'eth_getBalance of any account', ({ size }, i) => ({
    method: 'eth_getBalance',
    params: balanceOf((i * STRIDE) % size),
  }))
  const ticking =
    ({ devnet }: World): Work =>
    () =>
      devnet.tick()
  yield await compare(worlds, 'an empty tick', ticking)
  yield await compare(worlds, '10 transfers to 100 accounts, mine()', ({ devnet }) =>
    transferring(devnet, (i) => i % 100),
  )
  yield await compare(worlds, '10 transfers to any accounts, mine()', ({ devnet, size }) =>
    transferring(devnet, (i) => (i * STRIDE) % size),
  )
  yield* ofForks(worlds)
}

/** Forks, snapshots and restores. */
async function* ofForks(worlds: Pair<World>): AsyncGenerator<Row> {
  const both = [SHORT, SAME]
  const forking =
    ({ devnet }: World): Work =>
    () =>
      devnet.fork()
  yield await compare(worlds, 'fork()', forking, both)
  const taking =
    ({ devnet }: World): Work =>
    () =>
      devnet.snapshot()
  yield await compare(worlds, 'snapshot()', taking, both)
  const restoring = ({ devnet }: World): Work => {
    // Two snapshots that differ in every part, in turn.
    const places = [devnet.snapshot(), devnet.fork().snapshot()]
    return (i) => devnet.restore(places[i & 1]!)
  }
  yield await compare(worlds, 'restore()', restoring, both)
  const forkAndMine = ({ devnet }: World): Work => {
    const [from, to] = devnet.accounts.map(({ address }) => address)
    const params = [{ from, to, value: '0x1', gas: quantity(21_000) }] as const
    return async () => {
      const child = devnet.fork()
      await child.request({ method: 'eth_sendTransaction', params })
      await child.mine()
    }
  }
  yield await compare(worlds, 'fork(), a transfer, mine()', forkAndMine, [])
  const inDeepFork = ({ devnet }: World): Work => {
    let child = devnet
    for (let i = 0; i < 100; i++) child = child.fork()
    const params = Array.from({ length: 100 }, (_, i) => [addressOf(i * 7), 'latest'] as const)
    return (i) => child.request({ method: 'eth_getBalance', params: params[i % 100]! })
  }
  yield await compare(worlds, 'eth_getBalance in a fork of 100 forks', inDeepFork, [])
}

async function* byBlocks({ large, small, effort, prepared }: Sizes): AsyncGenerator<Row> {
  const names = { large: `${count(large)} blocks`, small: `${count(small)} blocks` }
  const chains = { large: await withBlocks(large), small: await withBlocks(small), names, effort }
  const any = ({ first, last }: LongChain, i: number) => first + ((i * STRIDE) % (last - first + 1))
  const holder = (i: number) => addressOf(i % HOLDERS)
  const balanceOf = (i: number) => dataOf(Token, 'balanceOf', [holder(i)])
  const transfersTo = (i: number) => [null, null, topicOf(holder(i))]
  const account = ({ devnet }: LongChain, i: number) => devnet.accounts[i % 10]!.address
  type Params = (chain: LongChain, block: number, i: number) => unknown[]
  const questions: readonly [what: string, method: string, params: Params][] = [
    ['eth_getBalance at latest', 'eth_getBalance', (chain, _, i) => [account(chain, i), 'latest']],
    [
      'eth_getBalance at any block',
      'eth_getBalance',
      (chain, block, i) => [account(chain, i), quantity(block)],
    ],
    [
      'eth_call: balanceOf at any block',
      'eth_call',
      ({ token }, block, i) => [{ to: token, data: balanceOf(i) }, quantity(block)],
    ],
    ['eth_getBlockByNumber of any block', 'eth_getBlockByNumber', (_, block) => [quantity(block), false]],
    [
      'eth_getTransactionReceipt of any transaction',
      'eth_getTransactionReceipt',
      ({ transactions }, _, i) => [transactions[(i * STRIDE) % transactions.length]],
    ],
    [
      'eth_getLogs of one holder in the last 100 blocks',
      'eth_getLogs',
      ({ token, last }, _, i) => [
        { fromBlock: quantity(last - 99), toBlock: quantity(last), address: token, topics: transfersTo(i) },
      ],
    ],
    [
      'eth_getLogs of one holder in any 100 blocks',
      'eth_getLogs',
      ({ token, first, last }, block, i) => {
        const from = Math.max(first, Math.min(block, last - 99))
        const range = { fromBlock: quantity(from), toBlock: quantity(from + 99) }
        return [{ ...range, address: token, topics: transfersTo(i) }]
      },
    ],
    [
      'eth_getLogs without hits in all blocks',
      'eth_getLogs',
      ({ first, last }) => [
        { fromBlock: quantity(first), toBlock: quantity(last), address: addressOf(HOLDERS) },
      ],
    ],
  ]
  for (const [what, method, params] of questions) {
    yield await compare(chains, what, (chain) =>
      inTurn(chain.devnet, prepared, (i) => ({ method, params: params(chain, any(chain, i), i) })),
    )
  }
  yield await compareOverHttp(chains, 'eth_getBalance at any block', (chain, i) => ({
    method: 'eth_getBalance',
    params: [account(chain, i), quantity(any(chain, i))],
  }))
  const works: readonly [what: string, work: (devnet: Devnet) => unknown][] = [
    ['fork()', (devnet) => devnet.fork()],
    ['snapshot() and restore()', (devnet) => devnet.restore(devnet.snapshot())],
    ['an empty tick', (devnet) => devnet.tick()],
  ]
  for (const [what, work] of works) {
    yield await compare(chains, what, (chain) => () => work(chain.devnet))
  }
  yield await compare(chains, '10 transfers, mine()', ({ devnet }) => transferring(devnet, (i) => i % 100))
}
