/** Generated files in the form of `npm run format`, so that they can be compared without a write. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './package/folders.ts'

export function formatted(path: string, text: string): string {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const args = [biome, 'format', `--stdin-file-path=${path}`]
  return execFileSync(process.execPath, args, { cwd: ROOT, input: text, encoding: 'utf8', stdio: 'pipe' })
}
