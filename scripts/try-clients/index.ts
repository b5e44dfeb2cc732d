/**
 * Clients without support for pre-confirmation, with their defaults, against `preseal` with its defaults: each deploys, waits, calls,
 * waits and reads, several times. `npm run try-clients`, `npm run try-clients -- ethers viem --times 5`. Needs `dist` (npm run build).
 */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { emptyFolder } from '../package/folders.ts'
import { startCli } from '../startCli.ts'
import { tryCast, tryForge } from './foundry.ts'
import { type Round, tryEthers, tryViem, tryWeb3 } from './libraries.ts'

interface Client {
  readonly try: (round: Round) => Promise<void>
  /** Concurrent rounds, each with an account of its own; fewer for clients that are processes. */
  readonly atOnce: number
}

const CLIENTS: Readonly<Record<string, Client>> = {
  ethers: { try: tryEthers, atOnce: 10 },
  viem: { try: tryViem, atOnce: 10 },
  'web3.js': { try: tryWeb3, atOnce: 10 },
  cast: { try: tryCast, atOnce: 2 },
  forge: { try: tryForge, atOnce: 1 },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '50' } },
})
const times = Number(values.times)
const unknown = positionals.find((name) => CLIENTS[name] === undefined)
if (unknown !== undefined || !Number.isInteger(times) || times < 1) {
  console.error(
    `expected some of ${Object.keys(CLIENTS).join(', ')} and --times 1 or more, got ${process.argv.slice(2).join(' ')}`,
  )
  process.exit(2)
}

const cli = join(import.meta.dirname, '../../dist/cli.js')
if (!existsSync(cli)) throw new Error('dist/cli.js is not there: npm run build')
const devnet = await startCli(cli)
await using folder = await emptyFolder()
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(CLIENTS)) {
    const startMs = performance.now()
    const failures = await tryTimes(name, CLIENTS[name]!)
    const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
    console.log(`${name.padEnd(8)} ${times - failures.length} of ${times}  (${seconds} s)`)
    for (const failure of new Set(failures)) console.log(`  ${failure}`)
    if (failures.length > 0) process.exitCode = 1
  }
} finally {
  devnet.stop()
}

async function tryTimes(name: string, client: Client): Promise<string[]> {
  const failures: string[] = []
  let next = 0
  const worker = async (index: number) => {
    // Kept from round to round, like a user's folder.
    const round = {
      url: devnet.url,
      account: devnet.accounts[index]!,
      folder: join(folder.path, `${name}-${index}`),
    }
    await mkdir(round.folder)
    for (; next < times; ) {
      next++
      await client.try(round).catch((error) => failures.push(shortened(error)))
    }
  }
  await Promise.all(Array.from({ length: Math.min(client.atOnce, times) }, (_, index) => worker(index)))
  return failures
}

/** The beginning and the end of what went wrong, and its cause: calldata in between fills pages. */
function shortened(error: Error): string {
  const text = [error.message, (error.cause as Error | undefined)?.message].filter(Boolean).join(' <- ')
  return text.length > 600 ? `${text.slice(0, 200)} … ${text.slice(-400)}` : text
}
