/**
 * Compiles libsecp256k1 to WebAssembly, as `src/crypto/curve.ts`. `npm run compile:curve -- FOLDER`, the folder of the library's
 * source; with `--check` it compares instead of writing.
 *
 * Needs clang and lld. The committed file was made on Debian 12 (clang 14.0.6) of the source of Debian 13's package
 * (libsecp256k1_0.5.0.orig.tar.xz). With other versions of either the bytes differ; the tests show whether they are right.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { emptyFolder } from './package/folders.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const TARGET = path('../src/crypto/curve.ts')

const { positionals, values } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } })
const [source] = positionals
if (source === undefined) throw new Error('expected the folder of libsecp256k1')

const text = moduleOf(await compiled(source))
if (!values.check) await writeFile(TARGET, text)
else if (text !== (await readFile(TARGET, 'utf8'))) throw new Error(`${TARGET} is not what was compiled now`)

async function compiled(source: string): Promise<Buffer> {
  await using folder = await emptyFolder()
  const file = join(folder.path, 'curve.wasm')
  await promisify(execFile)('clang', [
    '--target=wasm32',
    '-O2',
    '-nostdlib',
    '-ffreestanding',
    // Otherwise the compiler replaces their loops by calls of themselves.
    ...['memcpy', 'memset'].map((name) => `-fno-builtin-${name}`),
    ...[path('curve/include'), source, join(source, 'include')].map((include) => `-I${include}`),
    '-DENABLE_MODULE_RECOVERY=1',
    // WebAssembly multiplies 64 bits at once, not 128.
    '-DUSE_FORCE_WIDEMUL_INT64=1',
    // Tables of 8 kB for recovering (1 MB would save 6 % of the time) and of 2 kB for signing (22 kB would save 21 %).
    '-DECMULT_WINDOW_SIZE=8',
    '-DCOMB_BLOCKS=2',
    '-DCOMB_TEETH=5',
    ...['--no-entry', '--strip-all', '-z,stack-size=32768'].map((flag) => `-Wl,${flag}`),
    '-o',
    file,
    path('curve/curve.c'),
  ])
  return await readFile(file)
}

function moduleOf(bytes: Buffer): string {
  return `// libsecp256k1 as WebAssembly, compiled by scripts/compile-curve.ts; do not edit. Its license is in scripts/curve/COPYING.
export const CURVE =
  '${bytes.toString('base64')}'
`
}
