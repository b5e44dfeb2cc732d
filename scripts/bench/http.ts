/**
 * Requests a second over HTTP, beside a bare `node:http` server that parses and answers JSON.
 *
 * Each server and the one client have a process of their own; the client asks by turns the one and the other. It is
 * not Node's own, which costs more than either server and would make all of them look alike.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Load, Rate } from './http/client.ts'
import { ratio, summary } from './measure.ts'
import type { Goal, Row, Thoroughness } from './row.ts'

const SERVERS = ['preseal', 'bare']
const CONNECTIONS = 8

export async function* http(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const { rounds, roundMs } =
    thoroughness === 'full' ? { rounds: 11, roundMs: 1_000 } : { rounds: 3, roundMs: 300 }
  const client = start('client')
  const servers = SERVERS.map(start)
  try {
    const urls = await Promise.all(servers.map((server) => told<string>(server)))
    const address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }
    for (const connections of [CONNECTIONS, 1]) {
      const rates: number[][] = urls.map(() => [])
      for (let round = 0; round <= rounds; round++) {
        const order = round % 2 === 0 ? [0, 1] : [1, 0]
        for (const index of order) {
          const load: Load = { url: urls[index]!, body: JSON.stringify(request), connections, ms: roundMs }
          client.send(load)
          const { perSecond } = await told<Rate>(client)
          if (round > 0) rates[index]!.push(perSecond)
        }
      }
      const goals: Goal[] = connections === CONNECTIONS ? [{ kind: 'ratioAtLeast', ratio: 0.6 }] : []
      yield {
        what: `eth_getBalance over HTTP, ${connections} connection${connections === 1 ? '' : 's'}`,
        ours: summary(rates[0]!),
        unit: 'per second',
        peer: {
          name: 'a bare node:http server',
          timing: summary(rates[1]!),
          ratio: ratio(rates[0]!, rates[1]!),
        },
        goals,
      }
    }
  } finally {
    for (const child of [client, ...servers]) child.kill()
  }
}

/** Starts a script of ./http in a process of its own. */
function start(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(`./http/${name}.ts`, import.meta.url)))
}

/** What the process says next. */
async function told<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController()
  const onExit = (code: number | null) =>
    ended.abort(new Error(`${child.spawnargs.at(-1)} ended with ${code}`))
  child.once('exit', onExit)
  try {
    const [message] = await once(child, 'message', { signal: ended.signal })
    return message as T
  } finally {
    child.off('exit', onExit)
  }
}
