/** All commands with their flags, as `--help` lists them. */

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { version } from '../model/text.ts'
import type { DevnetOptions } from '../options/options.ts'
import { IN_GENESIS } from '../options/parseOptions.ts'
import { IMPORT_RULES } from '../sequencer/import/flawInHeader.ts'
import { inOurFlags } from './anvilFlags.ts'
import type { Config } from './configFile.ts'
import {
  documented,
  FLAGS,
  type Flag,
  grouped,
  INIT,
  InvalidFlag,
  meaningOf,
  unknownCommand,
  withOurFlag,
} from './flagTable.ts'
import { FORK_OPTIONS } from './forkFlags.ts'
import { PAGE_FLAGS } from './page.ts'

const examples = () => `
Examples:
    preseal --rhythm instant --accounts 3 --balance 1.5
    preseal --profile base-flashblocks --fixture deploy.ts
    preseal --state chain.json --state-interval 60
    preseal serve --fixture deploy.ts

Most flags of anvil mean the same here (-p, -a, -m, -b, --no-mining, --host …). Amounts of --balance are ether, those of
--base-fee wei, --tick is milliseconds. Pages about all of it are in the package, beginning with docs/options.md:
${pages()}
`

const CONFIG_MEANING =
  'file of options and flags; the command line takes precedence (default: preseal.config.ts, if it exists)'

export const SERVE = 'serve'
export const REPLAY = 'replay'
export const COMPARE = 'compare'
export const REPORT = 'report'

/** Returns a line with the folder of the documentation; empty if preseal does not run as an installed package. */
function pages(): string {
  try {
    return `  ${join(dirname(fileURLToPath(import.meta.resolve('preseal/package.json'))), 'docs')}`
  } catch {
    return ''
  }
}

/** Returns the root command with all sub-commands and flags. `choose` is called with the selected command. */
export function createCommand(choose: (command: Command) => void): Command {
  const command = new Command('preseal')
    .description('A simulated EVM chain whose pending state is pre-confirmed every 200 ms.')
    .version(version)
    // Flags after a sub-command belong to it, though both have flags of the same name.
    .enablePositionalOptions()
    .helpCommand(true)
    .configureOutput({ outputError: (text, write) => write(withOurFlag(text)) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  withFlags(command, choose)
    // An unknown first word is refused later, with the names of the commands.
    .allowExcessArguments(true)
    .addOption(grouped('files', '--export <file>', 'file to write the sealed blocks to when the devnet ends'))
    .addOption(
      grouped('files', '--export-genesis <file>', 'file to write the genesis.json of these blocks to'),
    )
    .addOption(grouped('files', '--dump-state <file>', 'state file to write when the devnet ends'))
    .addOption(
      grouped(
        'files',
        '--state <file>',
        'both --load-state and --dump-state: the file is loaded if it exists, and written at the end',
      ),
    )
    .addOption(
      grouped('files', '--state-interval <seconds>', 'interval at which the state file is also written'),
    )
    .addOption(
      grouped(
        'files',
        '--record <file>',
        'file to write all requests, responses and ticks to, for preseal replay',
      ),
    )
    .addHelpText('after', examples)
  const serve = command
    .command(SERVE)
    .description('Many chains on one port: each is created at /c/<name> on first use, as a fork of one base.')
  withFlags(serve, choose).option('--max-chains <count>', 'maximum number of chains at a time', '1000')
  const replay = command
    .command(REPLAY)
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
  for (const option of PAGE_FLAGS) replay.addOption(option)
  for (const flag of FLAGS) if (!AS_RECORDED.includes(flag.option)) replay.addOption(overriding(flag))
  replay.allowExcessArguments(false).action(() => choose(replay))
  const compare = command
    .command(COMPARE)
    .description('Repeats a run that --engine both has kept in both engines, and shows where they differ.')
    .argument('<file>', 'the run, such as preseal-difference-1.json')
  compare.allowExcessArguments(false).action(() => choose(compare))
  const report = command
    .command(REPORT)
    .description('Writes one HTML file that shows a recording of --record in a browser, without any server.')
    .argument('<file>', 'the recording')
    .option('-o, --output <file>', 'file to write (default: beside the recording, with the ending .html)')
    .option('--force', 'replace the file if it exists')
    .option(
      '--artifacts <path>',
      'what compilers wrote of the contracts in the session, which is put into the report with their sources (default: that of the project in the working folder)',
    )
    .option('--no-artifacts', 'put nothing of artifacts into the report: contracts have no names there')
    .option(
      '--config <file>',
      'file of options, of which the report takes artifacts (default: preseal.config.ts, if it exists)',
    )
    .option('--open', 'open it in the default browser')
    .option('--silent', 'print only errors; with --json also the result')
    .option('--json', 'print one JSON object per line')
  report.allowExcessArguments(false).action(() => choose(report))
  return command
}

/** Options that the recording sets itself, and options that only affect printing. */
const AS_RECORDED: readonly (keyof DevnetOptions)[] = [
  ...IN_GENESIS,
  'profile',
  'rhythm',
  'tickMs',
  'strict',
  'consoleLogs',
]

/** Returns the flag with a note that it replaces the option of the recording. */
function overriding(row: Flag): Option {
  return new Option(row.flag, `${meaningOf(row)} (default: as recorded)`)
}

/** Returns `command` with the flags that all commands have, by group. */
function withFlags(command: Command, choose: (command: Command) => void): Command {
  for (const flag of FLAGS) command.addOption(documented(flag))
  for (const option of [...FORK_OPTIONS, ...PAGE_FLAGS]) command.addOption(option)
  return command
    .addOption(
      grouped(
        'accounts',
        '--mnemonic-random [words]',
        'new random mnemonic of 12, 15, 18, 21 or 24 words (default: 12), which is printed',
      ),
    )
    .addOption(grouped('server', '--port <port>', 'port to listen on; 0 takes a free one', '8545'))
    .addOption(
      grouped('server', '--host <address>', 'interface to listen on; 0.0.0.0: all interfaces', '127.0.0.1'),
    )
    .addOption(
      grouped('server', '--allowed-hosts <names>', 'accepted host names, separated by commas; * accepts all'),
    )
    .addOption(
      grouped(
        'server',
        '--allowed-origins <origins>',
        'accepted origins of web pages, separated by commas, such as http://localhost:3000 (default: all)',
      ),
    )
    .addOption(grouped('files', '--config <file>', CONFIG_MEANING))
    .addOption(grouped('files', INIT, 'genesis.json of geth for the new chain'))
    .addOption(grouped('files', '--import <file>', 'file of RLP blocks to run and verify first'))
    .addOption(
      grouped(
        'files',
        '--import-rules <name>',
        `rules that imported blocks must keep: ${IMPORT_RULES.join(', ')}; devnet accepts blocks made by a devnet`,
        'ethereum',
      ),
    )
    .addOption(grouped('files', '--load-state <file>', 'state file of preseal or anvil to load'))
    .addOption(
      grouped('files', '--fixture <file>', 'fixture script to run first; repeatable').argParser(collect),
    )
    .addOption(grouped('files', '--faults <file>', 'JSON file of faults to plan once the devnet listens'))
    .addOption(grouped('console', '--trace', 'print the calls of each transaction as a tree'))
    .addOption(grouped('console', '--log-requests', 'print all requests, not only refused ones'))
    .addOption(grouped('console', '--quiet-requests', 'do not print refused requests'))
    .addOption(grouped('console', '--silent', 'print only errors; with --json also the URL'))
    .addOption(grouped('console', '--json', 'print one JSON object per line'))
    .allowExcessArguments(false)
    .action(() => choose(command))
}

function collect(file: string, before: string[] = []): string[] {
  return [...before, file]
}

/** Flags by their names in commander. */
export type Given = Readonly<Record<string, unknown>>

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

/** Returns the command in `argv`, with its flags. */
export function commandOf(argv: readonly string[]): Command {
  let command: Command | undefined
  createCommand((chosen) => {
    command = chosen
  }).parse([...argv.slice(0, 2), ...inOurFlags(argv.slice(2))])
  return command!
}

/** Returns the flags that were given. */
export function namedIn(command: Command): Given {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'),
  )
}

export function defaultsOf(command: Command): Given {
  return Object.fromEntries(
    Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'default'),
  )
}

/** Returns the flags in a configuration file that the command has. */
export function flagsIn(config: Config | undefined, command: Command): Given {
  const names = new Set(command.options.map((option) => option.attributeName()))
  return Object.fromEntries(Object.entries(config?.flags ?? {}).filter(([name]) => names.has(name)))
}

/** Throws `InvalidFlag` for a first word that is not a command. */
export function requireKnown({ parent, args: [word], commands }: Command): void {
  if (parent !== null || word === undefined) return
  throw new InvalidFlag(
    unknownCommand(
      word,
      commands.map((command) => command.name()),
    ),
  )
}

/** Throws `InvalidFlag` for a flag before a sub-command, which would otherwise be ignored. */
export function requireNothingBefore(command: Command): void {
  const { parent } = command
  const early = parent?.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (early !== undefined) {
    throw new InvalidFlag(`${early.long}: expected after ${command.name()}, got it before`)
  }
}
