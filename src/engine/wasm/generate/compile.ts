/** Compiles the EVM to WebAssembly, unless it is compiled already. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../../..')
const WASM = join(ROOT, 'src/engine/wasm')
const ASSEMBLY = join(WASM, 'assembly')
const COMPILED = join(WASM, 'compiled.ts')

const INPUT = ['assembly/index.ts', '--outFile', 'engine.wasm']
const OPTIONS = [
  // Pointers are of 32 bits, and stored as such.
  ...['--disableWarning', '201'],
  ...['--runtime', 'stub', '--enable', 'simd'],
  // The addresses below are those of `layout.ts`.
  ...['--memoryBase', '65536', '--initialMemory', '32', '--use', 'abort='],
]

/** Writes `src/engine/wasm/compiled.ts`, unless it is what these sources make. */
export async function compileEngine(): Promise<void> {
  const hash = hashOfSources()
  const heading = `// Compiled by scripts/compile-engine.ts of sources ${hash}\n`
  if (existsSync(COMPILED) && readFileSync(COMPILED, 'utf8').startsWith(heading)) return
  const binary = await compiledEngine(['-O3', '--noAssert'])
  const text = `${heading}export const COMPILED =\n  '${Buffer.from(binary).toString('base64')}'\n`
  // Renamed when it is whole: other processes may be compiling it too.
  const unfinished = `${COMPILED}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, COMPILED)
}

/** Returns the hash of all that the module is made from. */
function hashOfSources(): string {
  const hash = createHash('sha256').update(OPTIONS.join(' '))
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

/** Returns the module. Without `--noAssert` it traps where its heap is misused, which tests use. */
export async function compiledEngine(options: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { default: asc } = await import('assemblyscript/asc')
  const { GENERATED } = await import('./generate.ts')
  let binary: Uint8Array<ArrayBuffer> | undefined
  const { error, stderr } = await asc.main([...INPUT, ...OPTIONS, ...options], {
    readFile: (name) => {
      const generated = GENERATED.get(name.slice('assembly/'.length))
      if (generated !== undefined) return generated()
      const file = join(WASM, name)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    writeFile: (name, content) => {
      if (name === 'engine.wasm') binary = content as Uint8Array<ArrayBuffer>
    },
    listFiles: () => [],
  })
  if (error !== null || binary === undefined) throw new Error(`the EVM does not compile:\n${stderr}`)
  return binary
}
