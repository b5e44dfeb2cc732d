/**
 * Records anvil's traces of the transactions in `test/support/chains/tracedTransactions.ts` into `fixtures/traces/anvil.jsonl`,
 * with which `test/flows/traces.test.ts` compares ours: the tests need no anvil.
 *
 * Both chains have the same accounts, and anvil is given our base fee and coinbase, so that balances are the same too.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '../src/bytes/hex.ts'
import { toHex } from '../src/bytes/hex.ts'
import { loadSecp256k1 } from '../src/crypto/secp256k1.ts'
import { createDevnet } from '../src/index.ts'
import { sign } from '../test/support/chains/signing.ts'
import { TRACERS, tracedTransactions } from '../test/support/chains/tracedTransactions.ts'
import { startAnvil } from './bench/peers/anvil.ts'
import { foundryVersion } from './foundry.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/traces')

await loadSecp256k1()
await using anvil = await startAnvil(['--steps-tracing'])
if (anvil === undefined) throw new Error('anvil is not installed, or does not run on this platform')
await using devnet = await createDevnet({ rhythm: 'instant' })
const [sender, delegator] = devnet.accounts.map(({ address, privateKey }) => ({
  address: address.toLowerCase() as Address,
  privateKey,
}))
const ask = (method: string, ...params: unknown[]) => anvil.request({ method, params })
const recorded = []
for (const { name, fields } of await tracedTransactions(sender!, delegator!)) {
  const raw = toHex(sign(sender!, fields).raw)
  const hash = await devnet.request({ method: 'eth_sendRawTransaction', params: [raw] })
  const block = (await devnet.request({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })) as { miner: string; baseFeePerGas: string }
  await ask('anvil_setCoinbase', block.miner)
  await ask('anvil_setNextBlockBaseFeePerGas', block.baseFeePerGas)
  await ask('eth_sendRawTransaction', raw)
  // anvil answers before the block is mined, and until then traces are empty.
  while ((await ask('eth_getTransactionReceipt', hash)) === null) await sleep(5)
  const traces: Record<string, unknown> = {}
  for (const [key, request] of Object.entries(TRACERS)) {
    traces[key] = await ask('debug_traceTransaction', hash, request)
  }
  recorded.push({ name, raw, hash, traces, flat: await ask('trace_transaction', hash) })
}
mkdirSync(FOLDER, { recursive: true })
const lines = [{ anvil: foundryVersion('anvil') }, ...recorded].map((line) => JSON.stringify(line))
writeFileSync(join(FOLDER, 'anvil.jsonl'), `${lines.join('\n')}\n`)
console.log(`${recorded.length} transactions`)
