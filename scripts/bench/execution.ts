/**
 * Running code: eth_call of loops, of a token and of a swap, in process, beside EthereumJS alone in the same process and
 * beside anvil over HTTP, one call at a time. Results are compared first.
 */
import { Pool } from '../../fixtures/contracts/Pool.ts'
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Market } from '../../fixtures/market.ts'
import type { Address, Hex } from '../../src/bytes/hex.ts'
import { createDevnet } from '../../src/index.ts'
import { Client, type Question, single } from './http/load.ts'
import { contest, type Effort, timed } from './measure.ts'
import { type Anvil, besideAnvil, startAnvil } from './peers/anvil.ts'
import { EthereumjsChain } from './peers/ethereumjs.ts'
import { beside, type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, dataOf, market } from './scenario.ts'
import { count } from './table.ts'

interface Peers {
  readonly ethereumjs: EthereumjsChain
  readonly anvil: Anvil | undefined
  readonly client: Client
  readonly effort: Effort
}

interface Call {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
}

export default async function* execution(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 11, roundMs: 150 } : { rounds: 2, roundMs: 15 }
  const devnet = await createDevnet({ rhythm: 'manual' })
  const ethereumjs = await EthereumjsChain.start()
  await using anvil = await startAnvil()
  using client = new Client()
  const places = await market(devnet)
  await market(ethereumjs)
  if (anvil !== undefined) await market(anvil)
  const peers: Peers = { ethereumjs, anvil, client, effort }
  for (const [what, call] of calls(places, thoroughness === 'full' ? 1 : 10)) {
    yield* measureCall(devnet, `eth_call: ${what}`, call, peers)
  }
  for (const [what, call] of estimates(places)) {
    yield await measureEstimate(devnet, `eth_estimateGas: ${what}`, call, peers)
  }
}

function calls({ store, gold, pool, trader }: Market, less: number): [what: string, call: Call][] {
  const loop = (name: string, rounds: number, functionName: string, args: bigint[]): [string, Call] => [
    `${count(rounds)} rounds of ${name}`,
    { from: trader, to: store, data: dataOf(Store, functionName, args) },
  ]
  const [arithmetic, hashes, slots] = [10_000 / less, 1_000 / less, 100 / less]
  return [
    loop('arithmetic', arithmetic, 'loop', [BigInt(arithmetic)]),
    loop('Keccak-256', hashes, 'hashLoop', [BigInt(hashes)]),
    loop('writing a slot', slots, 'setMany', [0n, BigInt(slots), 7n]),
    ['balanceOf', { from: trader, to: gold, data: dataOf(Token, 'balanceOf', [trader]) }],
    ['a swap', { from: trader, to: pool, data: dataOf(Pool, 'swap', [gold, 10n ** 18n, 0n]) }],
  ]
}

function estimates({ gold, pool, trader }: Market): [what: string, call: Call][] {
  return [
    ['a transfer', { from: trader, to: addressOf(1), data: '0x' }],
    [
      'a transfer of a token',
      { from: trader, to: gold, data: dataOf(Token, 'transfer', [addressOf(1), 1n]) },
    ],
    ['a swap', { from: trader, to: pool, data: dataOf(Pool, 'swap', [gold, 10n ** 18n, 0n]) }],
  ]
}

async function* measureCall(devnet: Chain, what: string, call: Call, peers: Peers): AsyncGenerator<Row> {
  const { ethereumjs, anvil, client, effort } = peers
  const question: Question = { method: 'eth_call', params: [call, 'latest'] }
  const answers = [
    await devnet.request(question),
    await ethereumjs.call(call),
    await anvil?.request(question),
  ]
  const other = answers.find((answer) => answer !== undefined && answer !== answers[0])
  if (other !== undefined) throw new Error(`${what}: the peers' answers differ: ${answers.join(', ')}`)
  const contenders = [
    await timed(() => devnet.request(question), effort.roundMs),
    await timed(() => ethereumjs.call(call), effort.roundMs),
    ...overHttp(anvil, client, question, effort),
  ]
  const [ours, alone, theirs] = await contest(contenders, effort.rounds)
  yield rowOf(what, ours!, { peer: beside('EthereumJS alone', ours!, alone!) })
  yield rowOf(what, ours!, { peer: besideAnvil(ours!, theirs, 'anvil over HTTP') })
}

async function measureEstimate(
  devnet: Chain,
  what: string,
  call: Call,
  { anvil, client, effort }: Peers,
): Promise<Row> {
  const question: Question = { method: 'eth_estimateGas', params: [call, 'latest'] }
  const work = await timed(() => devnet.request(question), effort.roundMs)
  const [ours, theirs] = await contest([work, ...overHttp(anvil, client, question, effort)], effort.rounds)
  return rowOf(what, ours!, { peer: besideAnvil(ours!, theirs, 'anvil over HTTP') })
}

function overHttp(anvil: Anvil | undefined, client: Client, question: Question, { roundMs }: Effort) {
  if (anvil === undefined) return []
  return [client.time({ url: anvil.url, bodies: [single(question)], until: { ms: roundMs } })]
}
