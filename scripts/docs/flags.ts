/** The table of flags that set no option, in docs/options.md, made from the commands of the command line. */
import type { Command, Option } from 'commander'
import { createCommand } from '../../src/cli/command.ts'
import { FLAGS, INIT } from '../../src/options/flags.ts'

/** Pages about a flag. */
const MORE: Readonly<Record<string, string>> = {
  '--config': 'command-line.md',
  '--fixture': 'fixtures.md',
  '--faults': 'faults.md',
  '--import': 'files.md#genesis-files-and-rlp-chains',
  '--export': 'files.md#genesis-files-and-rlp-chains',
  '--export-genesis': 'files.md#genesis-files-and-rlp-chains',
  '--load-state': 'files.md#state-files',
  '--dump-state': 'files.md#state-files',
  '--state': 'files.md#state-files',
  '--record': 'debugging.md#a-bug-report-in-one-file',
  '--trace': 'debugging.md#call-trees',
  '--no-page': 'page.md',
  '--read-only-page': 'page.md',
  '--open': 'page.md',
  '--max-chains': 'many-chains.md',
}

/** Flags in the table of options, and the version flag. */
const ELSEWHERE: ReadonlySet<string> = new Set([...FLAGS.map(({ flag }) => flag), INIT, '-V, --version'])

/** One row for each flag that sets no option: the flag, its default, its meaning; those of all commands first. */
export function flagTable(): string {
  const root = createCommand(() => {})
  const shown = new Set(ELSEWHERE)
  const rows = [root, ...root.commands].flatMap((command) =>
    command.options
      .filter(({ flags }) => !shown.has(flags))
      .map((option) => {
        shown.add(option.flags)
        return rowOf(option, command === root ? undefined : command)
      }),
  )
  return ['| flag | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

/** The command with its arguments, in capitals as in the pages. */
function usageOf(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((each) => each.name().toUpperCase())].join(' ')
}

function rowOf({ flags, long, description, defaultValue }: Option, command: Command | undefined): string {
  const of = command === undefined ? '' : `of \`preseal ${usageOf(command)}\`: `
  const more = MORE[long ?? '']
  const link = more === undefined ? '' : ` ([more](${more}))`
  const fallback = defaultValue === undefined ? '' : `\`${defaultValue}\``
  return `| \`${flags}\` | ${fallback} | ${of}${description}${link} |`
}
