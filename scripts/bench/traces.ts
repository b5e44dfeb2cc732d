/**
 * debug_traceTransaction of a transaction of 100,000 steps: the time of the answer, and the peak of memory.
 *
 * The two work differently: anvil records each step when it runs the transaction, if it was started with
 * `--steps-tracing`; ours records nothing, and runs the transaction again.
 */
import { Store } from '../../fixtures/contracts/Store.ts'
import { ask } from '../ask.ts'
import { Client, type Load, type Question, single } from './http/load.ts'
import { contest } from './measure.ts'
import { besideAnvil, startAnvil } from './peers/anvil.ts'
import { NO_PEAK, peakMemory, start, told } from './processes.ts'
import { beside, type Row, rowOf, type Thoroughness } from './row.ts'
import { type Chain, dataOf, deploy, send } from './scenario.ts'
import { count, shown } from './table.ts'

interface Tracer {
  readonly name: string
  readonly config: object
}

const STRUCT_LOGGER: Tracer = { name: 'the struct logger', config: {} }
const TRACERS: readonly Tracer[] = [
  STRUCT_LOGGER,
  { name: 'the struct logger without stacks', config: { disableStack: true } },
  { name: 'the struct logger with memory', config: { enableMemory: true } },
  { name: 'callTracer', config: { tracer: 'callTracer' } },
]

export default async function* traces(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const isFull = thoroughness === 'full'
  const { steps, rounds } = isFull ? { steps: 100_000, rounds: 5 } : { steps: 10_000, rounds: 1 }
  using client = new Client()
  const servers = [await startOurs(steps), await startTheirs(steps)].filter((server) => server !== undefined)
  try {
    for (const tracer of TRACERS) {
      const size = await sizeOf(servers, tracer)
      const loads = servers.map((server) => client.time(loadOf(server, tracer)))
      const [ours, theirs] = await contest(loads, rounds)
      const what = `a trace of ${count(steps)} steps over HTTP, ${tracer.name}: ${shown(size, 'bytes')}`
      yield rowOf(what, ours!, { peer: besideAnvil(ours!, theirs) })
    }
    yield* peaks(client, steps, rounds, await sizeOf(servers, STRUCT_LOGGER))
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** Each round in a new process: a process keeps the memory of one answer for the next. */
async function* peaks(client: Client, steps: number, rounds: number, size: number): AsyncGenerator<Row> {
  const what = `memory for a trace of ${count(steps)} steps, ${STRUCT_LOGGER.name}, at its peak`
  if (NO_PEAK !== undefined) {
    yield { what, skipped: NO_PEAK }
    return
  }
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [server, found] of [
      [await startOurs(steps), ours],
      [await startTheirs(steps), theirs],
    ] as const) {
      if (server === undefined) continue
      found.push(await peakMemory(server.pid, () => client.run(loadOf(server, STRUCT_LOGGER))))
      await server.stop()
    }
  }
  const sizes = ours.map(() => size)
  yield rowOf(what, ours, { unit: 'bytes', peer: beside('the answer itself', ours, sizes) })
  yield rowOf(what, ours, { unit: 'bytes', peer: besideAnvil(ours, theirs) })
}

/** A chain with a transaction to be traced. */
export interface Traced {
  readonly url: string
  readonly hash: string
}

/** Its process. */
interface Server extends Traced {
  readonly pid: number
  stop(): void | Promise<void>
}

async function startOurs(steps: number): Promise<Server> {
  const child = start('./traces/preseal.ts', [String(steps)])
  return { ...(await told<Traced>(child)), pid: child.pid!, stop: () => void child.kill() }
}

async function startTheirs(steps: number): Promise<Server | undefined> {
  const anvil = await startAnvil(['--no-mining', '--steps-tracing'])
  return (
    anvil && { url: anvil.url, pid: anvil.pid, hash: await transactionOf(anvil, steps), stop: anvil.stop }
  )
}

function questionOf({ hash }: Server, { config }: Tracer): Question {
  return { method: 'debug_traceTransaction', params: [hash, config] }
}

function loadOf(server: Server, tracer: Tracer): Load {
  return { url: server.url, bodies: [single(questionOf(server, tracer))], until: { times: 1 } }
}

/** Bytes of the answer. Throws unless all servers send the same number. */
async function sizeOf(servers: readonly Server[], tracer: Tracer): Promise<number> {
  const sizes: number[] = []
  for (const server of servers) {
    const { method, params } = questionOf(server, tracer)
    const answer = await ask(server.url, method, params)
    sizes.push(JSON.stringify(answer).length)
  }
  if (new Set(sizes).size > 1) throw new Error(`${tracer.name}: answers of ${sizes.join(' and ')} bytes`)
  return sizes[0]!
}

/** Steps of a round of `Store.loop`, and of the call around them. */
const STEPS_PER_ROUND = 18
const STEPS_AROUND = 94

/** Mines a transaction of at least `steps` steps of plain arithmetic, and returns its hash. */
export async function transactionOf(chain: Chain, steps: number): Promise<string> {
  const to = await deploy(chain, Store)
  const rounds = BigInt(Math.ceil((steps - STEPS_AROUND) / STEPS_PER_ROUND))
  const from = chain.accounts[0]!.address
  const hash = await send(chain, { from, to, data: dataOf(Store, 'loop', [rounds]), gas: 5_000_000 })
  await chain.mine()
  return hash as string
}
