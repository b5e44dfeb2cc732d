/** Compiles files of `src/engine/wasm/assembly` for tests that hold single functions of them against others' results. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GENERATED } from '../../../src/engine/wasm/generate/generate.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ASSEMBLY = join(ROOT, 'src/engine/wasm/assembly')
const CACHE = join(ROOT, 'node_modules/.cache/assembly')

/** Changes when what is compiled otherwise than by its text does: the compiler's options. */
const OPTIONS = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--importMemory']

/** What is used of WebAssembly, which TypeScript declares only for browsers. */
interface Api {
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer }
  compile(bytes: Uint8Array): Promise<object>
  instantiate(module: object, imports: object): Promise<{ readonly exports: object }>
}
const { Memory, compile, instantiate } = (globalThis as unknown as { WebAssembly: Api }).WebAssembly

/** What the module under test exports, and the memory that its pointers point into. */
export interface CompiledAssembly {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly exports: Readonly<Record<string, (...values: (number | bigint)[]) => number>>
}

const modules = new Map<string, Promise<object>>()

/** Returns a new instance of a module that exports all that the named files of `src/engine/wasm/assembly` export. */
export async function compiledAssembly(...files: string[]): Promise<CompiledAssembly> {
  const key = files.join()
  let module = modules.get(key)
  if (module === undefined) {
    module = moduleOf(files)
    modules.set(key, module)
  }
  const memory = new Memory({ initial: 64 })
  const { exports } = await instantiate(await module, { env: { memory } })
  return { memory, exports: exports as CompiledAssembly['exports'] }
}

/** Compiled modules stay in `node_modules/.cache`, by the hash of all sources: compiling takes seconds. */
async function moduleOf(files: readonly string[]): Promise<object> {
  const entry = files.map((name) => `export * from './${name}'\n`).join('')
  const hash = createHash('sha256').update(JSON.stringify([OPTIONS, entry]))
  for (const name of readdirSync(ASSEMBLY).sort())
    if (name.endsWith('.ts')) hash.update(name).update(readFileSync(join(ASSEMBLY, name)))
  for (const [name, text] of GENERATED) hash.update(name).update(text())
  const cached = join(CACHE, `${hash.digest('hex')}.wasm`)
  try {
    return await compile(readFileSync(cached))
  } catch {
    // It is not there yet.
  }
  const { default: asc } = await import('assemblyscript/asc')
  let binary: Uint8Array | undefined
  const { error, stderr } = await asc.main(['entry.ts', '--outFile', 'out.wasm', ...OPTIONS], {
    readFile: (name) => {
      if (name === 'entry.ts') return entry
      const generated = GENERATED.get(name)
      if (generated !== undefined) return generated()
      try {
        return readFileSync(join(ASSEMBLY, name), 'utf8')
      } catch {
        return null
      }
    },
    writeFile: (name, content) => {
      if (name === 'out.wasm') binary = content as Uint8Array
    },
    listFiles: () => [],
  })
  if (error !== null || binary === undefined) throw new Error(`${entry} does not compile:\n${stderr}`)
  mkdirSync(CACHE, { recursive: true })
  // Renamed when it is whole: other processes read it too.
  const unfinished = `${cached}.${process.pid}`
  writeFileSync(unfinished, binary)
  renameSync(unfinished, cached)
  return compile(binary)
}
