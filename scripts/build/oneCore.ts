/**
 * Keeps what is loaded at a start in few files.
 *
 * esbuild makes a chunk for each set of entries that share code, and what is imported later is an entry, too: the main entry
 * would be read from a dozen files, each of which Node finds, reads and links by itself, at about a millisecond each. What
 * is imported later, and the other entries, are used with the main entry, so they say so: all that the main entry needs is
 * then shared by the same set, and is one chunk.
 */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { ImportKind, Loader, Plugin } from 'esbuild'

const MARK = Symbol('imports the main entry')
const KINDS: readonly string[] = ['dynamic-import', 'entry-point'] satisfies ImportKind[]

/** The plugin, for the main entry and a launcher that must load nothing by itself: absolute paths. */
export const oneCore = (main: string, launcher: string): Plugin => ({
  name: 'one core',
  setup(build) {
    build.onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (!KINDS.includes(kind) || pluginData === MARK) return undefined
      const resolved = await build.resolve(path, { kind, importer, resolveDir, pluginData: MARK })
      return resolved.namespace === 'file' && !resolved.external
        ? { ...resolved, pluginData: MARK }
        : resolved
    })
    build.onLoad({ filter: /\.m?[jt]s$/ }, async ({ path, pluginData }) => {
      if (pluginData !== MARK || path === main || path === launcher) return undefined
      const text = await readFile(path, 'utf8')
      // It only says so: package.json (`sideEffects`) lets esbuild leave out an import of which no name is used.
      return {
        contents: `${text}\nimport ${JSON.stringify(main)}`,
        loader: extname(path).slice(-2) as Loader,
      }
    })
  },
})
