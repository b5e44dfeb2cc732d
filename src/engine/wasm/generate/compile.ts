import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
const WASM = join(ROOT, 'src/engine/wasm')
const ASSEMBLY = join(WASM, 'assembly')
const COMPILED = join(WASM, 'compiled.ts')
const COMPILED_KECCAK = join(ROOT, 'src/crypto/compiledKeccak.ts')

const OPTIONS = ['--runtime', 'stub', '--enable', 'simd', '--use', 'abort=', '--outFile', 'out.wasm']
const ENGINE = [
  'assembly/index.ts',
  // Disables the warning about conversions between `usize` and `u32`. Pointers have 32 bits.
  ...['--disableWarning', '201'],
  // The addresses below the memory base are those in `layout.ts`.
  ...['--memoryBase', '65536', '--initialMemory', '32'],
]
const BLAKE2F = ['assembly/blake2f.ts']
const KECCAK = ['assembly/keccakModule.ts', '--initialMemory', '1']
const FAST = ['-O3', '--noAssert']

export async function compileEngine(): Promise<void> {
  const hash = hashOfSources()
  const heading = `// Compiled by scripts/compile-engine.ts of sources ${hash}\n`
  const isCurrent = (file: string) => existsSync(file) && readFileSync(file, 'utf8').startsWith(heading)
  if (isCurrent(COMPILED) && isCurrent(COMPILED_KECCAK)) return
  const constant = async (name: string, binary: Promise<Uint8Array>) =>
    `export const ${name} =\n  '${Buffer.from(await binary).toString('base64')}'\n`
  const engine = await constant('COMPILED', compiledEngine(FAST))
  write(COMPILED, heading + engine + (await constant('BLAKE2F', compiled([...BLAKE2F, ...FAST]))))
  write(COMPILED_KECCAK, heading + (await constant('KECCAK', compiled([...KECCAK, ...FAST]))))
}

/** Writes a temporary file and renames it, because other processes may compile at the same time. */
function write(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

function hashOfSources(): string {
  const hash = createHash('sha256').update([OPTIONS, ENGINE, BLAKE2F, KECCAK, FAST].join(' '))
  const folders = [ASSEMBLY, import.meta.dirname]
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  files.push(
    join(WASM, 'layout.ts'),
    join(ROOT, 'src/model/opcodes.ts'),
    join(ROOT, 'node_modules/assemblyscript/package.json'),
  )
  for (const file of files.filter((name) => /\.(ts|json)$/.test(name)).sort()) hash.update(readFileSync(file))
  return hash.digest('hex')
}

/** Compiles the engine's module. Without `--noAssert`, as in tests, the module traps on misuse of its heap. */
export function compiledEngine(options: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  return compiled([...ENGINE, ...options])
}

async function compiled(options: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { default: asc } = await import('assemblyscript/asc')
  const { GENERATED } = await import('./generate.ts')
  let binary: Uint8Array<ArrayBuffer> | undefined
  const { error, stderr } = await asc.main([...OPTIONS, ...options], {
    readFile: (name) => {
      const generated = GENERATED.get(name.slice('assembly/'.length))
      if (generated !== undefined) return generated()
      const file = join(WASM, name)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    writeFile: (name, content) => {
      if (name === 'out.wasm') binary = content as Uint8Array<ArrayBuffer>
    },
    listFiles: () => [],
  })
  if (error !== null || binary === undefined) throw new Error(`AssemblyScript does not compile:\n${stderr}`)
  return binary
}
