/**
 * Writes what the pages say of the code: the table of options and the table of methods. With `--check` it writes
 * nothing and exits with 1 where one of them is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { methodPage } from './methods.ts'
import { withOptionTable } from './options.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OPTIONS = 'docs/options.md'

const isCheck = process.argv.includes('--check')
const pages = [
  { path: OPTIONS, text: withOptionTable(contentOf(OPTIONS)!) },
  { path: 'docs/methods.md', text: methodPage() },
]
for (const { path, text } of pages) {
  if (contentOf(path) === text) continue
  if (isCheck) complain(path)
  else writeFileSync(join(ROOT, path), text)
}
/** Reports a page that differs. */
function complain(path: string): void {
  console.error(`${path} differs from what the code says: run \`npm run docs\``)
  process.exitCode = 1
}

/** A file's text, or `undefined` where there is none. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
