/** The tables of docs/options.md, made from `src/options/options.ts` and the flags of the command line. */
import * as v from 'valibot'
import { flagOf } from '../../src/options/flags.ts'
import { type DevnetOptions, OPTIONS } from '../../src/options/options.ts'
import { flagTable } from './flags.ts'

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

/** docs/options.md with the current tables. */
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
