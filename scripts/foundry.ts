/** Foundry's programs, as the npm packages `@foundry-rs/anvil`, `@foundry-rs/cast` and `@foundry-rs/forge` bring them. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type FoundryProgram = 'anvil' | 'cast' | 'forge'

/** The path of the binary, without the package's script, which would add a Node process. */
export function foundryBinary(program: FoundryProgram): string | undefined {
  const require = createRequire(import.meta.url)
  const processor = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? `${program}.exe` : program
  const candidates = [
    () => require.resolve(`@foundry-rs/${program}-${process.platform}-${processor}/bin/${file}`),
    // The place of binaries that its install script has fetched.
    () => join(dirname(require.resolve(`@foundry-rs/${program}/package.json`)), file),
  ]
  for (const candidate of candidates) {
    try {
      const path = candidate()
      if (existsSync(path)) return path
    } catch {
      // Not installed: try the next.
    }
  }
  return undefined
}

/**
 * The program's version; `undefined` if it is not installed or does not run (on musl, for example, the
 * binary's loader is missing).
 */
export function foundryVersion(program: FoundryProgram): string | undefined {
  const binary = foundryBinary(program)
  if (binary === undefined) return undefined
  try {
    const output = execFileSync(binary, ['--version'], { encoding: 'utf8' })
    return /version:\s*(\S+)/i.exec(output)?.[1]
  } catch {
    return undefined
  }
}
