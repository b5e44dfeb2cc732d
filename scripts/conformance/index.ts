/**
 * Plays the suite of ethereum/execution-apis against a devnet, as hive's `rpc-compat` plays it against a node.
 *
 *   npm run conformance -- DIR                      DIR is the folder tests/ of that repository
 *   npm run conformance -- DIR --dialect base       geth is the default
 *   npm run conformance -- DIR --only eth_call      one method, or one file: eth_call/call-contract; repeatable
 *
 * If the specification is beside DIR (`../src`), all its methods are called on the chain of the suite, too, and the
 * answers are checked against the schemas; not with --only.
 *
 * Exits with 1 if a file differs in other ways than ./deviations.ts allows or an answer violates its schema, and with 2 if
 * nothing can be played.
 */
import { join } from 'node:path'
import { createDevnet, type Devnet, ImportFailed, InvalidOption } from '../../src/index.ts'
import { answerOf } from '../ask.ts'
import { folderAndFlags, Unplayable } from '../commandLine.ts'
import { checkAnswers } from './answers.ts'
import { DEVIATIONS, type Dialect } from './deviations.ts'
import type { IoFile } from './ioFile.ts'
import { type Ask, play } from './play.ts'
import { type Played, report } from './report.ts'
import { readSpecification, type Specification } from './specification.ts'
import { readSuite, type Suite } from './suite.ts'
import { verdict } from './verdict.ts'

/** hive waits for 5 s, on a machine that has nothing else to do. */
const PATIENCE_MS = 60_000

const USAGE = 'usage: npm run conformance -- DIR [--dialect geth|base] [--only METHOD[/FILE]]…'

/** Plays the folder that the command line names, prints the report and returns the exit code. */
export async function conformance(
  args: readonly string[],
  print: (text: string) => void,
): Promise<0 | 1 | 2> {
  try {
    const { folder, dialect, only } = parseCommand(args)
    const suite = readSuite(folder, only)
    const specification = readSpecification(join(folder, '..', 'src'))
    const played = await playOn(suite, dialect, specification)
    print(report(played, dialect))
    const checked =
      specification === undefined || only.length > 0 ? [] : await check(suite, dialect, specification, print)
    const hasFailed = played.some(({ verdict }) => verdict.kind === 'fail')
    return hasFailed || checked.length > 0 ? 1 : 0
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    print(`conformance: ${(error as Error).message}`)
    return code
  }
}

async function playOn(
  suite: Suite,
  dialect: Dialect,
  specification: Specification | undefined,
): Promise<readonly Played[]> {
  await using devnet = await stage(suite, dialect)
  const { url } = await devnet.listen({ port: 0 })
  return await playAll(suite.files, dialect, (body) => answerOf(url, body, PATIENCE_MS), specification)
}

/** The imported chain has another head than the suite's, so that every answer would differ. */
class WrongHead extends Error {}

/** Imports the chain and checks its heads. The chain does not change afterwards. */
async function stage({ genesis, chain, heads }: Suite, dialect: Dialect): Promise<Devnet> {
  const devnet = await createDevnet({
    genesis,
    dialect,
    rhythm: 'manual',
    safeDistance: 0,
    finalizedDistance: 0,
  })
  await devnet.import(chain)
  for (const [tag, hash] of Object.entries(heads)) {
    const block = await devnet.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
    const got = (block as { hash: string } | null)?.hash
    if (got !== hash) throw new WrongHead(`expected ${tag} to be block ${hash} of headfcu.json, got ${got}`)
  }
  return devnet
}

/** Checks answers against the schemas, prints a summary and returns the flaws. */
async function check(
  suite: Suite,
  dialect: Dialect,
  specification: Specification,
  print: (text: string) => void,
): Promise<readonly string[]> {
  await using devnet = await stage(suite, dialect)
  const { counts, flaws } = await checkAnswers(devnet, specification, dialect)
  const answers = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const found = flaws.length === 0 ? 'all are as its schemas say' : `${flaws.length} differences:`
  const summary = `${answers} answers of ${counts.size} methods of the specification: ${found}`
  print([summary, ...flaws.slice(0, MOST_FLAWS)].join('\n'))
  return flaws
}

/** Lines to print: one mistake appears in many answers. */
const MOST_FLAWS = 40

/** 2 if nothing can be played, 1 if the devnet refuses the chain; `undefined`: a bug of this script. */
function exitCodeOf(error: unknown): 1 | 2 | undefined {
  if (error instanceof Unplayable) return 2
  return [InvalidOption, ImportFailed, WrongHead].some((kind) => error instanceof kind) ? 1 : undefined
}

/** Plays the files one after the other, since some send transactions. */
export async function playAll(
  files: readonly IoFile[],
  dialect: Dialect,
  ask: Ask,
  specification?: Specification,
): Promise<Played[]> {
  const played: Played[] = []
  for (const file of files) {
    const outcome = await play(file, ask, specification)
    played.push({ name: file.name, verdict: verdict(outcome, DEVIATIONS[dialect][file.name]) })
  }
  return played
}

function parseCommand(args: readonly string[]): { folder: string; dialect: Dialect; only: string[] } {
  const options = {
    dialect: { type: 'string', default: 'geth' },
    only: { type: 'string', multiple: true, default: [] as string[] },
  } as const
  const { folder, values } = folderAndFlags(args, options, USAGE)
  const { dialect, only } = values
  if (isDialect(dialect)) return { folder, dialect, only }
  const dialects = Object.keys(DEVIATIONS).join(' or ')
  throw new Unplayable(`expected dialect ${dialects}, got ${dialect}\n${USAGE}`)
}

function isDialect(name: string): name is Dialect {
  return Object.hasOwn(DEVIATIONS, name)
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await conformance(process.argv.slice(2), console.log)
}
