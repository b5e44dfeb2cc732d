/**
 * Six methods over HTTP, beside anvil with the same chain, and beside a bare `node:http` server that parses the same JSON and
 * sends answers of the same length; and in process, beside anvil over HTTP. Ours is the package as it is published.
 *
 * Each server and the client have a process of their own; the client sends to the servers in turn. It is
 * not Node's own client, which costs more than any of the servers and would hide their differences.
 */
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Market } from '../../fixtures/market.ts'
import { createDevnet } from '../../src/index.ts'
import { batch, Client, type Question, single } from './http/load.ts'
import { contest, type Effort, timed } from './measure.ts'
import { besideAnvil, startAnvil } from './peers/anvil.ts'
import { startPackage } from './peers/package.ts'
import { start, told } from './processes.ts'
import { beside, type Goal, type Measured, type Row, rowOf, type Thoroughness } from './row.ts'
import { type Chain, dataOf, market, topicOf } from './scenario.ts'

const BATCH = 100

export default async function* http(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 9, roundMs: 300 } : { rounds: 2, roundMs: 25 }
  using client = new Client()
  const bareServer = start('./http/bare.ts')
  const bare = await told<string>(bareServer)
  await using served = await startPackage()
  await using anvil = await startAnvil()
  try {
    const devnet = await createDevnet({ rhythm: 'manual' })
    const places = await market(devnet)
    for (const chain of [served, anvil]) if (chain !== undefined) await market(chain)
    const contenders: Contenders = { ours: served.url, bare, anvil: anvil?.url, client, effort }
    for (const [method, questions] of questionsAbout(devnet, places)) {
      bareServer.send(await lengthOfResult(devnet, questions[0]!))
      await warm(questions, contenders)
      yield await inProcess(devnet, method, questions, contenders)
      for (const way of WAYS) yield* overHttp(way, method, questions, contenders)
    }
  } finally {
    bareServer.kill()
  }
}

/** Characters of JSON in the result, for the bare server. */
async function lengthOfResult(devnet: Chain, question: Question): Promise<number> {
  return JSON.stringify(await devnet.request(question)).length
}

interface Contenders {
  readonly ours: string
  readonly bare: string
  readonly anvil: string | undefined
  readonly client: Client
  readonly effort: Effort
}

interface Way {
  readonly name: string
  readonly connections: number
  readonly batched: number
  readonly goals: { readonly bare?: Goal; readonly anvil?: Goal }
}

const SINGLE: Way['goals'] = { bare: { ratioAtLeast: 0.8 }, anvil: { ratioAtLeast: 1 } }

const WAYS: readonly Way[] = [
  { name: 'one at a time', connections: 1, batched: 1, goals: SINGLE },
  { name: '8 connections', connections: 8, batched: 1, goals: SINGLE },
  { name: `batches of ${BATCH}`, connections: 1, batched: BATCH, goals: { anvil: { ratioAtLeast: 1 } } },
]

async function inProcess(
  devnet: Chain,
  method: string,
  questions: readonly Question[],
  { anvil, client, effort }: Contenders,
): Promise<Row> {
  const work = await timed((i) => devnet.request(questions[i % questions.length]!), effort.roundMs)
  const rate = async () => 1e6 / (await work())
  const load = { bodies: questions.map(single), until: { ms: effort.roundMs } }
  const peers = anvil === undefined ? [] : [client.rate({ ...load, url: anvil })]
  const [ours, theirs] = await contest([rate, ...peers], effort.rounds)
  const peer = besideAnvil(ours!, theirs, 'anvil, one at a time over HTTP')
  return rowOf(`${method}, in process`, ours!, { unit: 'per second', peer })
}

/** Lets each server answer for a while, so that Node compiles its hot code. */
async function warm(
  questions: readonly Question[],
  { ours, bare, anvil, client, effort }: Contenders,
): Promise<void> {
  const bodies = [...questions.map(single), batch(questions)]
  for (const url of [ours, bare, ...(anvil === undefined ? [] : [anvil])]) {
    await client.run({ url, bodies, connections: 8, until: { ms: effort.roundMs * 4 } })
  }
}

async function* overHttp(
  { name, connections, batched, goals }: Way,
  method: string,
  questions: readonly Question[],
  { ours, bare, anvil, client, effort }: Contenders,
): AsyncGenerator<Row> {
  const together = Array.from({ length: batched }, (_, i) => questions[i % questions.length]!)
  const bodies = batched === 1 ? questions.map(single) : [batch(together)]
  const load = { bodies, connections, until: { ms: effort.roundMs } }
  const urls = [ours, bare, ...(anvil === undefined ? [] : [anvil])]
  const rates = await contest(
    urls.map((url) => client.rate({ ...load, url }, batched)),
    effort.rounds,
  )
  const row = (peer: Measured['peer'], goal: Goal | undefined) =>
    rowOf(`${method} over HTTP, ${name}`, rates[0]!, { unit: 'per second', peer, goal })
  yield row(besideAnvil(rates[0]!, rates[2]), goals.anvil)
  yield row(beside('a bare node:http server', rates[0]!, rates[1]!), goals.bare)
}

function questionsAbout({ accounts }: Chain, { gold, trader }: Market): [method: string, Question[]][] {
  const owners = accounts.map(({ address }) => address)
  const about = (method: string, params: (owner: `0x${string}`) => unknown[]): [string, Question[]] => [
    method,
    owners.map((owner) => ({ method, params: params(owner) })),
  ]
  const transfer = (to: `0x${string}`) => ({
    from: trader,
    to: gold,
    data: dataOf(Token, 'transfer', [to, 1n]),
  })
  return [
    about('eth_getBalance', (owner) => [owner, 'latest']),
    about('eth_getTransactionCount', (owner) => [owner, 'latest']),
    about('eth_getCode', () => [gold, 'latest']),
    about('eth_call', (owner) => [{ to: gold, data: dataOf(Token, 'balanceOf', [owner]) }, 'latest']),
    about('eth_estimateGas', (owner) => [transfer(owner), 'latest']),
    about('eth_getLogs', (owner) => [
      { fromBlock: 'earliest', toBlock: 'latest', address: gold, topics: [null, null, topicOf(owner)] },
    ]),
  ]
}
