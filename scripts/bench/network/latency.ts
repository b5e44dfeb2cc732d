/**
 * The first call of a purchase through an order book, whose three contracts read 40 slots, on a fork of a node that is
 * 50 ms off: with what is fetched in one process, and how often the node is asked for it. Beside anvil on the same node.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Book } from '../../../fixtures/contracts/Book.ts'
import { Token } from '../../../fixtures/contracts/Token.ts'
import type { Address, Hex } from '../../../src/bytes/hex.ts'
import { createDevnet, type Devnet, type DevnetOptions } from '../../../src/index.ts'
import { spawnAnvil } from '../../anvil.ts'
import { summary } from '../measure.ts'
import { ANVIL_IS_ABSENT } from '../peers/anvil.ts'
import { ask } from '../peers/ask.ts'
import { beside, type Goal, type Peer, type Row, type Thoroughness } from '../row.ts'
import { dataOf, deploy, send } from '../scenario.ts'
import { type SlowNode, slowNode } from './slowNode.ts'

const DELAY_MS = 50
const OFFERS = 16
const ETHER = 10n ** 18n

export async function* latency(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const rounds = thoroughness === 'full' ? 7 : 1
  const network = await createDevnet({ rhythm: 'manual', chainId: 4_242 })
  const call = await withBook(network)
  const node = await slowNode(network, DELAY_MS)
  const question = { method: 'eth_call', params: [call, 'latest'] } as const
  const cache = mkdtempSync(join(tmpdir(), 'preseal-bench-'))
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
    await network.close()
    rmSync(cache, { recursive: true, force: true })
  }
}

/** Microseconds and round trips. */
interface Took {
  readonly us: number
  readonly trips: number
}

/** What it takes on a new fork, once that has begun. */
async function onFork(
  fork: NonNullable<DevnetOptions['fork']>,
  node: SlowNode,
  question: { method: string; params: readonly unknown[] },
): Promise<Took> {
  const devnet = await createDevnet({ rhythm: 'manual', fork })
  try {
    return await took(node, () => devnet.request(question as never))
  } finally {
    await devnet.close()
  }
}

/** The same on a new anvil, and then once more. */
async function onAnvil(
  node: SlowNode,
  question: { method: string; params: readonly unknown[] },
): Promise<{ cold: Took; warm: Took } | undefined> {
  const anvil = await spawnAnvil(['--fork-url', node.url, '--no-storage-caching', '--no-mining'])
  if (anvil === undefined) return undefined
  try {
    const once = () => took(node, () => ask(anvil.url, question))
    // A connection to it, and what it asks by itself, are not counted.
    await ask(anvil.url, { method: 'eth_chainId' })
    return { cold: await once(), warm: await once() }
  } finally {
    await anvil.stop()
  }
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
  const peer = (of: keyof Took, name: string): Peer | typeof ANVIL_IS_ABSENT =>
    theirs.length === 0
      ? ANVIL_IS_ABSENT
      : beside(
          name,
          ours.map((one) => one[of]),
          theirs.map((one) => one[of]),
        )
  const isCold = mostTrips > 0
  const name = isCold ? 'anvil --fork-url' : 'anvil, the second eth_call'
  const goals: readonly Goal[] = isCold ? [{ kind: 'timesFaster', times: 5 }] : []
  const time = summary(ours.map(({ us }) => us))
  yield { what, ours: time, unit: 'microseconds', peer: peer('us', name), goals }
  const trips = summary(ours.map(({ trips }) => trips))
  const most: readonly Goal[] = [{ kind: 'atMostTimes', times: mostTrips }]
  yield {
    what: 'its round trips',
    ours: trips,
    unit: 'times',
    ...(isCold ? { peer: peer('trips', name) } : {}),
    goals: most,
  }
}

async function newest(network: Devnet): Promise<number> {
  return Number(await network.request({ method: 'eth_blockNumber' }))
}

/** Deploys the book with its tokens and offers. Returns the call of a purchase of all of them. */
export async function withBook(network: Devnet): Promise<{ from: Address; to: Address; data: Hex }> {
  const [owner, buyer] = network.accounts.map(({ address }) => address.toLowerCase() as Address)
  const gold = await deploy(network, Token, ['Gold', 'GOLD'])
  const silver = await deploy(network, Token, ['Silver', 'SILVER'])
  const book = await deploy(network, Book, [gold, silver])
  const total = BigInt(OFFERS) * ETHER
  const gas = 300_000
  await send(network, { from: owner!, to: gold, data: dataOf(Token, 'mint', [buyer, 2n * total]), gas })
  await send(network, { from: owner!, to: silver, data: dataOf(Token, 'mint', [owner, total]), gas })
  await send(network, { from: owner!, to: silver, data: dataOf(Token, 'approve', [book, total]), gas })
  await send(network, { from: buyer!, to: gold, data: dataOf(Token, 'approve', [book, 2n * total]), gas })
  await network.mine()
  for (let i = 0; i < OFFERS; i++) {
    await send(network, {
      from: owner!,
      to: book,
      data: dataOf(Book, 'offer', [ETHER + BigInt(i), ETHER]),
      gas,
    })
  }
  await network.mine()
  return { from: buyer!, to: book, data: dataOf(Book, 'buy', [total]) }
}
