/**
 * Plays the suite of ethereum/execution-apis against a devnet, as hive's `rpc-compat` plays it against a node.
 *
 *   npm run conformance -- DIR                      DIR is the folder tests/ of that repository
 *   npm run conformance -- DIR --dialect base       geth is the default
 *   npm run conformance -- DIR --only eth_call      one method, or one file: eth_call/call-contract; repeatable
 *
 * Exits with 0 where every file passes or differs as ./deviations.ts says, with 1 where one does not, and with 2 where
 * nothing can be played.
 */
import { parseArgs } from 'node:util'
import { ImportFailed, InvalidOption } from '../../src/index.ts'
import { askOverHttp } from './ask.ts'
import { DEVIATIONS, type Dialect } from './deviations.ts'
import { type IoFile, Unplayable } from './ioFile.ts'
import { type Ask, play } from './play.ts'
import { type Played, report } from './report.ts'
import { stage, WrongHead } from './stage.ts'
import { readSuite } from './suite.ts'
import { verdict } from './verdict.ts'

const USAGE = 'usage: npm run conformance -- DIR [--dialect geth|base] [--only METHOD[/FILE]]…'

class WrongUsage extends Error {
  constructor(what: string) {
    super(`${what}\n${USAGE}`)
  }
}

/** Plays the folder that the command line names, tells `print` what was found and answers the exit code. */
export async function conformance(
  args: readonly string[],
  print: (text: string) => void,
): Promise<0 | 1 | 2> {
  try {
    const { folder, dialect, only } = parseCommand(args)
    const suite = readSuite(folder, only)
    await using devnet = await stage(suite, dialect)
    const { url } = await devnet.listen({ port: 0 })
    const played = await playAll(suite.files, dialect, askOverHttp(url))
    print(report(played, dialect))
    return played.some(({ verdict }) => verdict.kind === 'fail') ? 1 : 0
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    print(`conformance: ${(error as Error).message}`)
    return code
  }
}

/** 2 where nothing can be played, 1 where the devnet does not even take the chain; else it is a mistake of this script. */
function exitCodeOf(error: unknown): 1 | 2 | undefined {
  if (error instanceof WrongUsage || error instanceof Unplayable) return 2
  const isFailure =
    error instanceof InvalidOption || error instanceof ImportFailed || error instanceof WrongHead
  return isFailure ? 1 : undefined
}

/** Plays the files one after the other, for some of them send transactions. */
export async function playAll(files: readonly IoFile[], dialect: Dialect, ask: Ask): Promise<Played[]> {
  const played: Played[] = []
  for (const file of files) {
    const outcome = await play(file, ask)
    played.push({ name: file.name, verdict: verdict(outcome, DEVIATIONS[dialect][file.name]) })
  }
  return played
}

function parseCommand(args: readonly string[]): { folder: string; dialect: Dialect; only: string[] } {
  const { values, positionals } = parsedArgs(args)
  const { dialect, only } = values
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0)
    throw new WrongUsage(`expected one folder, got ${positionals.join(' ') || 'none'}`)
  if (!isDialect(dialect))
    throw new WrongUsage(`expected dialect ${Object.keys(DEVIATIONS).join(' or ')}, got ${dialect}`)
  return { folder, dialect, only }
}

function parsedArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dialect: { type: 'string', default: 'geth' },
        only: { type: 'string', multiple: true, default: [] },
      },
    })
  } catch (cause) {
    throw new WrongUsage(cause instanceof Error ? cause.message : String(cause))
  }
}

function isDialect(name: string): name is Dialect {
  return Object.hasOwn(DEVIATIONS, name)
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = await conformance(process.argv.slice(2), console.log)
}
