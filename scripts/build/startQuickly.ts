/**
 * Lets the bundle do at import only what a first call needs.
 *
 * EthereumJS sets up at import what few calls use: curves for precompiles, tables, a default header. None of that has a
 * switch, so it is changed here, in the bundle; from sources (`npm test`) everything is as its packages have it, and
 * test/package.test.ts holds the one against the other. Each change names the text that it stands for: when an update
 * of EthereumJS words it differently, the build fails and says so.
 *
 * What it saves, of 120 ms that a process took to its first answer, 61 of them Node's own (Node 20, linux-x64): the table of
 * numbers 9, `debug` 6, the curves 4, constants 2, the header 1. `npm run bench -- start`
 */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Plugin } from 'esbuild'

/** Evaluated when one of their names is first used. Only these names can be: the rest is left out of the bundle. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  '@noble/curves/bls12-381.js': ['bls12_381'],
  '@noble/curves/bn254.js': ['bn254'],
  '@noble/curves/nist.js': ['p256'],
  '@noble/curves/secp256k1.js': ['secp256k1'],
  '@noble/hashes/legacy.js': ['ripemd160'],
  '@noble/hashes/sha3.js': ['keccak_256'],
}

const literal = (bytes: Uint8Array) => `new Uint8Array([${bytes}])`

/** What a file says, and what it says in the bundle; all places that say it. */
const CHANGES: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  // A table of 65,536 bigints, of which a run asks for a few: each is made when it is asked for.
  '@ethereumjs/util/dist/esm/bytes.js': [
    ['for (let i = 0; i <= 256 * 256 - 1; i++) {\n    BIGINT_CACHE[i] = BigInt(i);\n}', ''],
    ['return BIGINT_CACHE[bytes[0]];', 'return bigIntOf(bytes[0]);'],
    ['return BIGINT_CACHE[bytes[0] * 256 + bytes[1]];', 'return bigIntOf(bytes[0] * 256 + bytes[1]);'],
    [
      'const BIGINT_CACHE = [];',
      'const BIGINT_CACHE = [];\nconst bigIntOf = (number) => (BIGINT_CACHE[number] ??= BigInt(number));',
    ],
  ],
  // Constants, worked out by a curve and by hash functions that nothing else needs so soon.
  '@ethereumjs/util/dist/esm/constants.js': [
    ['secp256k1.Point.CURVE().n', `BigInt('${secp256k1.Point.CURVE().n}')`],
    ['sha256(new Uint8Array())', literal(sha256(new Uint8Array()))],
  ],
  '@ethereumjs/evm/dist/esm/eof/util.js': [
    ['keccak_256(EOFBYTES)', literal(keccak_256(Uint8Array.of(0xef, 0x00)))],
  ],
  '@ethereumjs/evm/dist/esm/precompiles/bls12_381/noble.js': [
    ['const G1_ZERO = bls12_381.G1.Point.ZERO;', ''],
    ['const G2_ZERO = bls12_381.G2.Point.ZERO;', ''],
    ['G1_ZERO', 'bls12_381.G1.Point.ZERO'],
    ['G2_ZERO', 'bls12_381.G2.Point.ZERO'],
  ],
  '@ethereumjs/vm/dist/esm/runTx.js': [
    ['const DEFAULT_HEADER = createBlockHeader();', ''],
    ['DEFAULT_HEADER', 'defaultHeader()'],
    [
      'export async function runTx(',
      'let madeHeader;\nconst defaultHeader = () => (madeHeader ??= createBlockHeader());\nexport async function runTx(',
    ],
  ],
}

/** The logger of EthereumJS, which says nothing unless DEBUG asks for it: a Node-only package that loads `node:tty`. */
const SILENT = `const silent = () => {}
silent.extend = () => silent
silent.enabled = false
export default () => silent`

const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const anyOf = (texts: readonly string[]) => texts.map(quoted).join('|')

export const startQuickly: Plugin = {
  name: 'start quickly',
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

    build.onLoad({ filter: new RegExp(`(${anyOf(Object.keys(CHANGES))})$`) }, async ({ path }) => {
      const [, changes] = Object.entries(CHANGES).find(([file]) => path.endsWith(file))!
      let contents = await readFile(path, 'utf8')
      for (const [from, to] of changes) {
        if (!contents.includes(from)) {
          return { errors: [{ text: `${path} no longer says what is changed in it: ${from}` }] }
        }
        contents = contents.replaceAll(from, to)
      }
      return { contents }
    })
  },
}
