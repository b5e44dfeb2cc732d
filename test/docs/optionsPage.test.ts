/** docs/options.md says what the code does: its table of options is that of the code, its flags are those of the command line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withOptionTables } from '../../scripts/docs/options.ts'
import { version } from '../../src/model/api/text.ts'
import { OPTIONS } from '../../src/options/options.ts'
import { PAGES, ROOT, rowsOf, spansOf } from '../support/docs/pages.ts'
import { startCli } from '../support/processes/process.ts'

const page = PAGES.get('docs/options.md')!

describe('docs/options.md', () => {
  it('has the tables of options and flags that the code makes', () => {
    expect(withOptionTables(page.text)).toBe(page.text)
  })

  it('names each option once in that table', () => {
    const named = optionRows().flatMap(([option]) => spansOf(option!))
    expect(named.filter((name) => !name.startsWith('--'))).toEqual(Object.keys(OPTIONS))
  })

  it('has each flag of the command line, and no other', async () => {
    const { flags, commands } = await helpOf()
    const more = await Promise.all(commands.map((command) => helpOf(command)))
    const all = new Set([...flags, ...more.flatMap((help) => help.flags)])
    for (const usual of ['--help', '--version']) all.delete(usual)
    const cells = rowsOf(page).flatMap((row) => row.flatMap(spansOf))
    const shown = new Set(cells.flatMap((span) => /^(?:-\w, )?(--[\w-]+)/.exec(span)?.slice(1) ?? []))
    expect([...shown].sort()).toEqual([...all].sort())
    for (const command of commands) expect(page.text).toContain(`preseal ${command}`)
  })
})

/** The rows between the marks of the table that is made. */
function optionRows(): string[][] {
  const [, table] = /<!-- options: begin[^>]*-->\n([\s\S]*?)<!-- options: end -->/.exec(page.text)!
  return rowsOf({ ...page, text: table! })
}

/** What the command line says of itself. */
async function helpOf(...command: string[]): Promise<{ flags: string[]; commands: string[] }> {
  const { stdout } = await startCli(...command, '--help').ended
  const [, listed = ''] = stdout.split('\nCommands:\n')
  return {
    flags: [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!),
    commands: [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help'),
  }
}

describe('the version', () => {
  it('is that of package.json', () => {
    expect(version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
  })
})
