/**
 * From signed bytes to the sealed block: a thousand transactions are accepted, run and sealed, and then undone for the
 * next round, which is not measured.
 *
 * In process, one `eth_sendRawTransaction` after the other, beside EthereumJS alone; over HTTP in batches of 100, beside
 * anvil. Anvil's block is made by `evm_mine`, ours by `mine()`.
 */
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Hex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { batch, Client, type Question, single } from './http/load.ts'
import { type Contender, contest } from './measure.ts'
import { type Anvil, besideAnvil, startAnvil } from './peers/anvil.ts'
import { EthereumjsChain } from './peers/ethereumjs.ts'
import { beside, type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, type Chain, dataOf, endow, market, type Sent, signed } from './scenario.ts'
import { count } from './table.ts'

const BATCH = 100
const GAS_LIMIT = 200_000_000

export default async function* transactions(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { rounds, size } = thoroughness === 'full' ? { rounds: 9, size: 1_000 } : { rounds: 2, size: 100 }
  await using devnet = await createDevnet({ rhythm: 'manual', gasLimit: BigInt(GAS_LIMIT) })
  const ethereumjs = await EthereumjsChain.start()
  await using anvil = await startAnvil(['--no-mining', '--gas-limit', String(GAS_LIMIT)])
  using client = new Client()
  const listener = await devnet.listen({ port: 0 })
  const { gold } = await market(devnet)
  await endow(devnet, gold)
  for (const peer of anvil === undefined ? [ethereumjs] : [ethereumjs, anvil]) {
    await market(peer)
    await endow(peer, gold)
  }
  const kinds: [what: string, sent: (i: number) => Omit<Sent, 'from'>][] = [
    ['transfers', (i) => ({ to: addressOf(i), value: 1n, gas: 21_000 })],
    [
      'transfers of a token',
      (i) => ({ to: gold, data: dataOf(Token, 'transfer', [addressOf(i), 1n]), gas: 80_000 }),
    ],
  ]
  for (const [what, sent] of kinds) {
    const raws = await signed(devnet, size, sent)
    const [ours, alone] = await contest(
      [inProcess(devnet, raws), async () => perSecond(size, await ethereumjs.timeBlock(raws))],
      rounds,
    )
    const inBlock = `${count(size)} in the block`
    const toAlone = beside('EthereumJS alone', ours!, alone!)
    yield rowOf(`${what} in process, ${inBlock}`, ours!, { unit: 'per second', peer: toAlone })
    if (what === 'transfers') {
      yield rowOf(
        'a transfer in process, from signed bytes to its block, with recovery',
        ours!.map((rate) => 1e6 / rate),
        { goal: { below: 150 } },
      )
    }
    const [http, theirs] = await contest(
      [
        overHttp(devnet, listener.url, client, raws),
        ...(anvil === undefined ? [] : [throughAnvil(anvil, client, raws)]),
      ],
      rounds,
    )
    const batched = `${what} over HTTP in batches of ${BATCH}, ${inBlock}`
    yield rowOf(batched, http!, { unit: 'per second', peer: besideAnvil(http!, theirs) })
  }
}

function inProcess(devnet: Devnet, raws: readonly Hex[]): Contender {
  return async () => {
    const before = devnet.snapshot()
    const started = performance.now()
    for (const raw of raws) await devnet.request(sending(raw))
    await devnet.mine()
    const ms = performance.now() - started
    await expectSealed(devnet, raws)
    await devnet.restore(before)
    return perSecond(raws.length, ms)
  }
}

function overHttp(devnet: Devnet, url: string, client: Client, raws: readonly Hex[]): Contender {
  const bodies = batches(raws)
  return async () => {
    const before = devnet.snapshot()
    const { ms } = await client.run({ url, bodies, until: { times: 1 } })
    const started = performance.now()
    await devnet.mine()
    const mineMs = performance.now() - started
    await expectSealed(devnet, raws)
    await devnet.restore(before)
    return perSecond(raws.length, ms + mineMs)
  }
}

function throughAnvil(anvil: Anvil, client: Client, raws: readonly Hex[]): Contender {
  const bodies = [...batches(raws), single({ method: 'evm_mine' })]
  return async () => {
    const before = await anvil.request({ method: 'evm_snapshot' })
    const { ms } = await client.run({ url: anvil.url, bodies, until: { times: 1 } })
    await expectSealed(anvil, raws)
    await anvil.request({ method: 'evm_revert', params: [before] })
    return perSecond(raws.length, ms)
  }
}

function batches(raws: readonly Hex[]): string[] {
  return Array.from({ length: Math.ceil(raws.length / BATCH) }, (_, i) =>
    batch(raws.slice(i * BATCH, (i + 1) * BATCH).map(sending)),
  )
}

function sending(raw: Hex): Question {
  return { method: 'eth_sendRawTransaction', params: [raw] }
}

/** Throws unless the latest block has all transactions, and the last has succeeded. */
async function expectSealed(chain: Chain, raws: readonly Hex[]): Promise<void> {
  const block = await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  const { transactions } = block as { transactions: Hex[] }
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [transactions.at(-1)] })
  const { status } = receipt as { status: Hex }
  if (transactions.length !== raws.length || status !== '0x1') {
    throw new Error(`expected ${raws.length} transactions, got ${transactions.length}, status ${status}`)
  }
}

function perSecond(count: number, ms: number): number {
  return (count * 1000) / ms
}
