/** Parses the flags of the command line, which set options of the devnet and of the listener. */
import type { Command } from 'commander'
import type { DevnetOptions } from '../options/options.ts'
import type { InvalidOption } from '../options/values.ts'
import { IMPORT_RULES, type ImportRules } from '../sequencer/import/flawInHeader.ts'
import { isOrigin } from '../server/origins.ts'
import type { Given } from './command.ts'
import {
  commandOf,
  defaultsOf,
  flagsIn,
  namedIn,
  REPLAY,
  REPORT,
  requireKnown,
  requireNothingBefore,
  SERVE,
} from './command.ts'
import type { Config } from './configFile.ts'
import { attributeOf, FLAGS, InvalidFlag } from './flagTable.ts'
import { flagOfMember, forkOf } from './forkFlags.ts'
import type { Invocation } from './invocation.ts'
import { pageOf } from './page.ts'

/**
 * Parses `argv` (in the form of `process.argv`) and `config`, over which flags take precedence. Prints help or the
 * version and ends the process if they are requested; ends it with code 2 for an unknown flag. Throws `InvalidFlag`.
 */
export function parseFlags(argv: readonly string[], config?: Config): Invocation {
  const command = commandOf(argv)
  requireKnown(command)
  requireNothingBefore(command)
  const isReplay = command.name() === REPLAY
  const given = { ...defaultsOf(command), ...flagsIn(config, command), ...namedIn(command) }
  // The recording has the options of its chain.
  const options: Record<string, unknown> = isReplay ? {} : { ...config?.options }
  const named = namedIn(command)
  for (const { flag, option, read } of FLAGS) {
    const value = named[attributeOf(flag)]
    if (value !== undefined)
      options[option] = typeof value === 'string' && read !== undefined ? read(value) : value
  }
  const fork = isReplay ? undefined : forkOf(named, config?.options?.fork)
  if (fork !== undefined) options.fork = fork
  if (options.history !== undefined && given.export !== undefined) {
    throw new InvalidFlag(
      '--export: expected nothing beside --history: a chain is exported from its beginning',
    )
  }
  return {
    options,
    mnemonicWords: wordsOf(given.mnemonicRandom, named.mnemonic),
    config: config?.file,
    port: wholeNumberOf('--port', 'a port', (given.port as string | undefined) ?? '0', 0, 65_535),
    host: given.host as string,
    allowedHosts: listOf(given.allowedHosts) ?? [],
    allowedOrigins: originsOf(listOf(given.allowedOrigins)),
    ...pageOf(given, options.strict === true),
    init: given.init as string | undefined,
    importFrom: given.import as string | undefined,
    importRules: importRulesOf(given.importRules as string | undefined),
    exportTo: given.export as string | undefined,
    exportGenesisTo: given.exportGenesis as string | undefined,
    ...stateFilesOf(given as StateFlags),
    fixtures: (given.fixture as string[] | undefined) ?? [],
    faults: given.faults as string | undefined,
    report: mannerOf(given),
    isJson: given.json === true,
    requests: requestsOf(given),
    trace: given.trace === true,
    serve:
      command.name() === SERVE
        ? { maxChains: wholeNumberOf('--max-chains', 'chains', given.maxChains as string, 1, 1_000_000) }
        : undefined,
    recordTo: given.record as string | undefined,
    replay: isReplay ? replayOf(command) : undefined,
  }
}

function replayOf(command: Command): Invocation['replay'] {
  const { url, until, keep } = command.opts<{ url?: string; until?: string; keep?: true }>()
  if (url !== undefined && !URL.canParse(url)) throw new InvalidFlag(`--url: expected a URL, got "${url}"`)
  if (url !== undefined && keep) throw new InvalidFlag('--keep: expected nothing beside --url')
  return {
    file: command.args[0]!,
    url,
    until: until === undefined ? undefined : wholeNumberOf('--until', 'a line', until, 1),
    isKept: keep === true,
  }
}

/** Returns the error of an option as an error of the flag that set it. */
export function toInvalidFlag(error: InvalidOption): InvalidFlag {
  const [name, member] = error.option.split('.')
  if (name === 'fork' && member !== undefined) {
    return new InvalidFlag(`${flagOfMember(member)}: expected ${error.expected}, got ${error.received}`)
  }
  if (name === 'genesis') return new InvalidFlag(error.message.replace(/^option /, '--init: '))
  const row = FLAGS.find(({ option }) => option === name)
  if (row === undefined) return new InvalidFlag(error.message)
  const flag = row.flag.split(' ')[0]
  return new InvalidFlag(`${flag}: expected ${row.expected ?? error.expected}, got ${error.received}`)
}

/** The flags of state files: what is loaded, and what is dumped when. */
interface StateFlags {
  readonly state?: string
  readonly loadState?: string
  readonly dumpState?: string
  readonly stateInterval?: string
}

/** Returns the state files that the flags name. Throws `InvalidFlag` for flags that do not go together. */
function stateFilesOf({
  state,
  loadState,
  dumpState,
  stateInterval,
}: StateFlags): Pick<Invocation, 'load' | 'dump'> {
  const other = loadState === undefined ? dumpState && '--dump-state' : '--load-state'
  if (state !== undefined && other !== undefined) {
    throw new InvalidFlag(`${other}: expected nothing beside --state, which loads and dumps`)
  }
  const dumped = state ?? dumpState
  if (stateInterval !== undefined && dumped === undefined) {
    throw new InvalidFlag('--state-interval: expected --state or --dump-state beside it')
  }
  const loaded = state ?? loadState
  const [toLoad, toDump] = state === undefined ? ['--load-state', '--dump-state'] : ['--state', '--state']
  return {
    load:
      loaded === undefined ? undefined : { file: loaded, flag: toLoad!, mayBeMissing: state !== undefined },
    dump:
      dumped === undefined ? undefined : { file: dumped, flag: toDump!, everyMs: intervalOf(stateInterval) },
  }
}

const MAX_INTERVAL_SECONDS = 86_400

function intervalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && seconds > 0 && seconds <= MAX_INTERVAL_SECONDS) return seconds * 1_000
  throw new InvalidFlag(
    `--state-interval: expected seconds (above 0, at most ${MAX_INTERVAL_SECONDS}), got "${text}"`,
  )
}

/** `preseal report`: the recording, and the file to write. */
export interface ReportArguments extends Pick<Invocation, 'report' | 'isJson' | 'isPageOpened'> {
  readonly file: string
  readonly output: string
  /** Whether an existing file is replaced. */
  readonly isForced: boolean
  /** Whether contracts are to have names, which artifacts know. */
  readonly hasNames: boolean
  /** Those artifacts; by default those of the configuration file, or of the project in the working folder. */
  readonly artifacts: DevnetOptions['artifacts']
}

/** Returns what `preseal report` is asked for in `argv`; `undefined` for all other commands. */
export function reportOf(argv: readonly string[]): ReportArguments | undefined {
  const command = commandOf(argv)
  if (command.name() !== REPORT) return undefined
  const given = namedIn(command)
  const file = command.args[0]!
  return {
    file,
    output: (given.output as string | undefined) ?? `${file.replace(/\.[^./\\]+$/, '')}.html`,
    isForced: given.force === true,
    hasNames: given.artifacts !== false,
    artifacts: typeof given.artifacts === 'string' ? given.artifacts : undefined,
    report: mannerOf(given),
    isJson: given.json === true,
    isPageOpened: given.open === true,
  }
}

/** Returns the whole number in the text of a flag; `noun`: what is counted by it. */
function wholeNumberOf(
  flag: string,
  noun: string,
  text: string,
  from: number,
  to = Number.POSITIVE_INFINITY,
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= from && value <= to) return value
  const range = to === Number.POSITIVE_INFINITY ? `of at least ${from}` : `from ${from} to ${to}`
  throw new InvalidFlag(`${flag}: expected ${noun} (a whole number ${range}), got "${text}"`)
}

/** Returns the form of the report. */
function mannerOf({ silent, json }: Given): Invocation['report'] {
  return silent === true ? 'silent' : json === true ? 'json' : 'text'
}

/** `replay` has no such flag. */
function importRulesOf(name = 'ethereum'): ImportRules {
  const rules = IMPORT_RULES.find((one) => one === name)
  if (rules === undefined) {
    throw new InvalidFlag(`--import-rules: expected ${IMPORT_RULES.join(' or ')}, got "${name}"`)
  }
  return rules
}

const MNEMONIC_WORDS = [12, 15, 18, 21, 24]

function wordsOf(random: unknown, mnemonic: unknown): number | undefined {
  if (random === undefined || random === false) return undefined
  if (mnemonic !== undefined) {
    throw new InvalidFlag('--mnemonic-random: expected nothing beside --mnemonic, which says all words')
  }
  const words = random === true ? 12 : Number(random)
  if (MNEMONIC_WORDS.includes(words)) return words
  throw new InvalidFlag(`--mnemonic-random: expected 12, 15, 18, 21 or 24 words, got "${random}"`)
}

function listOf(text: unknown): string[] | undefined {
  return (text as string | undefined)?.split(',').map((name) => name.trim())
}

function originsOf(origins: string[] | undefined): readonly string[] | undefined {
  const wrong = origins?.find((origin) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new InvalidFlag(
    `--allowed-origins: expected origins such as http://localhost:3000 (or null, or *), separated by commas, got "${wrong}"`,
  )
}

function requestsOf({ logRequests, quietRequests }: Record<string, unknown>): Invocation['requests'] {
  if (logRequests === true && quietRequests === true) {
    throw new InvalidFlag(
      '--quiet-requests: expected nothing beside --log-requests, which prints all of them',
    )
  }
  return logRequests === true ? 'all' : quietRequests === true ? 'none' : 'refused'
}
