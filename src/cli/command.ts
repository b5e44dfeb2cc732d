/** Defines the commands and their flags, as `--help` lists them. */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { nearest, version } from '../model/api/text.ts'
import { FLAGS, FORK_FLAGS, InvalidFlag } from '../options/flags.ts'
import { CONFIG_MEANING, grouped, listed, optionFlag, repeatable } from '../terminal/flags.ts'
import { PAGE_FLAGS } from '../terminal/page.ts'
import { translateFlags, withCounterpart } from './anvilFlags.ts'
import { FEATURES } from './features.ts'

const examples = () => `
Examples:
    preseal --rhythm instant --accounts 3 --balance 1.5
    preseal --profile base-flashblocks --fixture deploy.ts
    preseal --state chain.json --state-interval 60
    preseal serve --fixture deploy.ts

Most flags of anvil mean the same here (-p, -a, -m, -b, --no-mining, --host …). Amounts of --balance are ether, those of
--base-fee wei, --tick is milliseconds. The documentation is in the package; start with docs/options.md:
${pages()}
`

/** Returns a line with the documentation's path. Empty if preseal does not run as an installed package. */
function pages(): string {
  try {
    return `  ${join(dirname(fileURLToPath(import.meta.resolve('preseal/package.json'))), 'docs')}`
  } catch {
    return ''
  }
}

/** Returns the root command with all subcommands and flags. Parsing calls `choose` with the selected command. */
export function createCommand(choose: (command: Command) => void): Command {
  const command = new Command('preseal')
    .description('A simulated EVM chain whose pending state is pre-confirmed every 200 ms.')
    .version(version)
    // A flag after a subcommand belongs to the subcommand, even if the root command has a flag of the same name.
    .enablePositionalOptions()
    .helpCommand(true)
    .configureOutput({ outputError: (text, write) => write(withCounterpart(text)) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  withFlags(command, 'preseal', choose)
    // commander accepts excess arguments, so that `requireKnown` rejects an unknown first word and lists the commands.
    .allowExcessArguments(true)
    .addHelpText('after', examples)
  for (const { subcommand, serveCommand } of FEATURES) {
    if (subcommand !== undefined) {
      const own = command.command(subcommand.name)
      subcommand.define(own)
      own.allowExcessArguments(false).action(() => choose(own))
    }
    if (serveCommand !== undefined) {
      const own = command.command(serveCommand.name).description(serveCommand.description)
      withFlags(own, 'serve', choose)
      for (const flag of serveCommand.flags) own.addOption(flag)
    }
  }
  return command
}

function withFlags(command: Command, name: 'preseal' | 'serve', choose: (command: Command) => void): Command {
  for (const flag of FLAGS) command.addOption(optionFlag(flag))
  for (const [flag, , meaning, read] of FORK_FLAGS) {
    command.addOption(listed(grouped('fork', flag, meaning), { isList: read === 'list' }))
  }
  for (const option of PAGE_FLAGS) command.addOption(option)
  for (const row of RUN_FLAGS) command.addOption(grouped(...row))
  command.addOption(
    repeatable(grouped('files', '--fixture <file>', 'fixture script to run first; repeatable')),
  )
  for (const { addFlags } of FEATURES) addFlags?.(command, name)
  return command.allowExcessArguments(false).action(() => choose(command))
}

/** Flags that set no option of the devnet. */
const RUN_FLAGS: readonly Parameters<typeof grouped>[] = [
  [
    'accounts',
    '--mnemonic-random [words]',
    'new random mnemonic of 12, 15, 18, 21 or 24 words (default: 12), which is printed',
  ],
  ['server', '--port <port>', 'port to listen on; 0 takes a free one', '8545'],
  ['server', '--host <address>', 'interface to listen on; 0.0.0.0: all interfaces', '127.0.0.1'],
  ['server', '--allowed-hosts <names>', 'accepted host names, separated by commas; * accepts all'],
  [
    'server',
    '--allowed-origins <origins>',
    'accepted origins of web pages, separated by commas, such as http://localhost:3000 (default: all)',
  ],
  ['files', '--config <file>', CONFIG_MEANING],
  ['console', '--trace', 'print the calls of each transaction as a tree'],
  ['console', '--log-requests', 'print all requests, not only refused ones'],
  ['console', '--quiet-requests', 'do not print refused requests'],
  ['console', '--silent', 'print only errors; with --json also the URL'],
  ['console', '--json', 'print one JSON object per line'],
]

/** Parses `argv` and returns its command. Throws `InvalidFlag`. Exits for `--help`, `--version` and unknown flags. */
export function commandOf(argv: readonly string[]): Command {
  let chosen: Command | undefined
  createCommand((command) => {
    chosen = command
  }).parse([...argv.slice(0, 2), ...translateFlags(argv.slice(2))])
  requireKnown(chosen!)
  requireNothingBefore(chosen!)
  return chosen!
}

/** Throws `InvalidFlag` if the first word is not a command. */
function requireKnown({ parent, args: [word], commands }: Command): void {
  if (parent !== null || word === undefined) return
  const names = commands.map((command) => command.name())
  const meant = nearest(word, names)
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  throw new InvalidFlag(`expected flags, or one of the commands ${names.join(', ')}, got "${word}"${hint}`)
}

/** Throws `InvalidFlag` if a flag precedes a subcommand, because commander would ignore the flag. */
function requireNothingBefore(command: Command): void {
  const { parent } = command
  const early = parent?.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (early !== undefined) {
    throw new InvalidFlag(`${early.long}: must follow ${command.name()}, not precede it`)
  }
}
