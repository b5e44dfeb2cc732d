/**
 * A process that compiles with one version of solc: each line of its input is a standard JSON input, each line of its
 * output is solc's output. `node --import tsx solcProcess.ts FILE`, where FILE is that version's `soljson.js`.
 */
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(import.meta.url)
const file = process.argv[2]
if (file === undefined) throw new Error('expected the path of a soljson.js, got nothing')
// Some versions end the process on their own listeners for errors.
const wrap = require('solc/wrapper') as (soljson: unknown) => { compile(input: string): string }
const solc = wrap(require(file))

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(JSON.parse(solc.compile(line)))}\n`)
}
