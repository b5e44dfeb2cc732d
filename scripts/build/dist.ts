/**
 * The published code: the entries, what they share, and what is loaded later, each bundled with the packages that it uses.
 *
 * A devnet is started by each test file and each run of a script, and reading EthereumJS from its hundreds of files takes
 * longer than all the rest of a start; so it is with what listens and the command line. What only an own mnemonic, blobs or
 * fixture scripts load stays outside, where npm can update it.
 *
 * Whitespace goes, names stay, and lines stay short: a stack trace names functions, and Node can print the line that threw.
 * So there are no source maps: they would double the package, and refer to sources that it does not have.
 */
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { compileEngine } from '../../src/engine/wasm/generate/compile.ts'
import { builtins } from './builtins.ts'
import { lazyModules } from './lazyModules.ts'
import { leftOut } from './leftOut.ts'
import { licensesOf } from './licenses.ts'
import { LISTENING, listening, writeNoPorts } from './listening.ts'
import { oneCore } from './oneCore.ts'
import { makePage } from './page.ts'
import { makeReport } from './report.ts'
import { makeTypes } from './types.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** How any bundle is made that is held against ours. */
export const BUNDLING = {
  absWorkingDir: ROOT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  logLevel: 'warning',
} as const satisfies BuildOptions

const MAIN = 'src/index.ts'
const LAUNCHER = 'src/cli.ts'
const PROGRAMS = [LAUNCHER, LISTENING]
/** What nobody imports: published code has others load it by its path. */
const LOADED_BY_PATH = [
  'src/measuring/reporters/gas/vitestSetup.ts',
  'src/measuring/reporters/coverage/vitestSetup.ts',
]
/** What is published as it is, beside the code. */
const SCHEMA = 'fixtures/fixture.schema.json'

/**
 * What a first call runs, and what that uses in turn; and what encodes by an ABI, which is in a chunk of its own: reading it from
 * its files takes 30 ms, of the 70 that the first `deploy` of a process takes. All other dependencies stay outside.
 */
export const INSIDE =
  /^(@ethereumjs\/.+|@noble\/.+|hash-wasm|mcl-wasm|valibot|ox|abitype|express|ws|cors|commander|open|picocolors)$/

/**
 * Makes the folder `dist` anew: code, types, the page, schemas, and the licenses of what is in the code. It takes the place of an
 * older one when it is whole: others may be using that meanwhile.
 */
export async function makeDist(dist: string): Promise<void> {
  const unfinished = `${dist}-${process.pid}`
  try {
    const entries = await publicEntries()
    const [{ metafile }, , filesOfPages] = await Promise.all([
      bundlePackage(unfinished, entries),
      makeTypes(ROOT, unfinished, entries),
      makePages(join(unfinished, 'page')),
    ])
    const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
    await writeFile(join(unfinished, 'LICENSES.txt'), await licensesOf([...files, ...filesOfPages], ROOT))
    await copyFile(join(ROOT, SCHEMA), join(unfinished, basename(SCHEMA)))
    await rm(dist, { recursive: true, force: true })
    await rename(unfinished, dist)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Makes the page that a port serves, and that of a report. Vite empties the folder first. */
async function makePages(folder: string): Promise<string[]> {
  const served = await makePage(ROOT, folder)
  return [...served, ...(await makeReport(ROOT, join(folder, 'report')))]
}

/** Makes all published code, in the folder `dist`. */
export async function bundlePackage(dist: string, entries?: readonly string[]) {
  return bundleInto(dist, [...(entries ?? (await publicEntries())), ...LOADED_BY_PATH])
}

/**
 * Makes the code of `entries` and of the command line alone, in the folder `dist` beside a copy of package.json, from which the
 * project's packages are found.
 */
export async function bundleInto(dist: string, entries: readonly string[] = [MAIN]) {
  await compileEngine()
  const result = await build({
    ...BUNDLING,
    entryPoints: [...entries, ...PROGRAMS],
    outbase: 'src',
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    external: await outside(),
    plugins: [listening, oneCore(join(ROOT, MAIN), join(ROOT, LAUNCHER)), lazyModules, builtins, leftOut],
    logOverride: { 'ignored-bare-import': 'silent' },
    metafile: true,
  })
  await writeNoPorts(result.metafile, dist)
  return result
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly dependencies: object
  readonly optionalDependencies?: object
  readonly peerDependencies: object
}

async function manifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
}

/** The sources of what users import, as `exports` of package.json has it: what has types. */
async function publicEntries(): Promise<string[]> {
  const { exports } = await manifest()
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')],
  )
}

/** The packages that a user's npm installs beside ours, or the user, because package.json says so. */
async function outside(): Promise<string[]> {
  const { dependencies, optionalDependencies, peerDependencies } = await manifest()
  const all = { ...dependencies, ...optionalDependencies, ...peerDependencies }
  return Object.keys(all).filter((name) => !INSIDE.test(name))
}
