/**
 * How packages in the bundle get Node's own modules.
 *
 * CommonJS packages have no `require` in the published files, which are ES modules: their `require('node:events')` becomes
 * `process.getBuiltinModule('node:events')`.
 *
 * So does `import … from 'node:http'`, for another reason: an `import` of a module of Node reads all that it exports, and from
 * Node 22 on `node:http` exports `WebSocket`, behind which Node loads its client for fetch: 20 to 30 ms of each start.
 */
import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

const NAMES = new Set(builtinModules)
/** Those that are slow to import. */
const SLOW = new Set(['http'])

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
