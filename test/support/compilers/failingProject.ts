/** A project whose tests fail, each in its own way (`test/reports/failing`), and the failures that its reports have. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { TestFailure } from '../../../src/reports/tests/testFailure.ts'
import { ROOT } from '../docs/pages.ts'
import type { Ended } from '../processes/process.ts'
import { BuiltProject } from './builtProject.ts'
import { compiled } from './solidity.ts'

const SOURCES = join(ROOT, 'test/reports/failing')
const VAULT = 'contracts/Vault.sol'

/** The files of a page that reports consist of: here they show nothing. */
const NO_PAGE = {
  'assets/theme.js': 'theme()',
  'report/report.js.gz': gzipSync('show()'),
  'report/report.css.gz': gzipSync('p {}'),
}

export class FailingProject {
  readonly project: BuiltProject
  /** The text of each file of tests, and of the contracts, by path. */
  readonly texts = new Map<string, string>()

  private constructor(project: BuiltProject) {
    this.project = project
  }

  /** Reports consist of the files `page`, by their paths. By default, their page shows nothing. */
  static async begin(page: Readonly<Record<string, string | Uint8Array>> = NO_PAGE): Promise<FailingProject> {
    const made = new FailingProject(await BuiltProject.begin())
    for (const [path, content] of Object.entries(page)) {
      await made.project.write({ [`node_modules/preseal/dist/page/${path}`]: content })
    }
    await made.add('Vault.sol', VAULT)
    const { input, output } = compiled({ [VAULT]: made.texts.get(VAULT) ?? '' })
    await made.project.write({ 'solc.json': JSON.stringify({ input, output }) })
    return made
  }

  end(): Promise<void> {
    return this.project.end()
  }

  /** Puts a file of `test/reports/failing` at `path`. */
  async add(source: string, path: string): Promise<void> {
    const text = await readFile(join(SOURCES, source), 'utf8')
    this.texts.set(path, text)
    await this.project.write({ [path]: text })
  }

  /** Runs the tests `vault.ts`, of which those whose names match `pattern`. */
  async runVitest(
    pattern?: string,
    environment: NodeJS.ProcessEnv = {},
    args: readonly string[] = [],
  ): Promise<Ended> {
    await this.add('vault.ts', 'test/vault.test.ts')
    await this.add('helper.ts', 'test/helper.ts')
    const chosen = pattern === undefined ? [] : ['--testNamePattern', pattern]
    return this.project.vitest(['test/vault.test.ts', ...chosen, ...args], environment)
  }

  /** The paths of all reports in a folder. */
  async reports(folder = 'preseal-reports'): Promise<string[]> {
    const names = await readdir(join(this.project.folder, folder), { recursive: true })
    return names.filter((name) => name.endsWith('.html')).map((name) => join(folder, name))
  }

  /** The failure in a report. */
  async failureIn(report: string): Promise<TestFailure> {
    const html = await this.project.read(report)
    const [, json] = /<script type="application\/json" id="failure">([^<]*)<\/script>/.exec(html) ?? []
    return JSON.parse(json ?? 'null')
  }

  /** The number of the first line of `file` that ends with the comment `// mark`, after the first that contains `after`. */
  lineOf(file: string, mark: string, after = ''): number {
    const lines = (this.texts.get(file) ?? '').split('\n')
    const first = lines.findIndex((line) => line.includes(after))
    const found = lines.findIndex((line, i) => i >= first && line.endsWith(`// ${mark}`))
    if (first < 0 || found < 0) throw new Error(`${file} has no line with ${mark} after ${after}`)
    return found + 1
  }
}
