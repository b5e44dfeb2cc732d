/** The README says what the code does: its examples are files that run, its table of options is that of the code. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { withOptionTable } from '../scripts/docs/options.ts'
import { version } from '../src/model/version.ts'

const ROOT = join(import.meta.dirname, '..')
const EXAMPLES = join(import.meta.dirname, 'examples')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

describe('README.md', () => {
  it('shows only examples that stand in test/examples, letter by letter', () => {
    const shown = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code)
    const files = readdirSync(EXAMPLES).map((name) => readFileSync(join(EXAMPLES, name), 'utf8'))
    expect(shown.length).toBeGreaterThan(0)
    for (const code of shown) expect(files).toContain(code)
  })

  it('has an example of clients that prints the chain id twice', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await import('./examples/clients.ts')
    expect(log).toHaveBeenCalledWith(31337, 31337)
    log.mockRestore()
  })

  it('has the table of options that src/options.ts makes', () => {
    expect(withOptionTable(readme)).toBe(readme)
  })

  it('links only to files that exist', () => {
    for (const [, target] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(join(ROOT, target!))).not.toThrow()
    }
  })
})

describe('the version', () => {
  it('is that of package.json', () => {
    expect(version).toBe(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version)
  })
})
