/** The page on faults says what the code does: its examples run, and its JSON can be asked for. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LOG_PROVIDERS } from '../src/model/fault.ts'
import { logRefusal, usualLimit } from '../src/rpc/logRefusals.ts'
import { parseFault } from '../src/wire/fault.ts'

const PAGE = join(import.meta.dirname, '../src/rpc/FAULTS.md')
const page = readFileSync(PAGE, 'utf8')
const examples = readFileSync(join(import.meta.dirname, 'examples/faults.test.ts'), 'utf8')

function blocksOf(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!)
}

describe('src/rpc/FAULTS.md', () => {
  it('shows only examples that stand in test/examples/faults.test.ts, within a test', () => {
    const shown = blocksOf('ts')
    expect(shown.length).toBeGreaterThan(0)
    for (const code of shown) expect(examples).toContain(code.replace(/^(?=.)/gm, '  '))
  })

  it('has faults as JSON that can be planned, each kind at least once', () => {
    const kinds = blocksOf('json').map((text) => parseFault(1)(JSON.parse(text), 'fault').fault.kind)
    expect([...new Set(kinds)].sort()).toEqual(KINDS)
  })

  it('has for each provider the blocks, status and code with which logs are refused', () => {
    const rows = LOG_PROVIDERS.map((provider) => {
      const limit = usualLimit(provider)
      const { status, error } = logRefusal(provider, EXCESS)
      return [`\`${provider}\``, limit.toLocaleString('en'), String(status), String(error.code)]
    })
    const cells = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
    expect(
      cells.filter(([, name]) => rows.some(([known]) => known === name)).map((row) => row.slice(1, 5)),
    ).toEqual(rows)
  })

  it('links only to files that exist', () => {
    for (const [, target] of page.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(existsSync(join(dirname(PAGE), target!))).toBe(true)
    }
  })
})

/** The names that the refusal of an unknown kind counts up. */
const KINDS = kindsOf(() => parseFault(1)({ kind: '' }, 'fault'))

function kindsOf(parse: () => unknown): string[] {
  try {
    parse()
  } catch (error) {
    const [, names] = /one of (.*), got/.exec((error as Error).message)!
    return names!.split(', ').sort()
  }
  throw new Error('a fault without a kind was read')
}

const EXCESS = { kind: 'rangeTooLarge', limit: 1, from: 1n, to: 1n, last: 2n } as const
