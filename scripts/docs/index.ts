/**
 * Writes what the documents say of the code: the table of options into README.md, and `src/rpc/METHODS.md`. With `--check`
 * it writes nothing and exits with 1 where one of them is not what it would write.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { methodPage } from './methods.ts'
import { withOptionTable } from './options.ts'

const README = new URL('../../README.md', import.meta.url)
const METHODS = new URL('../../src/rpc/METHODS.md', import.meta.url)

const documents = [
  { file: README, before: readFileSync(README, 'utf8'), after: withOptionTable },
  { file: METHODS, before: readFileSync(METHODS, { encoding: 'utf8', flag: 'a+' }), after: methodPage },
]
for (const { file, before, after } of documents) {
  const text = after(before)
  if (text === before) continue
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else {
    console.error(`${file.pathname} is not what the code says: run \`npm run docs\``)
    process.exitCode = 1
  }
}
