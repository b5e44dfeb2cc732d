/**
 * Writes what the pages say of the code: the tables of options and flags, the table of methods and the API reference. With `--check` it
 * writes nothing and exits with 1 where one of them is not what it would write.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readEntries } from './api/model.ts'
import { apiPages } from './api/page.ts'
import { methodPage, methodTable } from './methods.ts'
import { withOptionTables } from './options.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OPTIONS = 'docs/options.md'
const API = 'docs/api'

const isCheck = process.argv.includes('--check')
const api = apiPages(await readEntries())
const pages = [
  { path: OPTIONS, text: withOptionTables(contentOf(OPTIONS)!) },
  { path: 'docs/methods.md', text: methodPage() },
  { path: 'src/page/views/console/methods.json', text: methodTable() },
  ...api,
]
for (const { path, text } of pages) {
  if (contentOf(path) === text) continue
  complain(path)
  if (isCheck) continue
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
}
for (const file of readdirSync(join(ROOT, API))) {
  const path = `${API}/${file}`
  if (api.some((page) => page.path === path)) continue
  complain(path)
  if (!isCheck) rmSync(join(ROOT, path))
}

/** Reports a page that differs, which is an error under `--check`. */
function complain(path: string): void {
  if (!isCheck) return
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
