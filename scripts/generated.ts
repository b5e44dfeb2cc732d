/** Generated files that are committed. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './package/folders.ts'

export interface Generated {
  readonly path: string
  readonly text: string
}

/** Returns `text` in the form of `npm run format`, so that it can be compared without a write. */
export function formatted(path: string, text: string): string {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'format', `--stdin-file-path=${path}`]
  return execFileSync(process.execPath, args, { cwd: ROOT, input: text, encoding: 'utf8', stdio: 'pipe' })
}

/**
 * Writes the files that differ from those in the repository, and returns their number. With the flag `--check` it writes nothing:
 * it prints their names, and the process exits with 1.
 */
export function writeGenerated(files: readonly Generated[], command: string): number {
  const stale = files.filter(({ path, text }) => contentOf(path) !== text)
  for (const { path, text } of stale) {
    if (process.argv.includes('--check')) {
      console.error(`${path} differs from the generated text: run \`${command}\` and commit the result`)
      process.exitCode = 1
    } else {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true })
      writeFileSync(join(ROOT, path), text)
    }
  }
  return stale.length
}

function contentOf(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
