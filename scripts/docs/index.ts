/**
 * Writes the tables of options, flags and methods, the JSON Schema of fixtures, and the API reference (`docs/api`, which is not
 * committed). With `--check` it writes nothing, and exits with 1 where a committed file differs.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeGenerated } from '../generated.ts'
import { ROOT } from '../package/folders.ts'
import { apiReference } from './api.ts'
import { fixtureSchemaFile, SCHEMA_FILE } from './fixtureSchema.ts'
import { methodPage, methodTable } from './methods.ts'
import { withOptionTables } from './options.ts'

const OPTIONS = 'docs/options.md'

const isCheck = process.argv.includes('--check')
const api = await apiReference()
if (!isCheck) rmSync(join(ROOT, 'docs/api'), { recursive: true, force: true })
const pages = [
  { path: OPTIONS, text: withOptionTables(readFileSync(join(ROOT, OPTIONS), 'utf8')) },
  { path: 'docs/methods.md', text: methodPage() },
  { path: 'src/page/views/console/methods.json', text: methodTable() },
  { path: SCHEMA_FILE, text: fixtureSchemaFile() },
  ...(isCheck ? [] : api),
]
writeGenerated(pages, 'npm run docs')
