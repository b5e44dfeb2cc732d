/**
 * Records a state file of anvil, and anvil's answers about its chain, into `fixtures/stateFiles`:
 * `test/flows/stateFilesOfAnvil.test.ts` loads it; and a state file of a network that anvil forked, which
 * `test/forks/stateFilesOfAnvil.test.ts` loads. The tests need no anvil.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createClient, encodeFunctionData, type Hex, http } from 'viem'
import { Token } from '../fixtures/contracts/Token.ts'
import market from '../fixtures/market.ts'
import { createDevnet } from '../src/index.ts'
import { recordAnvil } from '../test/support/nodes/anvilStates.ts'
import { spawnAnvil } from './anvil.ts'
import { foundryVersion } from './foundry.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/stateFiles')

mkdirSync(FOLDER, { recursive: true })
const recorded = await recordAnvil({ withHistory: true, withBlob: false })
if (recorded === undefined) throw new Error('anvil is not installed, or does not run on this platform')
writeFileSync(join(FOLDER, 'anvil.json'), recorded.file)
const lines = [{ anvil: foundryVersion('anvil') }, ...recorded.answers].map((line) => JSON.stringify(line))
writeFileSync(join(FOLDER, 'anvil.answers.jsonl'), `${lines.join('\n')}\n`)
console.log(`${recorded.answers.length} answers`)
await recordFork()

/** Records a state file of a chain that anvil forked from the market, in whose block 5 the owner sends 7 of the gold to the trader. */
async function recordFork(): Promise<void> {
  await using network = await createDevnet({ rhythm: 'manual' })
  const { gold, owner, trader } = await market(network)
  const { url } = await network.listen({ port: 0 })
  await using anvil = await spawnAnvil([
    '--fork-url',
    url,
    '--fork-block-number',
    '4',
    '--no-storage-caching',
  ])
  if (anvil === undefined) throw new Error('anvil does not run')
  const client = createClient({ transport: http(anvil.url) })
  const ask = (method: string, ...params: unknown[]) =>
    client.request({ method, params } as never) as Promise<Hex>
  const data = encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [trader, 7n] })
  await ask('eth_sendTransactionSync', { from: owner, to: gold, data })
  const state = gunzipSync(Buffer.from((await ask('anvil_dumpState')).slice(2), 'hex'))
  writeFileSync(join(FOLDER, 'anvilOfFork.json'), `${state}\n`)
}
