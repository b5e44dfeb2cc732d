/** All commands with their flags, as `--help` lists them. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { version } from '../model/version.ts'
import { type DevnetOptions, IN_GENESIS } from '../options.ts'
import { IMPORT_RULES } from '../sequencer/import/blockFlaw.ts'
import { documented, FLAGS, type Flag, grouped, INIT, meaningOf } from './flagTable.ts'
import { withOurFlag } from './unknown.ts'

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

const CONFIG_MEANING = 'file of options and flags; flags win (default: preseal.config.ts, if it is here)'

export const SERVE = 'serve'
export const REPLAY = 'replay'

/** Where the pages are; of nothing where it is not run as the package that it is. */
function pages(): string {
  try {
    return `  ${join(dirname(fileURLToPath(import.meta.resolve('preseal/package.json'))), 'docs')}`
  } catch {
    return ''
  }
}

/** All commands, with their flags: `choose` is called with the one that is asked for. */
export function createCommand(choose: (command: Command) => void): Command {
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
    .addOption(grouped('files', '--export <file>', 'file to write the sealed blocks to when the devnet ends'))
    .addOption(
      grouped('files', '--export-genesis <file>', 'file to write the genesis.json to that goes with them'),
    )
    .addOption(grouped('files', '--dump-state <file>', 'state file to write when the devnet ends'))
    .addOption(
      grouped(
        'files',
        '--state <file>',
        'both --load-state and --dump-state: begins with the file if it is there, and writes it at the end',
      ),
    )
    .addOption(grouped('files', '--state-interval <seconds>', 'how often it is written besides'))
    .addOption(
      grouped(
        'files',
        '--record <file>',
        'file to write all requests, answers and ticks to, for preseal replay',
      ),
    )
    .addHelpText('after', examples)
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
    .option('--config <file>', CONFIG_MEANING)
    .option('--silent', 'print nothing but errors; with --json the result, too')
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
function overriding(row: Flag): Option {
  return new Option(row.flag, `${meaningOf(row)} (default: as recorded)`)
}

/** `command` with the flags that each of them has, under their headings. */
function withFlags(command: Command, choose: (command: Command) => void): Command {
  for (const flag of FLAGS) command.addOption(documented(flag))
  return command
    .addOption(
      grouped(
        'accounts',
        '--mnemonic-random [words]',
        'a new mnemonic of so many words (12, 15, 18, 21 or 24; 12 by default), which is printed',
      ),
    )
    .addOption(grouped('server', '--port <port>', 'port to listen on; 0 takes a free one', '8545'))
    .addOption(
      grouped('server', '--host <address>', 'interface to listen on; 0.0.0.0: all of them', '127.0.0.1'),
    )
    .addOption(
      grouped(
        'server',
        '--allowed-hosts <names>',
        'host names, separated by commas, that requests may be for; * allows all',
      ),
    )
    .addOption(
      grouped(
        'server',
        '--allowed-origins <origins>',
        'origins of web pages, separated by commas, that may ask, such as http://localhost:3000 (default: all)',
      ),
    )
    .addOption(grouped('files', '--config <file>', CONFIG_MEANING))
    .addOption(grouped('files', INIT, 'genesis.json of geth to begin with'))
    .addOption(grouped('files', '--import <file>', 'file of RLP blocks to run and verify first'))
    .addOption(
      grouped(
        'files',
        '--import-rules <name>',
        `rules that its blocks must keep: ${IMPORT_RULES.join(', ')}; devnet lets in blocks that a devnet made`,
        'ethereum',
      ),
    )
    .addOption(grouped('files', '--load-state <file>', "state file to begin with: preseal's or anvil's"))
    .addOption(
      grouped('files', '--fixture <file>', 'fixture script to run first; repeatable').argParser(collect),
    )
    .addOption(
      grouped('files', '--faults <file>', 'JSON file of faults that happen, on purpose, from then on'),
    )
    .addOption(grouped('console', '--trace', 'print the calls of each transaction as a tree'))
    .addOption(grouped('console', '--log-requests', 'print each request, not only those that are refused'))
    .addOption(grouped('console', '--quiet-requests', 'do not print the requests that are refused'))
    .addOption(grouped('console', '--silent', 'print nothing but errors; with --json where it listens, too'))
    .addOption(grouped('console', '--json', 'print one JSON object per line'))
    .allowExcessArguments(false)
    .action(() => choose(command))
}

function collect(file: string, before: string[] = []): string[] {
  return [...before, file]
}
