/** The same after many blocks and after few. */
import { Token } from '../../fixtures/contracts/Token.ts'
import {
  type Comparison,
  compared,
  comparedOverHttp,
  inTurn,
  type Names,
  STRIDE,
  transferring,
} from './growing.ts'
import { HOLDERS, type LongChain, withBlocks } from './grown.ts'
import type { Work } from './measure.ts'
import type { Row } from './row.ts'
import { addressOf, dataOf, quantity, topicOf } from './scenario.ts'
import { count } from './table.ts'

export async function* compareByBlocks({ large, small, effort, prepared }: Comparison): AsyncGenerator<Row> {
  const chains: LongChain[] = []
  for (const size of [large, small]) chains.push(await withBlocks(size))
  const names: Names = [`${count(large)} blocks`, `${count(small)} blocks`]
  const compare = (what: string, work: (chain: LongChain) => Work) =>
    compared(what, names, chains.map(work), effort)
  const asking = (method: string, params: (chain: LongChain, block: number, i: number) => unknown[]) => {
    return (chain: LongChain): Work => {
      const blocks = chain.last - chain.first + 1
      const any = (i: number) => chain.first + ((i * STRIDE) % blocks)
      return inTurn(chain.devnet, prepared, (i) => ({ method, params: params(chain, any(i), i) }))
    }
  }
  const holder = (i: number) => addressOf(i % HOLDERS)
  const balanceOf = (i: number) => dataOf(Token, 'balanceOf', [holder(i)])
  const transfersTo = (i: number) => [null, null, topicOf(holder(i))]
  yield await compare(
    'eth_getBalance at latest',
    asking('eth_getBalance', ({ devnet }, _, i) => [devnet.accounts[i % 10]!.address, 'latest']),
  )
  yield await compare(
    'eth_getBalance at any block',
    asking('eth_getBalance', ({ devnet }, block, i) => [devnet.accounts[i % 10]!.address, quantity(block)]),
  )
  yield await comparedOverHttp(
    'eth_getBalance at any block',
    names,
    chains.map(({ devnet, first, last }) => {
      const block = (i: number) => quantity(first + ((i * STRIDE) % (last - first + 1)))
      const params = (i: number) => [devnet.accounts[i % 10]!.address, block(i)]
      return { devnet, question: (i: number) => ({ method: 'eth_getBalance', params: params(i) }) }
    }),
    effort,
  )
  yield await compare(
    'eth_call: balanceOf at any block',
    asking('eth_call', ({ token }, block, i) => [{ to: token, data: balanceOf(i) }, quantity(block)]),
  )
  yield await compare(
    'eth_getBlockByNumber of any block',
    asking('eth_getBlockByNumber', (_, block) => [quantity(block), false]),
  )
  yield await compare(
    'eth_getTransactionReceipt of any transaction',
    asking('eth_getTransactionReceipt', ({ transactions }, _, i) => [
      transactions[(i * STRIDE) % transactions.length],
    ]),
  )
  yield await compare(
    'eth_getLogs of one holder in the last 100 blocks',
    asking('eth_getLogs', ({ token, last }, _, i) => [
      { fromBlock: quantity(last - 99), toBlock: quantity(last), address: token, topics: transfersTo(i) },
    ]),
  )
  yield await compare(
    'eth_getLogs of one holder in any 100 blocks',
    asking('eth_getLogs', ({ token, first, last }, block, i) => {
      const from = Math.max(first, Math.min(block, last - 99))
      return [
        { fromBlock: quantity(from), toBlock: quantity(from + 99), address: token, topics: transfersTo(i) },
      ]
    }),
  )
  yield await compare(
    'eth_getLogs without hits in all blocks',
    asking('eth_getLogs', ({ first, last }) => [
      { fromBlock: quantity(first), toBlock: quantity(last), address: addressOf(HOLDERS) },
    ]),
  )
  yield await compare(
    'fork()',
    ({ devnet }) =>
      () =>
        devnet.fork(),
  )
  yield await compare(
    'snapshot() and restore()',
    ({ devnet }) =>
      () =>
        devnet.restore(devnet.snapshot()),
  )
  yield await compare(
    'an empty tick',
    ({ devnet }) =>
      () =>
        devnet.tick(),
  )
  yield await compare('10 transfers, mine()', ({ devnet }) => transferring(devnet, (i) => i % 100))
}
