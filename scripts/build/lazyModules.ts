/**
 * Lets the bundle evaluate modules when they are first used.
 *
 * EthereumJS imports curves and hashes of precompiles at its start, and few calls use them. The code of all packages is
 * bundled unchanged, except for its logger.
 */
import { dirname } from 'node:path'
import type { Plugin } from 'esbuild'

/** Evaluated at the first use of one of these names. Other exports are left out of the bundle. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  '@noble/curves/bls12-381.js': ['bls12_381'],
  '@noble/curves/bn254.js': ['bn254'],
  '@noble/curves/nist.js': ['p256'],
  '@noble/curves/secp256k1.js': ['secp256k1'],
  '@noble/hashes/legacy.js': ['ripemd160'],
  '@noble/hashes/sha3.js': ['keccak_256'],
}

/**
 * Replaces the logger of EthereumJS, which writes nothing unless the environment variable DEBUG names it: a package for Node
 * that loads `node:tty`, which browsers do not have. Express requires it, too.
 */
const SILENT = `const silent = () => {}
silent.extend = () => silent
silent.enabled = false
module.exports = () => silent`

const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const anyOf = (texts: readonly string[]) => texts.map(quoted).join('|')

export const lazyModules: Plugin = {
  name: 'lazy modules',
  setup(build) {
    build.onResolve({ filter: /^debug$/ }, () => ({ path: 'debug', namespace: 'silent' }))
    build.onLoad({ filter: /.*/, namespace: 'silent' }, () => ({ contents: SILENT }))

    // An import leads to a CommonJS module of getters, whose names esbuild looks up at each use. Behind it, `require` lets
    // esbuild keep the module for later, and naming what is taken from it lets the rest fall away.
    build.onResolve({ filter: new RegExp(`^(${anyOf(Object.keys(LATER))})$`) }, async (args) => {
      if (args.pluginData === 'resolving') return undefined
      const { path, errors } = await build.resolve(args.path, {
        kind: args.kind,
        importer: args.importer,
        resolveDir: args.resolveDir,
        pluginData: 'resolving',
      })
      return { path, errors, namespace: 'later', pluginData: LATER[args.path], sideEffects: false }
    })
    build.onLoad({ filter: /.*/, namespace: 'later' }, ({ path, pluginData }) => {
      const names = pluginData as readonly string[]
      const contents = `let now
const load = () => (now ??= require(${JSON.stringify(`named:${names}:${path}`)}))
module.exports = { __esModule: true, ${names.map((name) => `get ${name}() { return load().${name} }`)} }`
      return { contents, resolveDir: dirname(path) }
    })
    build.onResolve({ filter: /^named:/ }, ({ path }) => ({ path, namespace: 'named', sideEffects: false }))
    build.onLoad({ filter: /.*/, namespace: 'named' }, ({ path }) => {
      const [, names, file] = /^named:([^:]+):(.+)$/s.exec(path)!
      return { contents: `export { ${names} } from ${JSON.stringify(file)}`, resolveDir: dirname(file!) }
    })
  },
}
