/**
 * The published code: the entries, their shared code, and code loaded on demand, each bundled with its packages.
 *
 * Each test file and each script starts a devnet, and loading EthereumJS from its hundreds of files would take
 * longer than the rest of a start; likewise Express and commander. Packages that only an own mnemonic, blobs or
 * fixture scripts load stay outside, where npm can update them.
 *
 * Whitespace is removed, names are kept, and lines are short: stack traces name functions, and Node can print the line that threw.
 * So there are no source maps, which would double the package and refer to sources that it does not have.
 */
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { compileEngine } from '../../src/engine/wasm/generate/compile.ts'
import { ROOT } from '../package/folders.ts'
import { lazyModules } from './lazyModules.ts'
import { licensesOf } from './licenses.ts'
import { makePage } from './page.ts'
import { builtins, LISTENING, leftOut, listening, oneCore, writeNoPorts } from './plugins.ts'
import { makeReport } from './report.ts'
import { makeTypes } from './types.ts'

/** Settings of all bundles that are compared with ours. */
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
/** Modules that vitest loads by their paths. */
const LOADED_BY_PATH = [
  'src/measuring/reporters/gas/vitestSetup.ts',
  'src/measuring/reporters/coverage/vitestSetup.ts',
]
const SCHEMA = 'fixtures/fixture.schema.json'

/**
 * Packages in the bundle: those that a first call runs, with their dependencies; and the ABI encoder, in a chunk of its own: loading it
 * from its files would take 30 of the 70 ms of a process's first `deploy`. All other dependencies stay outside.
 */
export const INSIDE =
  /^(@ethereumjs\/.+|@noble\/.+|mcl-wasm|valibot|ox|abitype|express|ws|cors|commander|open|picocolors|picomatch)$/

/**
 * Builds the folder `dist`: code, types, the page, schemas, and the licenses of the bundled packages. It replaces an older one only when
 * it is complete, since other processes may use that meanwhile.
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

/** Builds the page that ports serve, and that of reports. Vite empties the folder first. */
async function makePages(folder: string): Promise<string[]> {
  const served = await makePage(ROOT, folder)
  return [...served, ...(await makeReport(ROOT, join(folder, 'report')))]
}

export async function bundlePackage(dist: string, entries?: readonly string[]) {
  return bundleInto(dist, [...(entries ?? (await publicEntries())), ...LOADED_BY_PATH])
}

/**
 * Builds the code of `entries` and of the command line alone into the folder `dist` beside a copy of package.json, from where the
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

/** The sources of the public entries, according to `exports` of package.json. */
async function publicEntries(): Promise<string[]> {
  const { exports } = await manifest()
  return Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')],
  )
}

/** The packages that npm, or the user, installs beside ours. */
async function outside(): Promise<string[]> {
  const { dependencies, optionalDependencies, peerDependencies } = await manifest()
  const all = { ...dependencies, ...optionalDependencies, ...peerDependencies }
  return Object.keys(all).filter((name) => !INSIDE.test(name))
}
