/** The tables of docs/options.md, made from `src/options/options.ts` and the flags of the command line. */
import type { Command, Option } from 'commander'
import * as v from 'valibot'
import { createCommand } from '../../src/cli/command.ts'
import { flagOf } from '../../src/options/flags.ts'
import { type DevnetOptions, OPTIONS } from '../../src/options/options.ts'

/** One row for each option: its name, its flag, its default, its meaning. */
export function optionTable(): string {
  const rows = Object.entries(OPTIONS).map(([name, schema]) => {
    const flag = flagOf(name as keyof DevnetOptions)
    const fallback = shownDefault(schema)
    return `| \`${name}\` | ${flag === undefined ? '' : `\`${flag}\``} | ${fallback} | ${v.getDescription(schema)} |`
  })
  return ['| option | flag | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

/** An option's default as pages show it; empty if there is none, or if the meaning has it. */
export function shownDefault(schema: (typeof OPTIONS)[keyof typeof OPTIONS]): string {
  const value: unknown = v.getDefault(schema.pipe[0])
  if (value === undefined || (typeof value === 'object' && value !== null)) return ''
  if (typeof value === 'string' && /^0x0+$/.test(value)) return 'zero'
  if (typeof value === 'bigint' && value >= 10n ** 21n) return `${value / 10n ** 18n} ETH`
  return `\`${value}\``
}

export function withOptionTables(page: string): string {
  return withTable(withTable(page, 'options', optionTable()), 'flags', flagTable())
}

/** The page with a table between the marks of its name. */
function withTable(page: string, name: string, table: string): string {
  const begin = new RegExp(`<!-- ${name}: begin[^>]*-->\\n`).exec(page)
  const end = page.indexOf(`<!-- ${name}: end -->`)
  if (begin === null || end === -1) throw new Error(`docs/options.md has no place for the ${name}`)
  return `${page.slice(0, begin.index + begin[0].length)}\n${table}\n\n${page.slice(end)}`
}

/** The pages about some flags. */
const MORE: Readonly<Record<string, string>> = {
  '--config': 'command-line.md',
  '--fixture': 'fixtures.md',
  '--l1-fork-url': 'bridge.md#forks',
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
  '--no-create-on-request': 'router.md',
}

/** Flags in the table of options, and the version flag. */
const ELSEWHERE: ReadonlySet<string | undefined> = new Set([
  ...Object.keys(OPTIONS).map((name) => flagOf(name as keyof DevnetOptions)),
  '-V, --version',
])

/** One row for each flag that sets no option: the flag, its default, its meaning; those of all commands first. */
function flagTable(): string {
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
