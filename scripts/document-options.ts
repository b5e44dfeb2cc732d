/**
 * Writes the table of options into README.md, from `src/options.ts` and the flags of the command line.
 * With `--check` it writes nothing and exits with 1 where the table is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import { flagOf } from '../src/cli/flags.ts'
import { type DevnetOptions, OPTIONS } from '../src/options.ts'

const README = new URL('../README.md', import.meta.url)
const BEGIN = /<!-- options: begin[^>]*-->\n/
const END = '<!-- options: end -->'

/** One row for each option: its name, its flag, its default, its meaning. */
export function optionTable(): string {
  const rows = Object.entries(OPTIONS).map(([name, schema]) => {
    const flag = flagOf(name as keyof DevnetOptions)
    const fallback = shown(v.getDefault(schema.pipe[0]))
    return `| \`${name}\` | ${flag === undefined ? '' : `\`${flag}\``} | ${fallback} | ${v.getDescription(schema)} |`
  })
  return ['| option | flag | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function shown(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return ''
  if (typeof value === 'string' && /^0x0+$/.test(value)) return 'zero'
  if (typeof value === 'bigint' && value >= 10n ** 21n) return `${value / 10n ** 18n} ETH`
  return `\`${value}\``
}

/** README.md with the table of now. */
export function withOptionTable(readme: string): string {
  const begin = BEGIN.exec(readme)
  if (begin === null) throw new Error('README.md has no place for the options')
  const start = begin.index + begin[0].length
  return `${readme.slice(0, start)}\n${optionTable()}\n\n${readme.slice(readme.indexOf(END))}`
}

if (process.argv[1] === import.meta.filename) {
  const before = readFileSync(README, 'utf8')
  const after = withOptionTable(before)
  if (!process.argv.includes('--check')) writeFileSync(README, after)
  else if (before !== after) {
    console.error('the table of options in README.md is not that of src/options.ts: run `npm run docs`')
    process.exit(1)
  }
}
