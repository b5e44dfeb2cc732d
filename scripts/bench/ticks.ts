/**
 * The lateness of slices: each is due 200 ms after the one before, whatever clients request meanwhile. The chain answers
 * and ticks in one thread, and the client takes as much of a processor as it gets. And the latest of them while a call
 * of a billion gas runs.
 */
import { Store } from '../../fixtures/contracts/Store.ts'
import { Token } from '../../fixtures/contracts/Token.ts'
import type { Market } from '../../fixtures/market.ts'
import { toHex } from '../../src/bytes/hex.ts'
import { createDevnet, type Devnet } from '../../src/index.ts'
import { assemble, type Item } from '../../test/support/compilers/assembly.ts'
import { Client, type Question, single } from './http/load.ts'
import { type Row, rowOf, type Thoroughness } from './row.ts'
import { addressOf, dataOf, market } from './scenario.ts'
import { watchLateness } from './watching.ts'

const CONNECTIONS = 8

export default async function* ticks(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const wanted = thoroughness === 'full' ? 50 : 3
  using client = new Client()
  for (const [what, questionsOn] of LOADS) {
    await using devnet = await createDevnet({ rhythm: 'interval' })
    const bodies = questionsOn(devnet, await market(devnet)).map(single)
    const { url } = await devnet.listen({ port: 0 })
    const seen = lateness(devnet, wanted)
    const until = { ms: wanted * devnet.settings.tickMs }
    if (bodies.length > 0) await client.run({ url, bodies, connections: CONNECTIONS, until })
    yield rowOf(`a tick comes late, ${what}`, await seen)
  }
  for (const [what, code, method = 'eth_call'] of CALLS) {
    await using devnet = await createDevnet({ rhythm: 'interval', gasLimit: 1_000_000_000n })
    await devnet.request({ method: 'anvil_setCode', params: [CALLED, toHex(code)] })
    const seen = lateness(devnet, wanted)
    let isOver = false
    const calls = callUntil(devnet, method, () => isOver)
    const latest = Math.max(...(await seen))
    isOver = true
    await devnet.close()
    await calls
    const name = `the latest of ${wanted} ticks, while ${SUBJECTS[method]} 1,000,000,000 gas ${what}`
    yield rowOf(name, [latest], { goal: { below: 60_000 } })
  }
}

const CALLED = addressOf(1)
const MEGABYTE = 1 << 20

const SUBJECTS = {
  eth_call: 'a call of',
  eth_createAccessList: 'eth_createAccessList of a call that, with',
  debug_traceCall: 'debug_traceCall of a call that, with',
}

type Called = readonly [what: string, code: Uint8Array, method?: keyof typeof SUBJECTS]

/** Code that runs `items` in a loop. */
const loop = (...items: Item[]) => assemble('JUMPDEST', ...items, 0, 'JUMP')

/** Calls that run until their gas, time or memory ends. */
const CALLS: readonly Called[] = [
  ['does nothing', loop()],
  ['writes to transient storage', loop('GAS', 'GAS', 'TSTORE')],
  ['writes new slots', loop('GAS', 'GAS', 'SSTORE')],
  ['reads accounts', loop('GAS', 'BALANCE', 'POP')],
  ['emits logs of a megabyte', loop(MEGABYTE, 0, 'LOG0')],
  ['hashes eight megabytes', loop(8 * MEGABYTE, 0, 'KECCAK256', 'POP')],
  ['calls itself', loop(0, 0, 0, 0, 0, 'ADDRESS', 'GAS', 'CALL', 'POP')],
  [
    'reverts what it wrote to transient storage',
    // Writes until 100,000 gas are left.
    assemble('JUMPDEST', 'GAS', 'GAS', 'TSTORE', 100_000, 'GAS', 'GT', 0, 'JUMPI', 0, 0, 'REVERT'),
  ],
  ['writes new slots', loop('GAS', 'GAS', 'SSTORE'), 'eth_createAccessList'],
  ['hashes eight megabytes', loop(8 * MEGABYTE, 0, 'KECCAK256', 'POP'), 'debug_traceCall'],
]

/** Calls one after the other. Errors are expected: out of gas, time or memory. */
async function callUntil(devnet: Devnet, method: string, isOver: () => boolean): Promise<void> {
  const params = [{ to: CALLED, gas: '0x3b9aca00' }, 'latest']
  while (!isOver()) await devnet.request({ method, params }).catch(() => {})
}

type Load = readonly [what: string, questionsOn: (devnet: Devnet, market: Market) => Question[]]

const LOADS: readonly Load[] = [
  ['with nothing else to do', () => []],
  [
    `while ${CONNECTIONS} connections ask eth_getBalance`,
    ({ accounts }) =>
      accounts.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'pending'] })),
  ],
  [
    `while ${CONNECTIONS} connections ask eth_call: balanceOf`,
    (_, { gold, trader }) => [call(gold, dataOf(Token, 'balanceOf', [trader]))],
  ],
  [
    `while ${CONNECTIONS} connections ask eth_call: 1,000 rounds of arithmetic`,
    (_, { store }) => [call(store, dataOf(Store, 'loop', [1_000n]))],
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

function call(to: string, data: string): Question {
  return { method: 'eth_call', params: [{ to, data }, 'pending'] }
}

/** Resolves with the microseconds by which each of the next `wanted` slices is late. */
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
