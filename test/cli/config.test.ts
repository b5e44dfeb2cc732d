/** `preseal.config.ts`: found, said, read, and less than the flags. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import { type Config, defineConfig } from '../../src/index.ts'
import { askAt } from '../support/clients/askAt.ts'
import { ROOT } from '../support/docs/pages.ts'
import { temporaryFolder } from '../support/processes/files.ts'
import { type Running, startCliIn } from '../support/processes/process.ts'

/** Starts `preseal` in a folder with these files. */
async function startBeside(files: Record<string, string>, ...flags: string[]): Promise<Running> {
  const at = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text)
  const process = startCliIn(at(), ...flags)
  onTestFinished(() => process.kill('SIGKILL'))
  return process
}

async function listening(
  process: Running,
): Promise<{ url: string; accounts: unknown[]; fixtures: object[] }> {
  const [line] = await process.printed(/^\{"event":"listening".*\}$/m)
  return JSON.parse(line)
}

const CONFIG = `import { defineConfig } from 'preseal'
export default defineConfig({
  chainId: 5, accounts: 3, balance: 7n, rhythm: 'manual', port: 0, json: true, fixtures: ['first.mjs'],
})`
const FIRST = 'export default () => ({ one: 1 })'

describe('preseal.config.ts', () => {
  it('is found in the working folder and said; flags win', async () => {
    const files = { 'preseal.config.ts': CONFIG, 'first.mjs': FIRST }
    const preseal = await startBeside(files, '--chain-id', '6')
    const { url, accounts, fixtures } = await listening(preseal)
    expect(preseal.stdout).toContain('{"event":"config","file":"preseal.config.ts"}')
    expect(accounts).toHaveLength(3)
    expect(fixtures).toEqual([{ file: 'first.mjs', values: { one: 1 } }])
    expect(await askAt(url, 'eth_chainId')).toBe('0x6')
    const [{ address }] = accounts as [{ address: string }]
    expect(await askAt(url, 'eth_getBalance', address)).toBe('0x7')
  })

  it('is written as the page of the command line shows it', async () => {
    const text = await readFile(join(ROOT, 'test/examples/preseal.config.ts'), 'utf8')
    const preseal = await startBeside({ 'preseal.config.ts': text }, '--port', '0', '--json')
    const { url, accounts } = await listening(preseal)
    expect(accounts).toHaveLength(3)
    expect(await askAt(url, 'eth_chainId')).toBe('0x539')
  })

  it('may be another file, and is that of preseal serve, too', async () => {
    const preseal = await startBeside(
      { 'other.mjs': CONFIG.replace(/^import.*/, 'const defineConfig = (x) => x'), 'first.mjs': FIRST },
      'serve',
      '--config',
      'other.mjs',
    )
    const { url } = await listening(preseal)
    expect(await askAt(`${url}/c/a`, 'eth_chainId')).toBe('0x5')
  })

  it.each([
    [
      '{ chainID: 5 }',
      'config preseal.config.ts: chainID: expected an option or a flag (did you mean chainId?)',
    ],
    ['{ prot: 1 }', 'config preseal.config.ts: prot: expected an option or a flag (did you mean port?)'],
    ['{ port: "x" }', 'config preseal.config.ts: port: expected a number, got "x"'],
    [
      '{ fixtures: "x.ts" }',
      'config preseal.config.ts: fixtures: expected an array of paths of files, got "x.ts"',
    ],
    ['{ tickMs: 0 }', 'config preseal.config.ts: option tickMs: expected milliseconds'],
    ['5', 'config preseal.config.ts: expected `export default defineConfig({ … })`, got number'],
  ])('that says %s is refused', async (text, message) => {
    const preseal = await startBeside({ 'preseal.config.ts': `export default ${text}` }, '--port', '0')
    const { code, stdout, stderr } = await preseal.ended
    expect(stderr).toContain(`preseal: ${message}`)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect([code, stdout.replace('config preseal.config.ts\n', '')]).toEqual([2, ''])
  })

  it('that is named and not there is refused', async () => {
    const { code, stderr } = await (await startBeside({}, '--config', 'none.ts')).ended
    expect([code, stderr]).toEqual([2, 'preseal: config none.ts: there is no such file or directory\n'])
  })

  it('has a type', () => {
    expectTypeOf(defineConfig).parameter(0).toEqualTypeOf<Config>()
    // @ts-expect-error there is no such rhythm
    defineConfig({ rhythm: 'fast' })
  })
})
