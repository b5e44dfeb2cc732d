/** The pages show what test runners print where code fails; frames lead to the source, from the project's folder. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BuiltProject } from '../support/compilers/builtProject.ts'
import { hardhatProject } from '../support/compilers/hardhatProject.ts'
import { PAGES, ROOT } from '../support/docs/pages.ts'

const shown = ['docs/solidity.md', 'README.md'].flatMap((page) =>
  PAGES.get(page)!.blocks.filter(({ language }) => language === 'text'),
)

let project: BuiltProject
beforeAll(async () => {
  project = await BuiltProject.begin()
  await project.write(await hardhatProject('Shop'))
  for (const [path, example] of [
    ['test/shop.test.ts', 'vitest.ts'],
    ['shop.test.mjs', 'nodeTest.mjs'],
  ]) {
    await project.write({
      [path!]: await readFile(join(ROOT, 'test/examples/stackTraces', example!), 'utf8'),
    })
  }
})
afterAll(() => project.end())

it('vitest prints the Solidity frames, and the lines of the test, as the pages show', async () => {
  const { code, stdout, stderr } = await project.vitest(['test/'])
  expect(code).toBe(1)
  expect(shown).toHaveLength(2)
  for (const { text } of shown) expect(stdout + stderr).toContain(text.trimEnd())
})

it('node:test prints the Solidity frames above that of the test', async () => {
  const { code, stdout } = await project.start(['--test', '--test-reporter=spec', 'shop.test.mjs']).ended
  expect(code).toBe(1)
  expect(stdout).toContain(
    'expected no revert, but it reverted with custom error InsufficientStock(available: 3, wanted: 5)',
  )
  expect(stdout).toMatch(/ at Shop\.buy \(contracts\/Shop\.sol:50:36\)\n +at .*shop\.test\.mjs:11:/)
})
