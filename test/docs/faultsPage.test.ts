/** The page on faults shows each of them, and the numbers with which providers refuse logs. */
import { describe, expect, it } from 'vitest'
import { LOG_PROVIDERS } from '../../src/faults/fault.ts'
import { parseFault } from '../../src/faults/faultJson.ts'
import { logRefusal, usualLimit } from '../../src/faults/logRefusals.ts'
import { PAGES, rowsOf } from '../support/docs/pages.ts'

const page = PAGES.get('docs/faults.md')!

describe('docs/faults.md', () => {
  it('shows each kind of fault as JSON that can be planned', () => {
    const shown = page.blocks.filter(({ language }) => language === 'json')
    const kinds = shown.map(({ text }) => parseFault(1)(JSON.parse(text), 'fault').fault.kind)
    expect([...new Set(kinds)].sort()).toEqual(KINDS)
  })

  it('has for each provider the blocks, status and code with which logs are refused', () => {
    const rows = LOG_PROVIDERS.map((provider) => {
      const limit = usualLimit(provider)
      const { status, error } = logRefusal(provider, EXCESS)
      return [`\`${provider}\``, limit.toLocaleString('en'), String(status), String(error.code)]
    })
    const shown = rowsOf(page).filter(([name]) => rows.some(([known]) => known === name))
    expect(shown.map((row) => row.slice(0, 4))).toEqual(rows)
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
