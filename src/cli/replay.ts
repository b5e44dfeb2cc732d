/** `preseal replay`: plays a recording and prints the result. */
import { stat } from 'node:fs/promises'
import pc from 'picocolors'
import type { Devnet } from '../devnet/devnet.ts'
import { LoadFailed } from '../index.ts'
import { version } from '../model/text.ts'
import { InvalidRecording } from '../recording/readRecording.ts'
import type { Difference } from '../recording/replay/comparison.ts'
import {
  type AskElsewhere,
  LineNotReached,
  type Replay,
  replay,
  replayElsewhere,
} from '../recording/replay/replay.ts'
import { ChainFileFailed, fail } from './chainFiles.ts'
import { InvalidFlag } from './flagTable.ts'
import type { Invocation } from './invocation.ts'
import { openPage } from './page.ts'
import { progressOfReading } from './progress.ts'
import { endOnSignals } from './signals.ts'

type ReplayArguments = NonNullable<Invocation['replay']>
type Print = (line: string) => void

/** Exit codes. */
const DIFFERENT = 1
const CUT_OFF = 3

/**
 * Plays a recording as the command line requires, and then listens if requested. Returns the exit code: 0 if all
 * responses were the same; 1 if one differs; 3 if none differs, but the recording is truncated, so that its end is
 * unknown. Throws `ChainFileFailed` if the file is not a recording, `InvalidFlag` if it has no line `--until`.
 */
export async function replayFile(
  invocation: Invocation,
  args: ReplayArguments,
  print: Print,
): Promise<number> {
  const tell = (replayed: Replay) => {
    for (const line of linesOf(replayed, args, invocation)) print(line)
  }
  const { difference, ending } = await reading('replay', args.file, () =>
    played(invocation, args, tell, print),
  )
  if (difference !== undefined) return DIFFERENT
  return ending === 'cut' ? CUT_OFF : 0
}

async function played(
  invocation: Invocation,
  { file, url, until, isKept }: ReplayArguments,
  tell: (replayed: Replay) => void,
  print: Print,
): Promise<Replay> {
  const { size } = await stat(file)
  const { report } = invocation
  const { source, progress } = progressOfReading(`playing ${file}`, file, size, { report, print })
  try {
    if (url !== undefined) {
      const replayed = await replayElsewhere(source, askAt(url), until)
      progress.end()
      tell(replayed)
      return replayed
    }
    return await replay(source, {
      options: invocation.options,
      ...(until === undefined ? {} : { until }),
      async look(devnet, replayed) {
        progress.end()
        tell(replayed)
        if (isKept) await keep(devnet, invocation, print)
      },
    })
  } finally {
    progress.end()
  }
}

/** Listens until a signal arrives. */
async function keep(devnet: Devnet, invocation: Invocation, print: Print): Promise<void> {
  const { port, host, report, isJson, page: choice } = invocation
  const listener = await devnet.listen({ port, host, ...(choice !== undefined && { page: choice }) })
  const { url, pageUrl: page } = listener
  if (report === 'text') {
    if (page !== undefined) print(`Page at ${page}`)
    print(`Listening on ${listener.host}:${listener.port}; time stands, nothing makes ticks`)
  } else if (isJson) print(JSON.stringify({ event: 'listening', url, host, port: listener.port, page }))
  await openPage(page, invocation, warn)
  await new Promise<void>((resolve) => {
    endOnSignals(async () => resolve(), warn)
  })
}

function warn(text: string): void {
  process.stderr.write(`preseal: ${text}\n`)
}

/** Runs `read`, which reads the recording `file` for `command`. Throws `ChainFileFailed` if that is none. */
export async function reading<T>(command: string, file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InvalidRecording || error instanceof LoadFailed) {
      throw new ChainFileFailed(`${command} ${file}: ${error.message}`)
    }
    if (error instanceof LineNotReached) throw new InvalidFlag(`--until: ${error.reason}`)
    if (error instanceof Error && 'syscall' in error) return fail(command, file, error)
    throw error
  }
}

function askAt(url: string): AskElsewhere {
  let id = 0
  return async (method, params) => {
    let answer: Record<string, unknown>
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      })
      answer = (await response.json()) as Record<string, unknown>
    } catch (error) {
      const { cause = error } = error as Error
      throw new ChainFileFailed(`--url ${url}: no JSON was answered: ${(cause as Error).message}`)
    }
    const { result, error } = answer
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error: error as never }
  }
}

function linesOf(replayed: Replay, { file, url }: ReplayArguments, { report, isJson }: Invocation): string[] {
  if (isJson) {
    return [JSON.stringify({ event: 'replayed', file, ...replayed, difference: replayed.difference ?? null })]
  }
  return report === 'silent' ? [] : [...notes(replayed, url), ...outcome(replayed)]
}

/** Returns notes on what was not compared exactly. */
function* notes(
  { recordedBy, ending, lastLine, notAsked, subscriptions }: Replay,
  url: string | undefined,
): Iterable<string> {
  if (recordedBy !== version) yield `recorded by preseal ${recordedBy}, played by ${version}`
  if (url !== undefined) yield `asked ${url}: ticks, time and what was done in process are not played there`
  if (ending === 'cut') {
    yield `the recording was cut off after line ${lastLine}: all that is whole of it was played (exit code ${CUT_OFF})`
  }
  if (notAsked > 0) yield `${notAsked} requests could not be asked again`
  if (subscriptions > 0) yield `what ${subscriptions} subscriptions were told is not compared`
}

function* outcome({ requests, ticks, difference }: Replay): Iterable<string> {
  const count = `${requests.toLocaleString('en')} requests and ${ticks.toLocaleString('en')} ticks`
  if (difference === undefined) yield `${count}: ${pc.green('no difference')}`
  else yield* differenceLines(difference, count)
}

function* differenceLines(difference: Difference, count: string): Iterable<string> {
  const { line, request, tick, method, params, path, recorded, answered } = difference
  yield `${count}: ${pc.red('a difference')} in line ${line}, request ${request}, after tick ${tick}${placeText(difference)}`
  yield `  ${method} ${shown(params)}`
  yield `  ${path}`
  yield `    recorded ${shown(recorded)}`
  yield `    answered ${shown(answered)}`
}

function placeText({ block, slice, time }: Difference): string {
  if (block === undefined || time === undefined) return ''
  const where = slice ? `block ${block}, slice ${slice}` : `block ${block}`
  return ` (${where}, ${new Date(time).toISOString()})`
}

const MOST_CHARACTERS = 400

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
