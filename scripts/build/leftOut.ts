/**
 * What Express and ws bring and preseal never calls, left out of the bundle: 660 kB of tables.
 *
 * Its body parsers know all encodings of text; preseal reads bodies itself. Its views load packages by names that are
 * made at run time; preseal renders none. To serve files it knows the types of all
 * endings; preseal needs those of JSON and of its page, for which Express also asks that table for the character set. ws takes packages of machine
 * code where they are installed, and does without them where they throw.
 */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

const USED_TYPES = [
  'application/json',
  'image/svg+xml',
  'text/css',
  'text/html',
  'text/javascript',
  'text/plain',
]

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
