/** The flags of the command line: each sets an option of the devnet or of the listener. */
import { Command, Option } from 'commander'
import * as v from 'valibot'
import { version } from '../model/version.ts'
import { type DevnetOptions, IN_GENESIS, type InvalidOption, OPTIONS } from '../options.ts'
import { IMPORT_RULES, type ImportRules } from '../sequencer/import/blockFlaw.ts'
import { unknownCommand, withOurFlag } from './unknown.ts'

/** What a command line asks for. */
export interface Invocation {
  readonly options: DevnetOptions
  readonly port: number
  readonly host: string
  readonly allowedHosts: readonly string[]
  /** A genesis.json to begin with. */
  readonly init: string | undefined
  /** A file of blocks to bring in first. */
  readonly importFrom: string | undefined
  /** Which rules its blocks must keep. */
  readonly importRules: ImportRules
  /** Where the blocks, and the genesis.json that goes with them, are written at the end. */
  readonly exportTo: string | undefined
  readonly exportGenesisTo: string | undefined
  /** A state file to begin with. */
  readonly load: { readonly file: string; readonly flag: string; readonly mayBeMissing: boolean } | undefined
  /** Where one is written at the end, and every so often before. */
  readonly dump:
    | { readonly file: string; readonly flag: string; readonly everyMs: number | undefined }
    | undefined
  /** Fixture scripts to run before listening, in order. */
  readonly fixtures: readonly string[]
  /** A file of what is to go wrong once the devnet listens. */
  readonly faults: string | undefined
  /** How to report: for people, as JSON lines, or not at all. */
  readonly report: 'text' | 'json' | 'silent'
  /** Whether the calls of each transaction are printed as a tree. */
  readonly trace: boolean
  /** Many chains are wanted that begin as that devnet does (`preseal serve`), and at most so many. */
  readonly serve: { readonly maxChains: number } | undefined
  /** Where all that happens is recorded. */
  readonly recordTo: string | undefined
  /** A recording is to be played (`preseal replay`), here or on another node, as far as that line; and kept to look around. */
  readonly replay:
    | {
        readonly file: string
        readonly url: string | undefined
        readonly until: number | undefined
        readonly isKept: boolean
      }
    | undefined
}

interface Flag {
  readonly flag: string
  readonly option: keyof DevnetOptions
  /** The option's value from the flag's text. What can't be read is left as it is, for `parseOptions` to refuse. */
  readonly read?: (text: string) => unknown
  /** What the flag's help says, where that differs from the option's. */
  readonly meaning?: string
  readonly fallback?: string
  /** What is expected, in the flag's unit, where that differs from the option's. */
  readonly expected?: string
}

const WEI_PER_ETHER = 10n ** 18n

const number = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)
const bigint = (text: string) => (/^\d+$/.test(text) ? BigInt(text) : text)
/** Ether with up to 18 decimals, in wei. */
const ether = (text: string) => {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? []
  return whole === undefined ? text : BigInt(whole) * WEI_PER_ETHER + BigInt(decimals.padEnd(18, '0'))
}

const FLAGS: readonly Flag[] = [
  { flag: '--profile <name>', option: 'profile' },
  { flag: '--chain-id <id>', option: 'chainId', read: number },
  { flag: '--hardfork <name>', option: 'hardfork' },
  { flag: '--accounts <count>', option: 'accounts', read: number },
  {
    flag: '--balance <ether>',
    option: 'balance',
    read: ether,
    meaning: 'ETH of each development account',
    fallback: '10000',
    expected: 'ether, such as 10000 or 0.5',
  },
  { flag: '--mnemonic <words>', option: 'mnemonic' },
  { flag: '--rhythm <name>', option: 'rhythm' },
  { flag: '--tick <ms>', option: 'tickMs', read: number },
  { flag: '--ticks-per-block <count>', option: 'ticksPerBlock', read: number },
  { flag: '--gas-limit <gas>', option: 'gasLimit', read: bigint },
  { flag: '--base-fee <wei>', option: 'baseFee', read: bigint },
  { flag: '--system-contracts', option: 'systemContracts' },
  { flag: '--l2 <name>', option: 'l2' },
  { flag: '--safe-distance <blocks>', option: 'safeDistance', read: number },
  { flag: '--finalized-distance <blocks>', option: 'finalizedDistance', read: number },
  {
    flag: '--history <blocks>',
    option: 'history',
    read: (text) => ({ blocks: number(text) }),
    fallback: 'all',
  },
  { flag: '--dialect <name>', option: 'dialect' },
  { flag: '--receipts <when>', option: 'receipts' },
  { flag: '--strict', option: 'strict' },
  { flag: '--log-range-limit <blocks>', option: 'logRangeLimit', read: number },
  { flag: '--request-timeout <ms>', option: 'requestTimeoutMs', read: number },
  {
    flag: '--no-console-logs',
    option: 'consoleLogs',
    meaning: 'do not print what Solidity says with `console.log`',
  },
]

/** Names a file and not a value: whoever reads it makes the option of it. */
const INIT = '--init <file>'

/** A flag that cannot be: the message says which, what was expected and what came. */
export class InvalidFlag extends Error {}

/**
 * What `argv` (as of `process.argv`) asks for. Prints help or the version and ends the process where that is asked for;
 * ends it with code 2 where a flag is unknown. Throws `InvalidFlag`.
 */
export function parseFlags(argv: readonly string[]): Invocation {
  let command = new Command()
  const choose = (chosen: Command) => {
    command = chosen
  }
  createCommand(choose).parse([...argv])
  requireKnown(command)
  requireNothingBefore(command)
  const given = command.opts<Record<string, string | boolean | string[]>>()
  const options: Record<string, unknown> = {}
  for (const { flag, option, read } of FLAGS) {
    const value = given[attributeOf(flag)]
    if (value !== undefined)
      options[option] = typeof value === 'string' && read !== undefined ? read(value) : value
  }
  return {
    options,
    port: portOf(given.port as string),
    host: given.host as string,
    allowedHosts: (given.allowedHosts as string | undefined)?.split(',').map((name) => name.trim()) ?? [],
    init: given.init as string | undefined,
    importFrom: given.import as string | undefined,
    importRules: importRulesOf(given.importRules as string | undefined),
    exportTo: given.export as string | undefined,
    exportGenesisTo: given.exportGenesis as string | undefined,
    ...stateFilesOf(given as StateFlags),
    fixtures: (given.fixture as string[] | undefined) ?? [],
    faults: given.faults as string | undefined,
    report: given.silent === true ? 'silent' : given.json === true ? 'json' : 'text',
    trace: given.trace === true,
    serve: command.name() === SERVE ? { maxChains: maxChainsOf(given.maxChains as string) } : undefined,
    recordTo: given.record as string | undefined,
    replay: command.name() === REPLAY ? replayOf(command) : undefined,
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

/** A word before which no command stands was meant to be one. */
function requireKnown({ parent, args: [word], commands }: Command): void {
  if (parent !== null || word === undefined) return
  throw new InvalidFlag(
    unknownCommand(
      word,
      commands.map((command) => command.name()),
    ),
  )
}

/** A flag that stands before a sub-command would be one that nobody reads. */
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

/** The refusal of an option in the words of the flag that set it. */
export function toInvalidFlag(error: InvalidOption): InvalidFlag {
  const [name] = error.option.split('.')
  if (name === 'genesis') return new InvalidFlag(error.message.replace(/^option /, '--init: '))
  const row = FLAGS.find(({ option }) => option === name)
  if (row === undefined) return new InvalidFlag(error.message)
  const flag = row.flag.split(' ')[0]
  return new InvalidFlag(`${flag}: expected ${row.expected ?? error.expected}, got ${error.received}`)
}

/** The flag that sets `option`, with its argument, if there is one. */
export function flagOf(option: keyof DevnetOptions): string | undefined {
  return option === 'genesis' ? INIT : FLAGS.find((row) => row.option === option)?.flag
}

const SERVE = 'serve'
const REPLAY = 'replay'

/** All commands: `choose` is called with the one that is asked for. */
function createCommand(choose: (command: Command) => void): Command {
  const command = new Command('preseal')
    .description('A simulated EVM chain whose pending state is pre-confirmed every 200 ms.')
    .version(version)
    // What stands behind a sub-command is its own, though both have flags of the same name.
    .enablePositionalOptions()
    .helpCommand(true)
    .configureOutput({ outputError: (text, write) => write(withOurFlag(text)) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  withFlags(command, choose)
    // A word that is no command is refused with the names of those that are.
    .allowExcessArguments(true)
    .option('--export <file>', 'file to write the sealed blocks to when the devnet ends')
    .option('--export-genesis <file>', 'file to write the genesis.json to that goes with them')
    .option('--dump-state <file>', 'state file to write when the devnet ends')
    .option(
      '--state <file>',
      'both --load-state and --dump-state: begins with the file if it is there, and writes it at the end',
    )
    .option('--state-interval <seconds>', 'how often it is written besides')
    .option('--record <file>', 'file to write all requests, answers and ticks to, for preseal replay')
  const serve = command
    .command(SERVE)
    .description('Many chains on one port: each is made at /c/<name> on first use, as a fork of one base.')
  withFlags(serve, choose).option('--max-chains <count>', 'chains that there may be at once', '1000')
  const replay = command
    .command(REPLAY)
    .description('Plays what --record wrote, as fast as it goes, and shows the first answer that differs.')
    .argument('<file>', 'the recording')
    .option('--until <line>', 'line of the file before which it stops')
    .option('--keep', 'listen afterwards: time stands there, so that one can look around')
    .option('--url <url>', 'ask another node, whose ticks and time are its own')
    .option('--port <port>', 'port to listen on with --keep; 0 takes a free one', '8545')
    .option('--host <address>', 'interface to listen on', '127.0.0.1')
    .option('--silent', 'print nothing but errors')
    .option('--json', 'print one JSON object per line')
  for (const flag of FLAGS) if (!AS_RECORDED.includes(flag.option)) replay.addOption(overriding(flag))
  replay.allowExcessArguments(false).action(() => choose(replay))
  return command
}

/** What a recording began with, and when things happened, is said by the recording; how it is printed plays no part. */
const AS_RECORDED: readonly (keyof DevnetOptions)[] = [
  ...IN_GENESIS,
  'profile',
  'rhythm',
  'tickMs',
  'strict',
  'consoleLogs',
]

/** The option that is another than in a recording. */
function overriding({ flag, option, meaning }: Flag): Option {
  return new Option(flag, `${meaning ?? v.getDescription(OPTIONS[option])} (default: as recorded)`)
}

/** `command` with the flags that each of them has. */
function withFlags(command: Command, choose: (command: Command) => void): Command {
  command
    .option('--port <port>', 'port to listen on; 0 takes a free one', '8545')
    .option('--host <address>', 'interface to listen on', '127.0.0.1')
    .option(
      '--allowed-hosts <names>',
      'host names, separated by commas, that requests may be for; * allows all',
    )
    .option(INIT, 'genesis.json of geth to begin with')
    .option('--import <file>', 'file of RLP blocks to run and verify first')
    .option(
      '--import-rules <name>',
      `rules that its blocks must keep: ${IMPORT_RULES.join(', ')}; devnet lets in blocks that a devnet made`,
      'ethereum',
    )
    .option('--load-state <file>', "state file to begin with: preseal's or anvil's")
    .option('--fixture <file>', 'fixture script to run first; repeatable', collect)
    .option('--trace', 'print the calls of each transaction as a tree')
    .option('--faults <file>', 'JSON file of faults that happen, on purpose, from then on')
    .option('--silent', 'print nothing but errors')
    .option('--json', 'print one JSON object per line')
  for (const flag of FLAGS) command.addOption(documented(flag))
  return command.allowExcessArguments(false).action(() => choose(command))
}

/** The option with the meaning and default that the table of options gives it. */
function documented({ flag, option, meaning, fallback }: Flag): Option {
  const schema = OPTIONS[option]
  const text = meaning ?? v.getDescription(schema) ?? ''
  const standard = fallback ?? String(v.getDefault(schema.pipe[0]))
  const isSwitch = !flag.includes('<')
  return new Option(flag, isSwitch ? text : `${text} (default: ${standard})`)
}

function collect(file: string, before: string[] = []): string[] {
  return [...before, file]
}

/** The name under which commander keeps a flag: `--chain-id <id>` is `chainId`. */
function attributeOf(flag: string): string {
  return new Option(flag).attributeName()
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
