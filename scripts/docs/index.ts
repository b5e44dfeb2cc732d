/**
 * Writes the tables of options, flags and methods, the JSON Schema of fixtures, and the API reference (`docs/api`, which is not
 * committed). With `--check` it writes nothing, and exits with 1 where a committed file differs.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../package/folders.ts'
import { apiReference } from './api.ts'
import { fixtureSchemaFile, SCHEMA_FILE } from './fixtureSchema.ts'
import { methodPage, methodTable } from './methods.ts'
import { withOptionTables } from './options.ts'

const OPTIONS = 'docs/options.md'
const API = 'docs/api'

const isCheck = process.argv.includes('--check')
const api = await apiReference()
if (!isCheck) rmSync(join(ROOT, API), { recursive: true, force: true })
const pages = [
  { path: OPTIONS, text: withOptionTables(contentOf(OPTIONS)!) },
  { path: 'docs/methods.md', text: methodPage() },
  { path: 'src/page/views/console/methods.json', text: methodTable() },
  { path: SCHEMA_FILE, text: fixtureSchemaFile() },
  ...(isCheck ? [] : api),
]
for (const { path, text } of pages) {
  if (contentOf(path) === text) continue
  if (isCheck) {
    console.error(`${path} differs from the code: run \`npm run docs\``)
    process.exitCode = 1
    continue
  }
  mkdirSync(dirname(join(ROOT, path)), { recursive: true })
  writeFileSync(join(ROOT, path), text)
}
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
