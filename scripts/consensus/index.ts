/**
 * Plays blockchain tests of Ethereum (ethereum/execution-spec-tests, ethereum/tests, ethereum/legacytests): each on a
 * devnet that begins with the test's block 0 and imports its blocks. Exits with 1 if one fails, with 2 for a wrong folder
 * or command line.
 */
import { folderAndFlags, Unplayable } from '../commandLine.ts'
import { ENGINES, type Engine } from './play.ts'
import { report } from './report.ts'
import { type Choice, filesIn, linesOf } from './suite.ts'
import type { Played } from './verdict.ts'
import { playAll, type WorkerOptions } from './workers.ts'

/** `--quick` plays one test of this many. */
const QUICK = 20

const USAGE = `usage: npm run consensus -- FOLDER [--network NAME]… [--only TEXT]… [--sample N | --quick]
  [--engine ${ENGINES.join('|')}] [--workers N] [--limit SECONDS]
  --network  plays the tests of this network
  --only     plays the tests whose names have this text in them
  --sample   plays one of N tests, always the same
  --quick    plays one of ${QUICK} tests, some 15 s on two processors; three times that with ethereumjs
  --workers  processes that play at the same time, 2 by default
  --limit    seconds that a test may take, 120 by default`

interface Command extends WorkerOptions {
  readonly folder: string
  readonly choice: Choice
}

/** Plays the folder that the command line names, prints the report and returns the exit code. */
export async function consensus(args: readonly string[], print: (text: string) => void): Promise<0 | 1 | 2> {
  try {
    const { folder, choice, ...options } = parseCommand(args)
    const start = performance.now()
    const played: Played[] = []
    await playAll(linesOf(filesIn(folder), choice), options, (one) => {
      played.push(one)
      if (one.verdict.kind === 'fail') print(`failed: ${one.network} ${one.name}`)
      if (played.length % 1_000 === 0) print(`${played.length} played`)
    })
    if (played.length === 0) throw new Unplayable(`${folder}: no test has such a network and name`)
    print(report(played, (performance.now() - start) / 1_000))
    return played.some(({ verdict }) => verdict.kind === 'fail') ? 1 : 0
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error
    print(`consensus: ${error.message}`)
    return 2
  }
}

const OPTIONS = {
  network: { type: 'string', multiple: true, default: [] as string[] },
  only: { type: 'string', multiple: true, default: [] as string[] },
  sample: { type: 'string' },
  quick: { type: 'boolean', default: false },
  engine: { type: 'string', default: 'wasm' },
  workers: { type: 'string', default: '2' },
  limit: { type: 'string', default: '120' },
} as const

function parseCommand(args: readonly string[]): Command {
  const { folder, values } = folderAndFlags(args, OPTIONS, USAGE)
  const { network, only, sample, quick, engine, workers, limit } = values
  if (quick && sample !== undefined) throw wrong('expected --sample or --quick, got both')
  if (!isEngine(engine)) throw wrong(`--engine: expected ${ENGINES.join(' or ')}, got ${engine}`)
  const oneOf = quick ? QUICK : numberOf('--sample', sample ?? '1')
  return {
    folder,
    choice: { networks: network, only, oneOf },
    engine,
    workers: numberOf('--workers', workers),
    limitSeconds: numberOf('--limit', limit),
  }
}

function isEngine(name: string): name is Engine {
  return (ENGINES as readonly string[]).includes(name)
}

function numberOf(flag: string, text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw wrong(`${flag}: expected a whole number from 1, got ${text}`)
}

function wrong(what: string): Unplayable {
  return new Unplayable(`${what}\n${USAGE}`)
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await consensus(process.argv.slice(2), console.log)
}
