/** The published types: declarations of what the entry names, and of what these refer to. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'

/** Writes the declarations of the sources in `root` to the folder `dist`. Rejects where they have type errors. */
export async function makeTypes(root: string, dist: string): Promise<void> {
  const all = await mkdtemp(join(tmpdir(), 'preseal-types-'))
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', all], {
      cwd: root,
    })
    await Promise.all(
      [...(await reachable(join(all, 'index.d.ts')))].map(async ([file, text]) => {
        const target = join(dist, relative(all, file))
        await mkdir(dirname(target), { recursive: true })
        await writeFile(target, text)
      }),
    )
  } finally {
    await rm(all, { recursive: true })
  }
}

/** tsc leaves the endings of its sources in declarations: `./devnet.ts`, of which not every reader of types makes sense. */
const IMPORT = /((?:from |import\()'(\.[^'\n]*))\.ts'/g

/** The texts of `entry` and of the files that it refers to, directly or not, referring to each other as `.js`. */
async function reachable(entry: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const waiting = [entry]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (texts.has(file)) continue
    const text = await readFile(file, 'utf8')
    texts.set(file, text.replace(IMPORT, "$1.js'"))
    for (const [, , path] of text.matchAll(IMPORT)) waiting.push(join(dirname(file), `${path}.d.ts`))
  }
  return texts
}
