/**
 * Whether a cost grows with the size of the chain: each is measured with a thousand accounts and with a million, after a
 * hundred blocks and after a hundred thousand, by turns.
 *
 * Accounts and blocks are drawn from the whole chain, in an order that no cache foresees: "any account" of a million is one
 * that was not read lately. Rows that read the same few again and again say so.
 */
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Address, Hex } from '../../src/bytes/hex.ts'
import { initialChainState } from '../../src/chain/chain.ts'
import { History } from '../../src/chain/history.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { hashHeader } from '../../src/model/block/header.ts'
import { Client, type Question, single } from './http/load.ts'
import { contest, type Effort, type Work } from './measure.ts'
import { beside, type Goal, type Row, raced, rowOf, type Thoroughness } from './row.ts'
import { addressOf, dataOf, deploy, endow, quantity, send, topicOf } from './scenario.ts'
import { count } from './table.ts'

const SAME: Goal = { ratioAtMost: 1.5 }
const SHORT_AND_SAME: Goal = { below: 50, ...SAME }

/** Odd, and so without a common factor with the sizes, which are powers of ten: steps through all of them. */
const STRIDE = 7_919

/** Requests over HTTP, which each round sends to the client's process first. */
const PREPARED_OVER_HTTP = 5_000

const SIZES = {
  full: {
    accounts: { large: 1_000_000, small: 1_000 },
    blocks: { large: 100_000, small: 100 },
    effort: { rounds: 11, roundMs: 60 },
    // More than the state remembers the hashed keys of (see hashedKey.ts), or all of a million accounts would have been read lately.
    prepared: 200_000,
  },
  quick: {
    accounts: { large: 20_000, small: 1_000 },
    blocks: { large: 1_000, small: 100 },
    effort: { rounds: 2, roundMs: 3 },
    prepared: 5_000,
  },
} as const

export default async function* growth(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { accounts, blocks, ...how } = SIZES[thoroughness]
  yield* compared({ noun: 'accounts', ...accounts, ...how }, withAccounts, ACCOUNT_QUESTIONS, ACCOUNT_WORKS)
  yield* compared({ noun: 'blocks', ...blocks, ...how }, withBlocks, BLOCK_QUESTIONS, BLOCK_WORKS)
}

interface Sizes {
  readonly noun: string
  readonly large: number
  readonly small: number
  readonly effort: Effort
  /** Requests made beforehand, so that only the answer is measured. */
  readonly prepared: number
}

type Questions<Side> = readonly (readonly [
  /** Begins with the method. */
  what: string,
  params: (side: Side, i: number) => unknown[],
  alsoOverHttp?: 'also over HTTP',
])[]

type Works<Side> = readonly (readonly [what: string, work: (side: Side) => Work, goal?: Goal])[]

async function* compared<Side extends { readonly devnet: Devnet }>(
  { noun, large, small, effort, prepared }: Sizes,
  make: (size: number) => Promise<Side>,
  questions: Questions<Side>,
  works: Works<Side>,
): AsyncGenerator<Row> {
  const sides = [await make(large), await make(small)] as const
  const peer = `the same with ${count(small)} ${noun}`
  const race = (what: string, work: (side: Side) => Work, goal: Goal | undefined) =>
    raced(`${what}, ${count(large)} ${noun}`, work(sides[0]), peer, work(sides[1]), effort, goal)
  for (const [what, params, alsoOverHttp] of questions) {
    const [method] = what.match(/^\w+/)!
    const question = (side: Side, i: number): Question => ({ method, params: params(side, i) })
    const asking = (side: Side): Work => {
      const requests = Array.from({ length: prepared }, (_, i) => question(side, i))
      // Each round goes on where the last one ended.
      let asked = 0
      return () => side.devnet.request(requests[asked++ % prepared]!)
    }
    yield await race(what, asking, SAME)
    if (alsoOverHttp) {
      const [ours, theirs] = await timesOverHttp(sides, question, effort)
      const name = `${what} over HTTP, ${count(large)} ${noun}`
      yield rowOf(name, ours, { peer: beside(peer, ours, theirs), goal: SAME })
    }
  }
  for (const [what, work, goal] of works) yield await race(what, work, goal)
}

/** Microseconds of each round for each of both sides, one request at a time. */
async function timesOverHttp<Side extends { readonly devnet: Devnet }>(
  sides: readonly [Side, Side],
  question: (side: Side, i: number) => Question,
  { rounds, roundMs }: Effort,
): Promise<[number[], number[]]> {
  using client = new Client()
  const listeners = await Promise.all(sides.map(({ devnet }) => devnet.listen({ port: 0 })))
  const contenders = sides.map((side, index) => {
    const bodies = Array.from({ length: PREPARED_OVER_HTTP }, (_, i) => single(question(side, i)))
    return client.time({ url: listeners[index]!.url, bodies, until: { ms: roundMs } })
  })
  const times = await contest(contenders, rounds)
  for (const { close } of listeners) await close()
  return times as [number[], number[]]
}

interface WithAccounts {
  readonly devnet: Devnet
  readonly size: number
}

/**
 * A devnet with `size` funded accounts (`addressOf`) beside its own, as if they were in the genesis: `createDevnet` makes only accounts
 * whose keys it has.
 */
async function withAccounts(size: number): Promise<WithAccounts> {
  const devnet = await createDevnet({ rhythm: 'manual' })
  const snapshot = devnet.snapshot()
  const { mark } = snapshot
  const { block, state: before } = mark.chain.history.latest
  const state = before.with(
    Array.from({ length: size }, (_, i) => ({ address: addressOf(i), balance: BigInt(i + 1) })),
  )
  const header = { ...block.header, stateRoot: state.root() }
  const history = History.of({ state, block: { ...block, header, hash: hashHeader(header) } })
  await devnet.restore({ ...snapshot, mark: { ...mark, chain: initialChainState(history) } })
  return { devnet, size }
}

interface WithBlocks {
  readonly devnet: Devnet
  readonly token: Address
  /** Numbers of the first and the last block with a transfer. */
  readonly first: number
  readonly last: number
  /** Hashes of some of the transfers, spread over the chain. */
  readonly transactions: readonly Hex[]
}

/** Recipients, in turn: the same number at any length, so that the state does not grow with the chain. */
const HOLDERS = 100

const SAMPLES = 1_000

/** A chain of `count` blocks, each with a transfer of a token and its log. */
async function withBlocks(count: number): Promise<WithBlocks> {
  const devnet = await createDevnet({ rhythm: 'manual', logRangeLimit: 0 })
  const token = await deploy(devnet, Token, ['Gold', 'GOLD'])
  await endow(devnet, token)
  const first = 1 + Number(await devnet.request({ method: 'eth_blockNumber' }))
  const transactions: Hex[] = []
  for (let i = 0; i < count; i++) {
    const data = dataOf(Token, 'transfer', [holder(i), 1n])
    const hash = await send(devnet, { from: account(devnet, i), to: token, data, gas: 80_000 })
    if (i % Math.ceil(count / SAMPLES) === 0) transactions.push(hash as Hex)
    await devnet.mine()
  }
  return { devnet, token, first, last: first + count - 1, transactions }
}

function account({ accounts }: Devnet, i: number): Address {
  return accounts[i % accounts.length]!.address
}

function holder(i: number): Address {
  return addressOf(i % HOLDERS)
}

function anyAccount({ size }: WithAccounts, i: number): Address {
  return addressOf((i * STRIDE) % size)
}

function anyBlock({ first, last }: WithBlocks, i: number): number {
  return first + ((i * STRIDE) % (last - first + 1))
}

function anyAtLatest(side: WithAccounts, i: number): unknown[] {
  return [anyAccount(side, i), 'latest']
}

const ACCOUNT_QUESTIONS: Questions<WithAccounts> = [
  ['eth_getBalance of 100 accounts', (_, i) => [addressOf((i * STRIDE) % 100), 'latest']],
  ['eth_getBalance of any account', anyAtLatest, 'also over HTTP'],
  ['eth_getTransactionCount of any account', anyAtLatest],
  ['eth_getCode of any account', anyAtLatest],
  [
    'eth_call with any account',
    (side, i) => [{ to: anyAccount(side, i), from: anyAccount(side, i), value: '0x1' }, 'latest'],
  ],
  [
    'eth_estimateGas of a transfer to any account',
    (side, i) => [{ to: anyAccount(side, i), value: '0x0' }, 'latest'],
  ],
]

const ACCOUNT_WORKS: Works<WithAccounts> = [
  ['an empty tick', doing((devnet) => devnet.tick()), SAME],
  ['10 transfers to 100 accounts, mine()', transferring((_, i) => addressOf(i % 100)), SAME],
  ['10 transfers to any accounts, mine()', transferring(anyAccount), SAME],
  ['fork()', doing((devnet) => devnet.fork()), SHORT_AND_SAME],
  ['snapshot()', doing((devnet) => devnet.snapshot()), SHORT_AND_SAME],
  [
    'restore()',
    ({ devnet }) => {
      // Two snapshots that differ in every part, in turn.
      const places = [devnet.snapshot(), devnet.fork().snapshot()]
      return (i) => devnet.restore(places[i & 1]!)
    },
    SHORT_AND_SAME,
  ],
  [
    'fork(), a transfer, mine()',
    doing(async (devnet) => {
      const child = devnet.fork()
      await send(child, { from: account(child, 0), to: account(child, 1), value: 1n, gas: 21_000 })
      await child.mine()
    }),
  ],
  [
    'eth_getBalance in a fork of 100 forks',
    ({ devnet }) => {
      let child = devnet
      for (let i = 0; i < 100; i++) child = child.fork()
      const params = Array.from({ length: 100 }, (_, i) => [addressOf(i * 7), 'latest'] as const)
      return (i) => child.request({ method: 'eth_getBalance', params: params[i % 100]! })
    },
  ],
]

const BLOCK_QUESTIONS: Questions<WithBlocks> = [
  ['eth_getBalance at latest', ({ devnet }, i) => [account(devnet, i), 'latest']],
  [
    'eth_getBalance at any block',
    (side, i) => [account(side.devnet, i), quantity(anyBlock(side, i))],
    'also over HTTP',
  ],
  [
    'eth_call: balanceOf at any block',
    (side, i) => {
      const data = dataOf(Token, 'balanceOf', [holder(i)])
      return [{ to: side.token, data }, quantity(anyBlock(side, i))]
    },
  ],
  ['eth_getBlockByNumber of any block', (side, i) => [quantity(anyBlock(side, i)), false]],
  [
    'eth_getTransactionReceipt of any transaction',
    ({ transactions }, i) => [transactions[(i * STRIDE) % transactions.length]],
  ],
  ['eth_getLogs of one holder in the last 100 blocks', (side, i) => transfersTo(side, i, side.last - 99)],
  [
    'eth_getLogs of one holder in any 100 blocks',
    (side, i) => transfersTo(side, i, Math.max(side.first, Math.min(anyBlock(side, i), side.last - 99))),
  ],
  [
    'eth_getLogs without hits in all blocks',
    ({ first, last }) => [
      { fromBlock: quantity(first), toBlock: quantity(last), address: addressOf(HOLDERS) },
    ],
  ],
]

const BLOCK_WORKS: Works<WithBlocks> = [
  ['fork()', doing((devnet) => devnet.fork()), SAME],
  ['snapshot() and restore()', doing((devnet) => devnet.restore(devnet.snapshot())), SAME],
  ['an empty tick', doing((devnet) => devnet.tick()), SAME],
  ['10 transfers, mine()', transferring((_, i) => addressOf(i % 100)), SAME],
]

/** A filter of the token's transfers to one of its holders in the 100 blocks from `from` on. */
function transfersTo({ token }: WithBlocks, i: number, from: number): unknown[] {
  const range = { fromBlock: quantity(from), toBlock: quantity(from + 99) }
  return [{ ...range, address: token, topics: [null, null, topicOf(holder(i))] }]
}

/** Does the same each time. */
function doing(act: (devnet: Devnet) => unknown): (side: { readonly devnet: Devnet }) => Work {
  return ({ devnet }) =>
    () =>
      act(devnet)
}

/** Ten transfers and their block. */
function transferring<Side extends { readonly devnet: Devnet }>(next: (side: Side, i: number) => Address) {
  return (side: Side): Work => {
    const { devnet } = side
    let sent = 0
    return async () => {
      for (const { address } of devnet.accounts) {
        await send(devnet, { from: address, to: next(side, sent++), value: 1n, gas: 21_000 })
      }
      await devnet.mine()
    }
  }
}
