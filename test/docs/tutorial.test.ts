/**
 * The pages that readers follow from the top, docs/tutorial.md and docs/solc.md: their files are written, their commands are typed, and
 * what these print is what the pages show. Only `npm` is left out: the packages are those of this repository.
 */
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { BuiltProject } from '../support/compilers/builtProject.ts'
import { FOLLOWED, follow, stepsOf } from '../support/docs/followedPage.ts'
import { PAGES, ROOT } from '../support/docs/pages.ts'
import { commandsIn } from '../support/docs/shownCommands.ts'

let project: BuiltProject
beforeAll(async () => {
  project = await BuiltProject.begin()
  for (const name of ['viem', 'solc']) {
    await symlink(join(ROOT, 'node_modules', name), join(project.folder, 'node_modules', name), 'junction')
  }
  await standInForThePageOfReports()
})
afterAll(() => project.end())

/** Reports are written without a build of the page. test/page/stories has the real one. */
async function standInForThePageOfReports(): Promise<void> {
  const page = 'node_modules/preseal/dist/page'
  await mkdir(join(project.folder, page, 'report'), { recursive: true })
  await project.write({
    [`${page}/assets/theme.js`]: 'theme()',
    [`${page}/report/report.js.gz`]: gzipSync('show()'),
    [`${page}/report/report.css.gz`]: gzipSync('p {}'),
  })
}

describe.each([...FOLLOWED])('%s', (path) => {
  const folder = path.replaceAll(/\W/g, '-')

  it('can be followed from its first line to its last', async () => {
    // As `npm init` writes it.
    await project.write({
      [`${folder}/package.json`]: '{ "name": "mine", "version": "1.0.0", "type": "commonjs" }',
    })
    await follow(PAGES.get(path)!, project, folder)
  }, 300_000)
})

describe('docs/tutorial.md', () => {
  it('leaves the report of which it speaks', async () => {
    const reports = await readdir(join(project.folder, 'docs-tutorial-md/preseal-reports'), {
      recursive: true,
    })
    expect(reports.filter((name) => name.endsWith('.html'))).toHaveLength(1)
  })

  it('types the commands of its workflow', () => {
    const steps = stepsOf(PAGES.get('docs/tutorial.md')!)
    const workflow = steps.find(({ block }) => block.language === 'yaml')!
    const { jobs } = parse(workflow.block.text)
    const typed = steps.flatMap(({ kind, block }) => (kind === 'commands' ? commandsIn(block.text) : []))
    const runs = (jobs.test.steps as { run?: string }[]).flatMap(({ run }) => run ?? [])
    expect(runs).toEqual(['npm ci', 'node compile.mjs', 'npx vitest run'])
    expect(typed).toEqual(expect.arrayContaining(runs.slice(1)))
  })
})
