import { readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'

const NAMES = new Set(builtinModules)
const SLOW = new Set(['http'])

/**
 * Node's own modules in the bundle.
 *
 * CommonJS packages have no `require` in the published files, which are ES modules: their `require('node:events')` becomes
 * `process.getBuiltinModule('node:events')`.
 *
 * So does `import … from 'node:http'`, for another reason: an `import` of a module of Node reads all that it exports, and from
 * Node 22 on `node:http` exports `WebSocket`, behind which Node loads its client for fetch: 20 to 30 ms of each start.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path, importer }) => {
      // Some packages write `process/`, for a package of that name where there is one.
      const name = path.replace(/^node:|\/$/g, '')
      const isOurs = NAMES.has(name) && (kind === 'require-call' || SLOW.has(name))
      // One for each package, or it would be a chunk that several load.
      const [, user = 'preseal'] = /.*node_modules[\\/](@[^\\/]+[\\/][^\\/]+|[^\\/]+)/.exec(importer) ?? []
      return isOurs ? { path: name, suffix: `?${user}`, namespace: 'builtin' } : undefined
    })
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
    }))
  },
}

const USED_TYPES = [
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
]

/**
 * Parts of Express and ws that preseal never uses, left out of the bundle: 660 kB of tables.
 *
 * Express's body parsers support all encodings of text; preseal reads bodies itself. Express's views load packages by names that are
 * computed at run time; preseal renders none. Express knows the MIME types of all file names; preseal needs those of JSON and of its page.
 * ws uses native packages where they are installed, and works without them where they throw.
 */
export const leftOut: Plugin = {
  name: 'left out',
  setup(build) {
    build.onResolve({ filter: /^body-parser$|^\.\/view$/ }, ({ path, importer }) =>
      /[\\/]express[\\/]lib[\\/]/.test(importer) ? { path, namespace: 'left out' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'left out' }, () => ({ contents: 'module.exports = {}' }))
    build.onResolve({ filter: /^(bufferutil|utf-8-validate)$/ }, ({ path }) => ({
      path,
      namespace: 'absent',
    }))
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `throw new Error('${path} is not in the bundle')`,
    }))
    build.onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
      const types = JSON.parse(await readFile(path, 'utf8'))
      return {
        contents: JSON.stringify(Object.fromEntries(USED_TYPES.map((name) => [name, types[name]]))),
        loader: 'json',
      }
    })
  },
}

/**
 * Keeps the code of a start in few files.
 *
 * esbuild makes a chunk for each set of entries that share code, and a dynamic import is an entry, too: the main entry
 * would be split into dozens of files, each of which takes Node about a millisecond. So each file that the main entry does
 * not import, imports the main entry: all code of the main entry is then shared by the same set, and is one chunk.
 *
 * `main` is the main entry, `launcher` an entry that must load nothing by itself: absolute paths.
 */
export const oneCore = (main: string, launcher: string): Plugin => ({
  name: 'one core',
  setup(build) {
    let core: ReadonlySet<string>
    build.onStart(async () => {
      core = await importedBy(main)
    })
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      if (core.has(path) || path === launcher) return undefined
      const text = await readFile(path, 'utf8')
      // esbuild leaves this import out again, since none of its names is used (`sideEffects` of package.json).
      return { contents: `${text}\nimport ${JSON.stringify(main)}`, loader: 'ts' }
    })
  },
})

/** Returns the absolute paths of `main` and of all files that are loaded with it: what it imports statically, and what these import. */
async function importedBy(main: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    absWorkingDir: dirname(main),
    entryPoints: [main],
    bundle: true,
    packages: 'external',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const found = new Set([basename(main)])
  for (const path of found) {
    for (const { path: next, kind, external } of metafile.inputs[path]!.imports)
      if (kind === 'import-statement' && external !== true) found.add(next)
  }
  return new Set([...found].map((path) => join(dirname(main), path)))
}

/** The module that loads Express, ws and Node's network modules; and its built file. */
export const LISTENING = 'src/server/listen.ts'
const BUILT = 'server/listen.js'

/**
 * The module that listens on ports: a bundler for browsers replaces it by one whose functions throw.
 * Both have the name `#listening`, which package.json (`imports`) resolves.
 */
export const listening: Plugin = {
  name: 'listening',
  setup(build) {
    build.onResolve({ filter: /\/listen\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: '#listening', external: true } : undefined,
    )
  },
}

/** Writes a module with the same exports, which all reject, beside it in the bundle `folder`. */
export async function writeNoPorts({ outputs }: Metafile, folder: string): Promise<void> {
  const [, { exports }] = Object.entries(outputs).find(([file]) => file.endsWith(`/${BUILT}`))!
  const functions = exports.map(
    (name) => `export async function ${name}() {
  throw new Error('a browser has no ports to listen on; ask in process, with devnet.request')
}`,
  )
  await writeFile(join(folder, 'server/noPorts.js'), `${functions.join('\n')}\n`)
}
