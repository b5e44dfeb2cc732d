/** The page about gas shows what its example prints. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BuiltProject } from '../../support/compilers/builtProject.ts'
import { PAGES, ROOT } from '../../support/docs/pages.ts'

const [table, failure] = PAGES.get('docs/gas.md')!.blocks.filter(({ language }) => language === 'text')
const SNAPSHOTS = 'test/examples/__snapshots__/gas.test.ts.gas.json'

let project: BuiltProject
beforeAll(async () => {
  project = await BuiltProject.begin()
  const own = [
    'test/examples/gas.test.ts',
    SNAPSHOTS,
    'fixtures/contracts/Shop.ts',
    'fixtures/contracts/Token.ts',
  ]
  for (const path of own) await project.write({ [path]: await readFile(join(ROOT, path), 'utf8') })
  const config = await readFile(join(ROOT, 'test/examples/gas.config.ts'), 'utf8')
  await project.write({ 'vitest.config.ts': config })
})
afterAll(() => project.end())

it('has the table of the example', async () => {
  const { code, stdout } = await project.vitest([], { CI: 'true' })
  expect(code).toBe(0)
  expect(stdout).toContain(table!.text)
  expect(JSON.parse(await project.read('gas.json')).contracts).toHaveProperty(['Shop', 'functions', 'buy'])
})

it('has what is said where the gas differs from the snapshot', async () => {
  const text = await project.read(SNAPSHOTS)
  await project.write({ [SNAPSHOTS]: text.replace(/(buying tea.*: ")\d+/, '$131908') })
  const { code, stdout, stderr } = await project.vitest()
  expect(code).toBe(1)
  expect(stdout + stderr).toContain(failure!.text.trimEnd())
})
