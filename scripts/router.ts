/**
 * `preseal serve` behind a real nginx, with docs/router/nginx.conf. Measures the throughput of one process and of four,
 * and checks which chains answer after a process was added, and after one was killed.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData } from 'viem'
import { Loops } from '../fixtures/contracts/Loops.ts'
import { createDevnet } from '../src/index.ts'
import { freePort } from './anvil.ts'
import { answerOf, ask } from './ask.ts'
import { contest, summary } from './bench/measure.ts'
import { type RunningCli, startCli } from './startCli.ts'

const CHAINS = Array.from({ length: 24 }, (_, i) => `worker-${i}`)
const [ROUNDS, ROUND_MS] = process.argv.includes('--quick') ? [2, 500] : [5, 2_000]
/** Transfers of a batch. Its last request seals them. */
const TRANSFERS = 50
/** Time in which nginx takes over a configuration. */
const RELOAD_MS = 500

const folder = mkdtempSync(join(tmpdir(), 'preseal-router-'))
const configuration = join(folder, 'nginx.conf')
const port = await freePort()
const running: RunningCli[] = []
try {
  const base = await createDevnet({ rhythm: 'manual' })
  const [from, to] = base.accounts.map(({ address }) => address)
  const { address } = await base.deploy(Loops)
  const loops = {
    address,
    data: encodeFunctionData({ abi: Loops.abi, functionName: 'sumOfSquares', args: [150_000n] }),
  }
  await base.mine()
  const state = join(folder, 'state.json')
  writeFileSync(state, Buffer.concat([...base.dump()]))
  const options = ['serve', '--rhythm', 'manual', '--load-state', state, '--no-create-on-request']
  for (let i = 0; i < 5; i++) running.push(await startCli('dist/cli.js', options))

  const requests = Array.from({ length: TRANSFERS }, () =>
    request('eth_sendTransaction', [{ from, to, gas: '0x5208' }]),
  )
  const batch = `[${[...requests, request('evm_mine')].join()}]`
  // The client and nginx take a millisecond and a half of the same processors for a request. This call runs for 13 ms.
  const call = request('eth_call', [{ to: loops.address, data: loops.data }, 'latest'])
  await compare('transfers', batch, TRANSFERS)
  await compare('calls of 150,000 rounds', call, 1)

  await begin(running.slice(0, 4))
  for (const name of CHAINS) await ask(urlOf(name), 'evm_mine')
  const before = await holders()
  route(running)
  const afterAdding = await answering()
  assert.deepEqual(await holders(), before, 'the chains stay in their processes')
  console.log(
    `a fifth process: ${afterAdding.length} of ${CHAINS.length} chains are reached as before, others say:`,
  )
  await tell(afterAdding)

  route(running.slice(0, 4))
  assert.equal((await answering()).length, CHAINS.length, 'without the fifth process, all chains are reached')
  running[0]!.stop()
  const afterKill = await answering()
  assert.deepEqual(
    afterKill,
    CHAINS.filter((name) => before.get(name) !== running[0]),
    'a killed process takes its own chains with it, and no others',
  )
  console.log(
    `a process killed: ${afterKill.length} of ${CHAINS.length} chains answer as before, others say:`,
  )
  await tell(afterKill)
} finally {
  spawnSync('nginx', ['-c', configuration, '-s', 'stop'])
  for (const each of running) each.stop()
  rmSync(folder, { recursive: true, force: true })
}

function urlOf(name: string): string {
  return `http://127.0.0.1:${port}/c/${name}`
}

function request(method: string, params: unknown[] = []): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Starts nginx in front of `processes`, or lets it read the changed configuration. */
function route(processes: readonly RunningCli[]): void {
  const isRunning = existsSync(configuration)
  const servers = processes.map(({ url }) => `server ${new URL(url).host} max_fails=0;`).join('\n')
  const text = readFileSync('docs/router/nginx.conf', 'utf8')
    .replace(/^ +server preseal-.*(?:\n +server preseal-.*)*$/m, servers)
    .replace('listen 8545;', `listen 127.0.0.1:${port};`)
    .replace(/^events/m, `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents`)
  writeFileSync(configuration, text)
  const { error, status, stderr } = spawnSync('nginx', [
    '-c',
    configuration,
    ...(isRunning ? ['-s', 'reload'] : []),
  ])
  if (error) throw new Error('nginx is missing: `apt-get install nginx-light` installs it')
  assert.equal(status, 0, String(stderr))
}

/** Prints the throughput of one process and of four: how much of `body` is done in a second. */
async function compare(what: string, body: string, amount: number): Promise<void> {
  const rates = await contest(
    [1, 4].map((count) => () => throughput(running.slice(0, count), body, amount)),
    ROUNDS,
  )
  const [one, four] = rates.map((each) => summary(each).median)
  const ratio = summary(rates[1]!.map((rate, i) => rate / rates[0]![i]!)).median
  console.log(`${what} a second: ${one!.toFixed(0)} with one process, ${four!.toFixed(0)} with four`)
  console.log(`four to one: ${ratio.toFixed(2)}, median of ${ROUNDS} rounds`)
}

/** The amount done in a second through nginx, with all chains at once, whose first state each round begins with. */
async function throughput(processes: readonly RunningCli[], body: string, amount: number): Promise<number> {
  await begin(processes)
  const until = performance.now() + ROUND_MS
  let done = 0
  const drive = async (name: string) => {
    while (performance.now() < until) {
      const answer = await answerOf(urlOf(name), body)
      assert(!answer.includes('"error"'), answer)
      done += amount
    }
  }
  const started = performance.now()
  await Promise.all(CHAINS.map(drive))
  return (done * 1000) / (performance.now() - started)
}

/** Routes to `processes`, and creates the chains anew. */
async function begin(processes: readonly RunningCli[]): Promise<void> {
  for (const { url } of running) {
    for (const name of CHAINS) await fetch(`${url}/c/${name}`, { method: 'DELETE' })
  }
  route(processes)
  await sleep(RELOAD_MS)
  for (const name of CHAINS) assert.equal((await fetch(urlOf(name), { method: 'PUT' })).status, 201)
}

/** The process of each chain, by its name. */
async function holders(): Promise<ReadonlyMap<string, RunningCli>> {
  const held = await Promise.all(
    running.map(async (process) => {
      const { chains } = (await (await fetch(`${process.url}/c`)).json()) as { chains: { name: string }[] }
      return chains.map(({ name }) => [name, process] as const)
    }),
  )
  return new Map(held.flat())
}

/** The chains that are reached through nginx, with the block that was sealed there. */
async function answering(): Promise<string[]> {
  await sleep(RELOAD_MS)
  const numbers = await Promise.all(
    CHAINS.map((name) => ask(urlOf(name), 'eth_blockNumber').catch(() => '0x1')),
  )
  return CHAINS.filter((_, i) => Number(numbers[i]) > 1)
}

/** Prints the answer to a request to one of the chains that do not answer. */
async function tell(reached: readonly string[]): Promise<void> {
  const name = CHAINS.find((each) => !reached.includes(each))!
  console.log(`  ${await answerOf(urlOf(name), request('eth_blockNumber'))}`)
}
