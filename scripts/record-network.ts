/**
 * Records the answers of networks for the examples: `test/examples/market.jsonl` for the market, and
 * `fixtures/networks/examples.jsonl` for all examples on a fork of an empty chain. A devnet is the network;
 * `npm run test:offline` runs the examples without it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { encodeFunctionData, parseEther } from 'viem'
import { Token } from '../fixtures/contracts/Token.ts'
import market from '../fixtures/market.ts'
import { createDevnet } from '../src/index.ts'
import { NETWORK_FILE, RECORDED_AT } from '../test/support/nodes/committedNetwork.ts'

const MARKET_FILE = 'test/examples/market.jsonl'

mkdirSync(dirname(NETWORK_FILE), { recursive: true })
for (const file of [NETWORK_FILE, MARKET_FILE]) rmSync(file, { force: true })
await recordMarket()
await recordExamples()

async function recordMarket(): Promise<void> {
  await using network = await createDevnet({ rhythm: 'manual' })
  const { gold, owner, trader } = await market(network)
  const fork = { provider: network, block: 4, cache: MARKET_FILE }
  await using devnet = await createDevnet({ rhythm: 'manual', fork })
  const data = encodeFunctionData({
    abi: Token.abi,
    functionName: 'transfer',
    args: [owner, parseEther('90')],
  })
  await devnet.request({ method: 'eth_sendTransaction', params: [{ from: trader, to: gold, data }] })
  await devnet.mine()
}

/** Runs the examples, with each devnet on a fork of a listening one. */
async function recordExamples(): Promise<void> {
  await using network = await createDevnet({ rhythm: 'manual' })
  const { url } = await network.listen({ port: 0 })
  const vitest = spawn('npx', ['vitest', 'run', '--config', 'test/vitest.offline.config.ts'], {
    stdio: 'inherit',
    env: { ...process.env, [RECORDED_AT]: url },
  })
  const [code] = await once(vitest, 'close')
  if (code !== 0) process.exitCode = 1
}
