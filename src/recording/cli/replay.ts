import { stat } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import pc from 'picocolors'
import type { Devnet } from '../../devnet/devnet.ts'
import { version } from '../../model/api/text.ts'
import type { Config } from '../../options/configFile.ts'
import { FLAGS, InvalidFlag, optionsIn } from '../../options/flags.ts'
import type { DevnetOptions } from '../../options/options.ts'
import { FIXED_BY_GENESIS } from '../../options/parseOptions.ts'
import { LoadFailed } from '../../saving/format/loadFailed.ts'
import type { CommandOutput, Subcommand } from '../../terminal/feature.ts'
import { FileFailed, fail } from '../../terminal/files.ts'
import {
  CONFIG_MEANING,
  commandLineFlagsOf,
  flagValuesOf,
  formatOf,
  listed,
  meaningOf,
  portOf,
  wholeNumberOf,
} from '../../terminal/flags.ts'
import { openPage, PAGE_FLAGS, type PageChoice, pageOf } from '../../terminal/page.ts'
import { type Format, progressOfReading } from '../../terminal/progress.ts'
import { endOnSignals } from '../../terminal/signals.ts'
import { InvalidRecording } from '../readRecording.ts'
import type { Difference } from '../replay/comparison.ts'
import { type AskElsewhere, LineNotReached, type Replay, replay, replayElsewhere } from '../replay/replay.ts'

const DIFFERENT = 1
const CUT_OFF = 3

/** Options for which `preseal replay` has no flag: the recording determines them, or they affect only printed lines. */
const AS_RECORDED: readonly (keyof DevnetOptions)[] = [
  ...FIXED_BY_GENESIS,
  'profile',
  'rhythm',
  'tickMs',
  'strict',
  'consoleLogs',
]

export const replayCommand: Subcommand = {
  name: 'replay',
  define(command) {
    command
      .description(
        'Plays a recording of --record as fast as possible, and shows the first response that differs.',
      )
      .argument('<file>', 'the recording')
      .option('--until <line>', 'line of the file before which the replay stops')
      .option('--keep', 'listen afterwards, without ticks, to inspect the state')
      .option('--url <url>', 'send the requests to another node, which has its own blocks and time')
      .option('--port <port>', 'port to listen on with --keep; 0 takes a free one', '8545')
      .option('--host <address>', 'interface to listen on', '127.0.0.1')
      .option('--config <file>', CONFIG_MEANING)
      .option('--silent', 'print only errors; with --json also the result')
      .option('--json', 'print one JSON object per line')
    for (const option of PAGE_FLAGS) command.addOption(option)
    for (const flag of FLAGS) {
      if (AS_RECORDED.includes(flag.option)) continue
      command.addOption(listed(new Option(flag.flag, `${meaningOf(flag)} (default: as recorded)`), flag))
    }
  },
  usesConfig: () => true,
  parse(command, config) {
    const args = replayArguments(command, config)
    return { format: args.format, run: (output) => replayFile(args, output) }
  },
}

export interface ReplayArguments extends PageChoice {
  readonly file: string
  readonly options: DevnetOptions
  readonly url: string | undefined
  readonly until: number | undefined
  /** Whether the devnet listens on `host` and `port` after the replay. */
  readonly isKept: boolean
  readonly port: number
  readonly host: string
  readonly format: Format
  /** Whether to print the result as JSON, even with `--silent`. */
  readonly isJson: boolean
}

/** Parses the flags of `preseal replay`. Throws `InvalidFlag`. */
export function replayArguments(command: Command, config: Config | undefined): ReplayArguments {
  const given = flagValuesOf(command, config)
  const { url, until, keep } = command.opts<{ url?: string; until?: string; keep?: true }>()
  if (url !== undefined && !URL.canParse(url)) throw new InvalidFlag(`--url: expected a URL, got "${url}"`)
  if (url !== undefined && keep) throw new InvalidFlag('--keep: cannot be combined with --url')
  return {
    file: command.args[0]!,
    options: optionsIn(commandLineFlagsOf(command)),
    url,
    until: until === undefined ? undefined : wholeNumberOf('--until', 'a line', until, 1),
    isKept: keep === true,
    port: portOf(given),
    host: given.host as string,
    ...pageOf(given, false),
    format: formatOf(given),
    isJson: given.json === true,
  }
}

/** Plays the recording. Returns the exit code. Throws `FileFailed`, and `InvalidFlag` if there is no line `--until`. */
async function replayFile(args: ReplayArguments, output: CommandOutput): Promise<number> {
  const { difference, ending } = await reading('replay', args.file, () => played(args, output))
  if (difference !== undefined) return DIFFERENT
  return ending === 'cut' ? CUT_OFF : 0
}

async function played(args: ReplayArguments, output: CommandOutput): Promise<Replay> {
  const { file, url, until, isKept, options } = args
  const { size } = await stat(file)
  const { source, progress } = progressOfReading(`playing ${file}`, file, size, output)
  const show = (replayed: Replay) => {
    progress.end()
    for (const line of linesOf(replayed, args)) output.print(line)
  }
  try {
    if (url !== undefined) {
      const replayed = await replayElsewhere(source, askAt(url), until)
      show(replayed)
      return replayed
    }
    return await replay(source, {
      options,
      ...(until === undefined ? {} : { until }),
      async look(devnet, replayed) {
        show(replayed)
        if (isKept) await keep(devnet, args, output)
      },
    })
  } finally {
    progress.end()
  }
}

async function keep(devnet: Devnet, args: ReplayArguments, { print, warn }: CommandOutput): Promise<void> {
  const { format, isJson, page: choice } = args
  const listener = await devnet.listen({
    port: args.port,
    host: args.host,
    ...(choice !== undefined && { page: choice }),
  })
  const { url, host, port, pageUrl: page } = listener
  if (format === 'text') {
    if (page !== undefined) print(`Page at ${page}`)
    print(`Listening on ${host}:${port}; the time stands still, and there are no ticks`)
  } else if (isJson) print(JSON.stringify({ event: 'listening', url, host: args.host, port, page }))
  await openPage(page, args, warn)
  await new Promise<void>((resolve) => {
    endOnSignals(async () => resolve(), warn)
  })
}

/** Returns the result of `read`. Throws `FileFailed`, which names `command` and `file`, for an invalid recording. */
export async function reading<T>(command: string, file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InvalidRecording || error instanceof LoadFailed) {
      throw new FileFailed(`${command} ${file}: ${error.message}`)
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
      throw new FileFailed(`--url ${url}: no JSON in the response: ${(cause as Error).message}`)
    }
    const { result, error } = answer
    return error === undefined ? { kind: 'result', result } : { kind: 'error', error: error as never }
  }
}

function linesOf(replayed: Replay, { file, url, format, isJson }: ReplayArguments): string[] {
  if (isJson) {
    return [JSON.stringify({ event: 'replayed', file, ...replayed, difference: replayed.difference ?? null })]
  }
  return format === 'silent' ? [] : [...notes(replayed, url), ...outcome(replayed)]
}

function* notes(
  { recordedBy, ending, lastLine, notAsked, subscriptions }: Replay,
  url: string | undefined,
): Iterable<string> {
  if (recordedBy !== version) yield `recorded by preseal ${recordedBy}, played by ${version}`
  if (url !== undefined) yield `sent to ${url}, without the ticks, the time and the calls in process`
  if (ending === 'cut') {
    yield `the recording was cut off after line ${lastLine}: it was played up to this line (exit code ${CUT_OFF})`
  }
  if (notAsked > 0) yield `${notAsked} requests could not be repeated`
  if (subscriptions > 0) yield `the notifications of ${subscriptions} subscriptions were not compared`
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
