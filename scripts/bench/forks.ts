/** What a fork, a snapshot and a restore cost, and whether that grows with what the chain holds. */
import type { Devnet } from '../../src/index.ts'
import { withAccounts } from './grown.ts'
import { type Effort, race, type Work } from './measure.ts'
import type { Goal, Row, Thoroughness } from './row.ts'
import { addressOf, quantity } from './scenario.ts'

const SMALL = 1_000
const GOALS: readonly Goal[] = [
  { kind: 'under', microseconds: 50 },
  { kind: 'ratioAtMost', ratio: 1.5 },
]

export async function* forks(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const effort: Effort = thoroughness === 'full' ? { rounds: 21, roundMs: 20 } : { rounds: 5, roundMs: 4 }
  const large = thoroughness === 'full' ? 1_000_000 : 50_000
  const devnets = [await withAccounts(large), await withAccounts(SMALL)]
  const names = {
    large: `${large.toLocaleString('en')} accounts`,
    small: `with ${SMALL.toLocaleString('en')}`,
  }

  const beside = async (
    what: string,
    goals: readonly Goal[],
    work: (devnet: Devnet) => Work,
  ): Promise<Row> => {
    const { timings, ratios } = await race(devnets.map(work), effort)
    return {
      what: `${what}, ${names.large}`,
      ours: timings[0]!,
      unit: 'microseconds',
      peer: { name: names.small, timing: timings[1]!, ratio: ratios[0]! },
      goals,
    }
  }

  yield await beside('fork()', GOALS, (devnet) => () => devnet.fork())
  yield await beside('snapshot()', GOALS, (devnet) => () => devnet.snapshot())
  yield await beside('restore()', GOALS, (devnet) => {
    // By turns to two places that differ in all that a snapshot holds.
    const places = [devnet.snapshot(), devnet.fork().snapshot()]
    return (i) => devnet.restore(places[i & 1]!)
  })
  yield await beside('fork(), a transfer, mine()', [], (devnet) => {
    const [from, to] = devnet.accounts.map(({ address }) => address)
    const params = [{ from, to, value: '0x1', gas: quantity(21_000) }] as const
    return async () => {
      const child = devnet.fork()
      await child.request({ method: 'eth_sendTransaction', params })
      await child.mine()
    }
  })
  yield await beside('eth_getBalance in a fork of 100 forks', [], (devnet) => {
    let child = devnet
    for (let i = 0; i < 100; i++) child = child.fork()
    const params = Array.from({ length: 100 }, (_, i) => [addressOf(i * 7), 'latest'] as const)
    return (i) => child.request({ method: 'eth_getBalance', params: params[i % 100]! })
  })
}
