/** Parses the flags of the command line, which set options of the devnet and of the listener. */
import type { Command } from 'commander'
import type { InvalidOption } from '../options/invalidOption.ts'
import type { DevnetOptions } from '../options/options.ts'
import { IMPORT_RULES, type ImportRules } from '../sequencer/import/blockFlaw.ts'
import type { ListenOptions } from '../server/listen.ts'
import { isOrigin } from '../server/origins.ts'
import { inOurFlags } from './anvilFlags.ts'
import { COMPARE, createCommand, REPLAY, REPORT, SERVE } from './command.ts'
import type { Config } from './configFile.ts'
import { attributeOf, FLAGS, InvalidFlag } from './flagTable.ts'
import { flagOfMember, forkOf } from './forkFlags.ts'
import { type PageChoice, pageOf } from './page.ts'
import { unknownCommand } from './unknown.ts'

export { flagOf, InvalidFlag } from './flagTable.ts'

/** The parsed command line. */
export interface Invocation {
  readonly options: DevnetOptions
  /** Number of words of a new random mnemonic, which replaces that of the options. */
  readonly mnemonicWords: number | undefined
  /** The configuration file, if there is one. */
  readonly config: string | undefined
  readonly port: number
  readonly host: string
  readonly allowedHosts: readonly string[]
  /** Accepted origins of web pages; `undefined`: all. */
  readonly allowedOrigins: readonly string[] | undefined
  /** Whether the port has the page, and whether that only reads; `undefined`: as the devnet has it. */
  readonly page: PageChoice['page']
  /** Whether a browser is opened that shows it. */
  readonly isPageOpened: boolean
  /** A genesis.json for the new chain. */
  readonly init: string | undefined
  /** A file of blocks to import first. */
  readonly importFrom: string | undefined
  /** The rules that its blocks must keep. */
  readonly importRules: ImportRules
  /** The files for the blocks, and for the genesis.json that belongs to them, written at the end. */
  readonly exportTo: string | undefined
  readonly exportGenesisTo: string | undefined
  /** A state file to load. */
  readonly load: { readonly file: string; readonly flag: string; readonly mayBeMissing: boolean } | undefined
  /** The state file written at the end, and at intervals before. */
  readonly dump:
    | { readonly file: string; readonly flag: string; readonly everyMs: number | undefined }
    | undefined
  /** Fixture scripts to run before listening, in order. */
  readonly fixtures: readonly string[]
  /** A file of faults that are planned once the devnet listens. */
  readonly faults: string | undefined
  /** The form of the report: text, JSON lines, or none. */
  readonly report: 'text' | 'json' | 'silent'
  /** Whether results (the URL, the outcome of a replay) are printed as JSON, under `silent` too. */
  readonly isJson: boolean
  /** The requests to print: refused ones, all, or none. */
  readonly requests: 'refused' | 'all' | 'none'
  /** Whether the calls of each transaction are printed as a tree. */
  readonly trace: boolean
  /** `preseal serve`: many chains that are forks of the devnet, and their maximum number. */
  readonly serve: { readonly maxChains: number } | undefined
  /** The file of the recording. */
  readonly recordTo: string | undefined
  /**
   * `preseal replay`: the recording to play, here or on another node, the line at which it stops, and whether to
   * listen afterwards.
   */
  readonly replay:
    | {
        readonly file: string
        readonly url: string | undefined
        readonly until: number | undefined
        readonly isKept: boolean
      }
    | undefined
}

/** Returns the file that `--config` names in `argv`, if there is one. Ends the process as `parseFlags` does. */
export function configOf(argv: readonly string[]): { file: string | undefined; command: string } {
  const command = commandOf(argv)
  return { file: command.opts<{ config?: string }>().config, command: command.name() }
}

/** Returns the file that `preseal compare` names in `argv`; `undefined` for all other commands. */
export function comparedFileOf(argv: readonly string[]): string | undefined {
  const command = commandOf(argv)
  return command.name() === COMPARE ? command.args[0] : undefined
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

function mannerOf({ silent, json }: Given): Invocation['report'] {
  return silent === true ? 'silent' : json === true ? 'json' : 'text'
}

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
    port: portOf((given.port as string | undefined) ?? '0'),
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
    serve: command.name() === SERVE ? { maxChains: maxChainsOf(given.maxChains as string) } : undefined,
    recordTo: given.record as string | undefined,
    replay: isReplay ? replayOf(command) : undefined,
  }
}

/** Returns what the flags say of the port. */
export function listenOptionsOf({
  port,
  host,
  allowedHosts,
  allowedOrigins,
  page,
}: Invocation): Pick<ListenOptions, 'port' | 'host' | 'allowedHosts' | 'allowedOrigins' | 'page'> {
  return {
    port,
    host,
    allowedHosts,
    ...(allowedOrigins && { allowedOrigins }),
    ...(page !== undefined && { page }),
  }
}

/** `replay` has no such flag. */
function importRulesOf(name = 'ethereum'): ImportRules {
  const rules = IMPORT_RULES.find((one) => one === name)
  if (rules === undefined) {
    throw new InvalidFlag(`--import-rules: expected ${IMPORT_RULES.join(' or ')}, got "${name}"`)
  }
  return rules
}

type Given = Readonly<Record<string, unknown>>

/** Returns the command in `argv`, with its flags. */
function commandOf(argv: readonly string[]): Command {
  let command: Command | undefined
  createCommand((chosen) => {
    command = chosen
  }).parse([...argv.slice(0, 2), ...inOurFlags(argv.slice(2))])
  return command!
}

/** Returns the flags that were given. */
function namedIn(command: Command): Given {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
  )
}

function defaultsOf(command: Command): Given {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'default'),
  )
}

/** Returns the flags in a configuration file that the command has. */
function flagsIn(config: Config | undefined, command: Command): Given {
  const names = new Set(command.options.map((option) => option.attributeName()))
  return Object.fromEntries(Object.entries(config?.flags ?? {}).filter(([name]) => names.has(name)))
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

/** Throws `InvalidFlag` for a first word that is not a command. */
function requireKnown({ parent, args: [word], commands }: Command): void {
  if (parent !== null || word === undefined) return
  throw new InvalidFlag(
    unknownCommand(
      word,
      commands.map((command) => command.name()),
    ),
  )
}

/** Throws `InvalidFlag` for a flag before a sub-command, which would otherwise be ignored. */
function requireNothingBefore(command: Command): void {
  const { parent } = command
  const early = parent?.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (early !== undefined) {
    throw new InvalidFlag(`${early.long}: expected after ${command.name()}, got it before`)
  }
}

interface StateFlags {
  readonly state?: string
  readonly loadState?: string
  readonly dumpState?: string
  readonly stateInterval?: string
}

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

function portOf(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidFlag(`--port: expected a port (a whole number from 0 to 65535), got "${text}"`)
  }
  return port
}

function replayOf(command: Command): Invocation['replay'] {
  const { url, until, keep } = command.opts<{ url?: string; until?: string; keep?: true }>()
  if (url !== undefined && !URL.canParse(url)) throw new InvalidFlag(`--url: expected a URL, got "${url}"`)
  if (url !== undefined && keep) throw new InvalidFlag('--keep: expected nothing beside --url')
  return {
    file: command.args[0]!,
    url,
    until: until === undefined ? undefined : lineOf(until),
    isKept: keep === true,
  }
}

function lineOf(text: string): number {
  const line = Number(text)
  if (!/^\d+$/.test(text) || line < 1) {
    throw new InvalidFlag(`--until: expected a line (a whole number of at least 1), got "${text}"`)
  }
  return line
}

function maxChainsOf(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > 1_000_000) {
    throw new InvalidFlag(`--max-chains: expected chains (a whole number from 1 to 1000000), got "${text}"`)
  }
  return count
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
