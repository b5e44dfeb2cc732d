/**
 * Calls each method of preseal and its peers on anvil, and writes those that anvil knows into
 * `scripts/docs/peers.json`, from which `docs/methods.md` is made. Further methods of a new anvil are only in its source.
 */
import { writeFileSync } from 'node:fs'
import { answerOf } from './ask.ts'
import { startAnvil } from './bench/peers/anvil.ts'
import { methodsHere, PEERS } from './docs/methods.ts'
import peers from './docs/peers.json' with { type: 'json' }
import { foundryVersion } from './foundry.ts'

const FILE = new URL('docs/peers.json', import.meta.url)
const METHOD_NOT_FOUND = -32601
const OVER_WEB_SOCKET = ['eth_subscribe', 'eth_unsubscribe']

await using anvil = await startAnvil()
if (anvil === undefined) throw new Error('anvil is not installed, or does not run on this platform')
const here = methodsHere().flatMap(({ names }) => names)
const names = new Set([...here, ...PEERS.flatMap(({ methods }) => [...methods])])
const methods = new Set(OVER_WEB_SOCKET)
for (const method of names) if (await knows(anvil.url, method)) methods.add(method)
peers.anvil.version = foundryVersion('anvil') ?? peers.anvil.version
peers.anvil.methods = [...methods].sort()
writeFileSync(FILE, `${JSON.stringify(peers, null, 2)}\n`)
console.log(`${methods.size} methods`)

/** Calls a method with parameters that no method accepts: the error shows whether the method exists. */
async function knows(url: string, method: string): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { no: 'method takes this' } })
  const { error } = JSON.parse(await answerOf(url, body)) as { error?: { code: number } }
  return error?.code !== METHOD_NOT_FOUND
}
