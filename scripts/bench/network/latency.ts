/**
 * The first call of a purchase through an order book, whose three contracts read 40 slots, on a fork of a node that is
 * 50 ms away: its time and its round trips, beside anvil on the same node.
 */
import { Book } from '../../../fixtures/contracts/Book.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import type { Address, Hex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { spawnAnvil } from '../../anvil.ts'
import { ask } from '../../ask.ts'
import { emptyFolder } from '../../package/folders.ts'
import type { Question } from '../http/load.ts'
import { besideAnvil } from '../peers/anvil.ts'
import { type Goal, type Row, rowOf, type Thoroughness } from '../row.ts'
import { dataOf, deploy, send } from '../scenario.ts'
import { type SlowNode, slowNode } from './slowNode.ts'

const DELAY_MS = 50
const OFFERS = 16
const ETHER = 10n ** 18n

export async function* latency(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const rounds = thoroughness === 'full' ? 7 : 1
  await using network = await createDevnet({ rhythm: 'manual', chainId: 4_242 })
  const call = await withBook(network)
  const node = await slowNode(network, DELAY_MS)
  const question = { method: 'eth_call', params: [call, 'latest'] } as const
  await using folder = await emptyFolder()
  const cache = folder.path
  try {
    const withLists: Took[] = []
    const withoutLists: Took[] = []
    const second: Took[] = []
    const theirs: { cold: Took; warm: Took }[] = []
    await onFork({ url: node.url, cache }, node, question)
    for (let round = 0; round < rounds; round++) {
      withLists.push(await onFork({ url: node.url, cache: false }, node, question))
      node.lacks = new Set(['eth_createAccessList'])
      withoutLists.push(await onFork({ url: node.url, cache: false }, node, question))
      node.lacks = new Set()
      second.push(await onFork({ url: node.url, cache, block: await newest(network) }, node, question))
      const anvil = await onAnvil(node, question)
      if (anvil !== undefined) theirs.push(anvil)
    }
    const what = 'the first eth_call of a purchase, three contracts and 40 slots, 50 ms off'
    const cold = theirs.map(({ cold }) => cold)
    const warm = theirs.map(({ warm }) => warm)
    yield* rowsOf(`${what}, with eth_createAccessList`, withLists, cold, 4)
    yield* rowsOf(`${what}, without it`, withoutLists, cold, 8)
    yield* rowsOf('the same in the second devnet of the process', second, warm, 0)
  } finally {
    await node.close()
  }
}

interface Took {
  readonly us: number
  readonly trips: number
}

/** The call on a new fork, without the fork's start. */
async function onFork(
  fork: NonNullable<DevnetOptions['fork']>,
  node: SlowNode,
  question: Question,
): Promise<Took> {
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  return await took(node, () => devnet.request(question as never))
}

async function onAnvil(node: SlowNode, question: Question): Promise<{ cold: Took; warm: Took } | undefined> {
  await using anvil = await spawnAnvil(['--fork-url', node.url, '--no-storage-caching', '--no-mining'])
  if (anvil === undefined) return undefined
  const once = () => took(node, () => ask(anvil.url, question.method, question.params))
  // The connection to it, and its own requests at its start, are not counted.
  await ask(anvil.url, 'eth_chainId')
  return { cold: await once(), warm: await once() }
}

async function took(node: SlowNode, work: () => Promise<unknown>): Promise<Took> {
  const before = node.exchanges
  const start = performance.now()
  await work()
  return { us: (performance.now() - start) * 1000, trips: node.exchanges - before }
}

function* rowsOf(
  what: string,
  ours: readonly Took[],
  theirs: readonly Took[],
  mostTrips: number,
): Generator<Row> {
  const us = (all: readonly Took[]) => all.map((one) => one.us)
  const trips = (all: readonly Took[]) => all.map((one) => one.trips)
  const isCold = mostTrips > 0
  const name = isCold ? 'anvil --fork-url' : 'anvil, the second eth_call'
  const goal: Goal | undefined = isCold ? { ratioAtMost: 1 / 5 } : undefined
  yield rowOf(what, us(ours), { peer: besideAnvil(us(ours), us(theirs), name), goal })
  const peer = isCold ? besideAnvil(trips(ours), trips(theirs), name) : undefined
  yield rowOf('its round trips', trips(ours), { unit: 'times', peer, goal: { eachAtMost: mostTrips } })
}

async function newest(network: Devnet): Promise<number> {
  return Number(await network.request({ method: 'eth_blockNumber' }))
}

/** Deploys the book with its tokens and offers. Returns a call that buys all of them. */
export async function withBook(network: Devnet): Promise<{ from: Address; to: Address; data: Hex }> {
  const [owner, buyer] = network.accounts.map(({ address }) => address.toLowerCase() as Address)
  const gold = await deploy(network, Token, ['Gold', 'GOLD'])
  const silver = await deploy(network, Token, ['Silver', 'SILVER'])
  const book = await deploy(network, Book, [gold, silver])
  const total = BigInt(OFFERS) * ETHER
  const sent = (from: Address, to: Address, data: Hex) => send(network, { from, to, data, gas: 300_000 })
  await sent(owner!, gold, dataOf(Token, 'mint', [buyer, 2n * total]))
  await sent(owner!, silver, dataOf(Token, 'mint', [owner, total]))
  await sent(owner!, silver, dataOf(Token, 'approve', [book, total]))
  await sent(buyer!, gold, dataOf(Token, 'approve', [book, 2n * total]))
  await network.mine()
  for (let i = 0; i < OFFERS; i++) {
    await sent(owner!, book, dataOf(Book, 'offer', [ETHER + BigInt(i), ETHER]))
  }
  await network.mine()
  return { from: buyer!, to: book, data: dataOf(Book, 'buy', [total]) }
}
