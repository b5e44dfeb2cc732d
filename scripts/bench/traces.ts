/**
 * debug_traceTransaction of a transaction of 100,000 steps: how long the answer takes, and how much memory at its peak.
 *
 * The two do not do the same: anvil has noted each step when the transaction ran, for which it has to be started with
 * `--steps-tracing`; ours has noted nothing, and runs the transaction once more.
 */
import { Client, type Question, single } from './http/load.ts'
import type { Load } from './http/protocol.ts'
import { contest, summary } from './measure.ts'
import { NO_PEAK, peakMemory } from './peakMemory.ts'
import { ANVIL_IS_ABSENT, startAnvil } from './peers/anvil.ts'
import { ask } from './peers/ask.ts'
import { start, told } from './processes.ts'
import { beside, type Row, type Thoroughness } from './row.ts'
import { count, shown } from './table.ts'
import { type Traced, transactionOf } from './traces/transaction.ts'

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

export async function* traces(thoroughness: Thoroughness): AsyncGenerator<Row> {
  const isFull = thoroughness === 'full'
  const { steps, rounds } = isFull ? { steps: 100_000, rounds: 5 } : { steps: 10_000, rounds: 1 }
  const client = new Client()
  const servers = [await startOurs(steps), await startTheirs(steps)].filter((server) => server !== undefined)
  try {
    for (const tracer of TRACERS) {
      const size = await sizeOf(servers, tracer)
      const loads = servers.map((server) => client.time(loadOf(server, tracer)))
      const [ours, theirs] = await contest(loads, rounds)
      yield {
        what: `a trace of ${count(steps)} steps over HTTP, ${tracer.name}: ${shown(size, 'bytes')}`,
        ours: summary(ours!),
        unit: 'microseconds',
        peer: theirs === undefined ? ANVIL_IS_ABSENT : beside('anvil', ours!, theirs),
      }
    }
    yield* peaks(client, steps, rounds, await sizeOf(servers, STRUCT_LOGGER))
  } finally {
    client.close()
    for (const server of servers) await server.stop()
  }
}

/** Each time in a new process: what it had for one answer it does not give back to the machine before the next. */
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
  const row = { what, ours: summary(ours), unit: 'bytes' } as const
  const sizes = ours.map(() => size)
  yield { ...row, peer: beside('the answer itself', ours, sizes) }
  yield { ...row, peer: theirs.length === 0 ? ANVIL_IS_ABSENT : beside('anvil', ours, theirs) }
}

/** A process with a transaction to be traced. */
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
  return {
    url: server.url,
    bodies: [single(questionOf(server, tracer))],
    connections: 1,
    until: { times: 1 },
  }
}

/** Bytes of the answer. Throws unless all give one of the same size. */
async function sizeOf(servers: readonly Server[], tracer: Tracer): Promise<number> {
  const sizes: number[] = []
  for (const server of servers) {
    const answer = await ask(server.url, questionOf(server, tracer))
    sizes.push(JSON.stringify(answer).length)
  }
  if (new Set(sizes).size > 1) throw new Error(`${tracer.name}: answers of ${sizes.join(' and ')} bytes`)
  return sizes[0]!
}
