/** The flags of the command line: each sets an option of the devnet or of the listener. */
import { Command, Option } from 'commander'
import * as v from 'valibot'
import { version } from '../model/version.ts'
import { type DevnetOptions, type InvalidOption, OPTIONS } from '../options.ts'

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
  { flag: '--strict', option: 'strict' },
  { flag: '--log-range-limit <blocks>', option: 'logRangeLimit', read: number },
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
  const command = createCommand()
  command.parse([...argv])
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
    exportTo: given.export as string | undefined,
    exportGenesisTo: given.exportGenesis as string | undefined,
    ...stateFilesOf(given as StateFlags),
    fixtures: (given.fixture as string[] | undefined) ?? [],
    faults: given.faults as string | undefined,
    report: given.silent === true ? 'silent' : given.json === true ? 'json' : 'text',
    trace: given.trace === true,
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

function createCommand(): Command {
  const command = new Command('preseal')
    .description('A simulated EVM chain whose pending state is pre-confirmed every 200 ms.')
    .version(version)
    .option('--port <port>', 'port to listen on; 0 takes a free one', '8545')
    .option('--host <address>', 'interface to listen on', '127.0.0.1')
    .option(
      '--allowed-hosts <names>',
      'host names, separated by commas, that requests may be for; * allows all',
    )
    .option(INIT, 'genesis.json of geth to begin with')
    .option('--import <file>', 'file of RLP blocks to run and verify first')
    .option('--export <file>', 'file to write the sealed blocks to when the devnet ends')
    .option('--export-genesis <file>', 'file to write the genesis.json to that goes with them')
    .option('--load-state <file>', "state file to begin with: preseal's or anvil's")
    .option('--dump-state <file>', 'state file to write when the devnet ends')
    .option('--state <file>', 'both: begins with the file if it is there, and writes it at the end')
    .option('--state-interval <seconds>', 'how often it is written besides')
    .option('--fixture <file>', 'fixture script to run first; repeatable', collect)
    .option('--trace', 'print the calls of each transaction as a tree')
    .option('--faults <file>', 'JSON file of faults that happen, on purpose, from then on')
    .option('--silent', 'print nothing but errors')
    .option('--json', 'print one JSON object per line')
  for (const flag of FLAGS) command.addOption(documented(flag))
  return command
    .allowExcessArguments(false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
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
