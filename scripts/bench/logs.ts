/**
 * eth_getLogs over a long chain with 50 logs in each block: searches with at most 20 hits, and one for all logs; in process,
 * and over HTTP beside anvil with the same chain.
 *
 * Two contracts emit in each block, each with a topic of its own. In one block of a hundred a third
 * contract emits, a third topic occurs, and the first contract uses the second's topic: the last is the hardest
 * search, because every block has that contract and that topic.
 */
import { Emitter } from '../../fixtures/contracts/Emitter.ts'
import type { Address, Hex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { Client, type Question, single } from './http/load.ts'
import { contest, type Effort, timed } from './measure.ts'
import { besideAnvil, startAnvil } from './peers/anvil.ts'
import { type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, dataOf, deploy, send, topicOf } from './scenario.ts'
import { count } from './table.ts'

const LOGS_PER_BLOCK = 50
const RARELY = 100
const TOPICS = { first: topicOf(addressOf(1)), second: topicOf(addressOf(2)), rare: topicOf(addressOf(3)) }

export default async function* logs(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 11, roundMs: 100 } : { rounds: 3, roundMs: 10 }
  const blocks = thoroughness === 'full' ? 2_000 : 200
  await using devnet = await createDevnet({ rhythm: 'manual', logRangeLimit: 0, logResultLimit: 0 })
  const listener = await devnet.listen({ port: 0 })
  await using anvil = await startAnvil()
  using client = new Client()
  const places = await fill(devnet, blocks)
  if (anvil !== undefined) await fill(anvil, blocks)
  for (const { what, hits, criteria, isSelective = true } of searches(blocks, places)) {
    const question = asked(criteria, places)
    for (const chain of anvil === undefined ? [devnet] : [devnet, anvil])
      await expectHits(chain, question, hits)
    const name = `${what}: ${count(hits)} of ${count(blocks * LOGS_PER_BLOCK)} logs in ${count(blocks)} blocks`
    const work = await timed(() => devnet.request(question), effort.roundMs)
    const [inProcess] = (await contest([work], effort.rounds)) as [number[]]
    yield rowOf(`${name}, in process`, inProcess, { goal: isSelective ? { below: 5_000 } : undefined })
    const load = { bodies: [single(question)], until: { ms: effort.roundMs } }
    const urls = [listener.url, ...(anvil === undefined ? [] : [anvil.url])]
    const [ours, theirs] = await contest(
      urls.map((url) => client.time({ ...load, url })),
      effort.rounds,
    )
    // Every node searches a chain of a few blocks in no time.
    const goal = isSelective && thoroughness === 'full' ? { ratioAtMost: 1 / 10 } : undefined
    yield rowOf(`${name}, over HTTP`, ours!, { peer: besideAnvil(ours!, theirs), goal })
  }
}

interface Places {
  readonly from: Hex
  readonly to: Hex
  readonly first: Address
  readonly rare: Address
}

interface Search {
  readonly what: string
  readonly hits: number
  readonly criteria: object
  /** Whether it has few hits, and so a goal. */
  readonly isSelective?: boolean
}

function searches(blocks: number, { first, rare }: Places): Search[] {
  const hits = blocks / RARELY
  const { second, rare: rareTopic } = TOPICS
  return [
    { what: 'by a rare address', hits, criteria: { address: rare } },
    { what: 'by a rare topic', hits, criteria: { topics: [null, rareTopic] } },
    { what: 'by an address and a rare topic', hits, criteria: { address: first, topics: [null, rareTopic] } },
    {
      what: 'by an address and a topic of each block',
      hits,
      criteria: { address: first, topics: [null, second] },
    },
    { what: 'without hits', hits: 0, criteria: { address: addressOf(0) } },
    { what: 'all logs', hits: blocks * LOGS_PER_BLOCK, criteria: {}, isSelective: false },
  ]
}

function asked(criteria: object, { from, to }: Places): Question {
  return { method: 'eth_getLogs', params: [{ fromBlock: from, toBlock: to, ...criteria }] }
}

async function expectHits(chain: Chain, question: Question, hits: number): Promise<void> {
  const { length } = (await chain.request(question)) as unknown[]
  if (length !== hits) throw new Error(`${JSON.stringify(question)}: expected ${hits} logs, got ${length}`)
}

async function fill(chain: Chain, blocks: number): Promise<Places> {
  const first = await deploy(chain, Emitter)
  const second = await deploy(chain, Emitter)
  const rare = await deploy(chain, Emitter)
  const emit = (to: Address, functionName: string, args: unknown[]) => {
    const data = dataOf(Emitter, functionName, args)
    return send(chain, { from: chain.accounts[0]!.address, to, data, gas: 300_000 })
  }
  const before = await blockNumber(chain)
  for (let block = 0; block < blocks; block++) {
    const isRare = block % RARELY === 0
    await emit(first, 'emitMany', [isRare ? 22 : 25, TOPICS.first])
    await emit(second, 'emitMany', [25, TOPICS.second])
    if (isRare) {
      await emit(rare, 'log2', [TOPICS.first, '0x'])
      await emit(first, 'log2', [TOPICS.rare, '0x'])
      await emit(first, 'log2', [TOPICS.second, '0x'])
    }
    await chain.mine()
  }
  return { from: `0x${(BigInt(before) + 1n).toString(16)}`, to: await blockNumber(chain), first, rare }
}

async function blockNumber(chain: Chain): Promise<Hex> {
  return (await chain.request({ method: 'eth_blockNumber' })) as Hex
}
