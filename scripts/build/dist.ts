/**
 * The published code: two entries, what they share, and what is loaded later, each bundled with the packages that it uses.
 *
 * A devnet is started by each test file and each run of a script, and reading EthereumJS from its hundreds of files takes
 * longer than all the rest of a start. What only `listen`, the command line or an own mnemonic load stays outside, where npm
 * can update it.
 *
 * Whitespace goes, names stay, and lines stay short: a stack trace names functions, and Node can print the line that threw.
 * So there are no source maps: they would double the package, and refer to sources that it does not have.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { licensesOf } from './licenses.ts'
import { startQuickly } from './startQuickly.ts'
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

/** What a first call runs, and what that uses in turn. All other dependencies stay outside. */
const INSIDE = /^(@ethereumjs\/.+|@noble\/.+|hash-wasm|valibot)$/

/** Makes the folder `dist` anew: code, types, and the licenses of what is in the code. */
export async function makeDist(dist: string): Promise<void> {
  await rm(dist, { recursive: true, force: true })
  const [{ metafile }] = await Promise.all([bundleInto(dist), makeTypes(ROOT, dist)])
  await writeFile(join(dist, 'LICENSES.txt'), await licensesOf(metafile, ROOT))
}

/** Makes the code alone, in a folder from which the project's packages are found. */
export async function bundleInto(folder: string) {
  return build({
    ...BUNDLING,
    entryPoints: ['src/index.ts', 'src/cli.ts'],
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    external: await outside(),
    plugins: [startQuickly],
    metafile: true,
  })
}

/** The packages that a user's npm installs beside ours, because it says so in package.json. */
async function outside(): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const { dependencies, optionalDependencies } = manifest as Record<string, Record<string, string>>
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !INSIDE.test(name))
}
