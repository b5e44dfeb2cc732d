/**
 * How late a slice is published: each is due 200 ms after the one before, whatever clients ask meanwhile. The chain answers
 * and ticks in one thread, and the client takes as much of a processor as it gets.
 */
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Market } from '../../fixtures/market.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { Client, type Question, single } from './http/load.ts'
import { watchLateness } from './lateness.ts'
import { summary } from './measure.ts'
import type { Row, Thoroughness } from './row.ts'
import { addressOf, dataOf, market } from './scenario.ts'

const CONNECTIONS = 8

export async function* ticks(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const wanted = thoroughness === 'full' ? 50 : 3
  const client = new Client()
  try {
    for (const [what, questionsOn] of LOADS) {
      const devnet = await createDevnet({ rhythm: 'interval' })
      const places = await market(devnet)
      const { url } = await devnet.listen({ port: 0 })
      const bodies = questionsOn(devnet, places).map(single)
      const isDone = lateness(devnet, wanted)
      const ms = wanted * devnet.settings.tickMs
      if (bodies.length > 0) await client.run({ url, bodies, connections: CONNECTIONS, until: { ms } })
      const microseconds = await isDone
      await devnet.close()
      yield { what: `a tick comes late, ${what}`, ours: summary(microseconds), unit: 'microseconds' }
    }
  } finally {
    client.close()
  }
}

type Load = [what: string, questionsOn: (devnet: Devnet, market: Market) => Question[]]

const LOADS: Load[] = [
  ['with nothing else to do', () => []],
  [
    `while ${CONNECTIONS} connections ask eth_getBalance`,
    ({ accounts }) =>
      accounts.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'pending'] })),
  ],
  [
    `while ${CONNECTIONS} connections ask eth_call: balanceOf`,
    (_, { gold, trader }) => [
      { method: 'eth_call', params: [{ to: gold, data: dataOf(Token, 'balanceOf', [trader]) }, 'pending'] },
    ],
  ],
  [
    `while ${CONNECTIONS} connections ask eth_call: 1,000 rounds of arithmetic`,
    (_, { store }) => [
      { method: 'eth_call', params: [{ to: store, data: dataOf(Store, 'loop', [1_000n]) }, 'pending'] },
    ],
  ],
  [
    `while ${CONNECTIONS} connections send transfers`,
    ({ accounts }) =>
      accounts.map(({ address }, i) => ({
        method: 'eth_sendTransaction',
        params: [{ from: address, to: addressOf(i), value: '0x1', gas: '0x5208' }],
      })),
  ],
]

/** Microseconds by which each of the next `wanted` slices came after its time. */
function lateness(devnet: Devnet, wanted: number): Promise<number[]> {
  return new Promise((resolve) => {
    const found: number[] = []
    const stop = watchLateness(devnet, (lateMs) => {
      found.push(lateMs * 1000)
      if (found.length < wanted) return
      stop()
      resolve(found)
    })
  })
}
