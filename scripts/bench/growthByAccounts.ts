/** The same in a large world and in a small one; what forks and snapshots cost there, `forks` measures. */
import type { Devnet } from '../../src/index.ts'
import {
  type Comparison,
  compared,
  comparedOverHttp,
  inTurn,
  type Names,
  STRIDE,
  transferring,
} from './growing.ts'
import { withAccounts } from './grown.ts'
import type { Work } from './measure.ts'
import type { Row } from './row.ts'
import { addressOf } from './scenario.ts'
import { count } from './table.ts'

export async function* compareByAccounts({
  large,
  small,
  effort,
  prepared,
}: Comparison): AsyncGenerator<Row> {
  const worlds: { devnet: Devnet; size: number }[] = []
  for (const size of [large, small]) worlds.push({ devnet: await withAccounts(size), size })
  const names: Names = [`${count(large)} accounts`, `${count(small)} accounts`]
  const compare = async (what: string, work: (devnet: Devnet, any: (i: number) => number) => Work) => {
    const works = worlds.map(({ devnet, size }) => work(devnet, (i) => (i * STRIDE) % size))
    return compared(what, names, works, effort)
  }
  const asking = (method: string, params: (account: number) => unknown[]) => {
    return (devnet: Devnet, any: (i: number) => number): Work => {
      return inTurn(devnet, prepared, (i) => ({ method, params: params(any(i)) }))
    }
  }
  const balanceOf = (i: number) => [addressOf(i), 'latest']
  yield await compare(
    'eth_getBalance of 100 accounts',
    asking('eth_getBalance', (i) => balanceOf(i % 100)),
  )
  yield await compare('eth_getBalance of any account', asking('eth_getBalance', balanceOf))
  yield await comparedOverHttp(
    'eth_getBalance of any account',
    names,
    worlds.map(({ devnet, size }) => {
      const question = (i: number) => ({ method: 'eth_getBalance', params: balanceOf((i * STRIDE) % size) })
      return { devnet, question }
    }),
    effort,
  )
  yield await compare('eth_getTransactionCount of any account', asking('eth_getTransactionCount', balanceOf))
  yield await compare('eth_getCode of any account', asking('eth_getCode', balanceOf))
  yield await compare(
    'eth_call with any account',
    asking('eth_call', (i) => [{ to: addressOf(i), from: addressOf(i), value: '0x1' }, 'latest']),
  )
  yield await compare(
    'eth_estimateGas of a transfer to any account',
    asking('eth_estimateGas', (i) => [{ to: addressOf(i), value: '0x0' }, 'latest']),
  )
  yield await compare('an empty tick', (devnet) => () => devnet.tick())
  yield await compare('10 transfers to 100 accounts, mine()', (devnet) =>
    transferring(devnet, (i) => i % 100),
  )
  yield await compare('10 transfers to any accounts, mine()', transferring)
}
