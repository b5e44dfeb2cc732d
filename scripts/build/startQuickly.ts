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
import { fileURLToPath } from 'node:url'
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

const HEX = JSON.stringify(fileURLToPath(new URL('../../src/model/bytes/hex.ts', import.meta.url)))

const literal = (bytes: Uint8Array) => `new Uint8Array([${bytes}])`

/** What a file says, and what it says in the bundle; all places that say it. */
const CHANGES: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  // Most instructions make bytes of numbers or numbers of bytes, for which there is a table of 65,536 bigints, of which a run asks for
  // a few, a regular expression, and an array with a place for each byte. Our own ways are straight.
  '@ethereumjs/util/dist/esm/bytes.js': [
    [
      'const BIGINT_0 = BigInt(0);',
      `import { toDigits, toMinimalBytes, toQuantity } from ${HEX};\nconst BIGINT_0 = BigInt(0);`,
    ],
    ['bytesToUnprefixedHex = bytesToUnprefixedHexNoble;', 'bytesToUnprefixedHex = toDigits;'],
    ['const BIGINT_CACHE = [];', ''],
    ['for (let i = 0; i <= 256 * 256 - 1; i++) {\n    BIGINT_CACHE[i] = BigInt(i);\n}', ''],
    ['const hex = bytesToHex(bytes);\n    if (hex', 'return toQuantity(bytes);\n    if (hex'],
    [
      `hexToBytes(\`0x\${padToEven(num.toString(16))}\`)`,
      '(num === BIGINT_0 ? new Uint8Array(1) : toMinimalBytes(num))',
    ],
    [
      `return right
            ? new Uint8Array([...msg, ...new Uint8Array(length - msg.length)])
            : new Uint8Array([...new Uint8Array(length - msg.length), ...msg]);`,
      `const padded = new Uint8Array(length);
        padded.set(msg, right ? 0 : length - msg.length);
        return padded;`,
    ],
  ],
  '@ethereumjs/util/dist/esm/internal.js': [
    ['!value.match(/^0x[0-9A-Fa-f]*$/)', '!/^0x[0-9A-Fa-f]*$/.test(value)'],
  ],
  // Each frame begins with 8 kB of memory, most of which end before they use 500 bytes.
  '@ethereumjs/evm/dist/esm/memory.js': [
    ['this._store = new Uint8Array(CONTAINER_SIZE);', 'this._store = new Uint8Array(512);'],
  ],
  // Of a frame's forty members, all are copied when it begins and when it has ended, some of them twice.
  '@ethereumjs/evm/dist/esm/evm.js': [
    [
      `runState: {
                ...interpreterRes.runState,
                ...result,
                ...interpreter._env,
            },`,
      'runState: interpreterRes.runState,',
    ],
    [
      `return {
            ...result,
            runState:`,
      `const { logs, selfdestruct, createdAddresses } = result;
        return {
            logs,
            selfdestruct,
            createdAddresses,
            runState:`,
    ],
    [
      `this.runInterpreter({
                ...{ codeAddress: message.codeAddress },
                ...message,
                gasLimit,
            },`,
      `this.runInterpreter(gasLimit === message.gasLimit ? message : {
                ...{ codeAddress: message.codeAddress },
                ...message,
                gasLimit,
            },`,
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
    // Our receipts are made from what a run answers.
    ['results.bloom = txLogsBloom(results.execResult.logs, vm.common);', ''],
    [
      'results.receipt = await generateTxReceipt(vm, tx, results, cumulativeGasUsed, totalblobGas, blobGasPrice);',
      '',
    ],
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
