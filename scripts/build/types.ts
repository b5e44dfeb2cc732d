/** The published types: declarations of what the entries name, and of what these refer to. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { neededBy } from './declarations.ts'
import { forAnyCompiler } from './forAnyCompiler.ts'
import { withOptionMeanings } from './optionMeanings.ts'

/** What `client` of a test is, where it is there. */
const OPTIONAL = ['viem']

/** Writes the declarations of the entries in `root`, such as `src/index.ts`, to the folder `dist`. Rejects where they have type errors. */
export async function makeTypes(root: string, dist: string, entries: readonly string[]): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), 'preseal-types-'))
  try {
    await declare(root, all)
    const declarations = entries.map((entry) => join(all, relative('src', entry).replace(/\.ts$/, '.d.ts')))
    await Promise.all(
      [...(await neededBy(declarations))].map(async ([file, text]) => {
        const path = relative(all, file)
        const complete = path === 'options.d.ts' ? withOptionMeanings(text) : text
        const target = join(dist, path)
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, `${forAnyCompiler(complete, OPTIONAL)}\n`)
      }),
    )
  } finally {
    await rm(all, { recursive: true })
  }
}

/** Has tsc write all declarations to `folder`. */
async function declare(root: string, folder: string): Promise<void> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['-p', 'tsconfig.build.json', '--outDir', folder]
  await promisify(execFile)(process.execPath, [tsc, ...flags], { cwd: root }).catch((cause) => {
    throw new Error(cause.stdout, { cause })
  })
}
