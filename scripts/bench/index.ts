/**
 * What preseal costs, beside a peer or a floor that is measured in the same rounds, and whether that is as good as
 * promised.
 *
 *   npm run bench                        everything
 *   npm run bench -- crypto http         these topics
 *   npm run bench -- --quick             smaller and shorter: to see that it runs, not to trust its numbers
 */
import { parseArgs } from 'node:util'
import { crypto } from './crypto.ts'
import { forks } from './forks.ts'
import { http } from './http.ts'
import { logs } from './logs.ts'
import { machine } from './measure.ts'
import { reads } from './reads.ts'
import { cells, HEAD, isMet, type Row, type Thoroughness, table } from './row.ts'

const TOPICS: Record<string, (thoroughness: Thoroughness) => AsyncIterable<Row>> = {
  reads,
  forks,
  crypto,
  logs,
  http,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const unknown = positionals.find((name) => !Object.hasOwn(TOPICS, name))
if (unknown !== undefined) {
  console.error(`bench: there is no topic ${unknown}; there are ${Object.keys(TOPICS).join(', ')}`)
  process.exit(2)
}

console.log(`${machine()}${values.quick ? ' (quick: figures are rough)' : ''}`)
const withGoal: Row[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(TOPICS)) {
  console.log(`\n${name}`)
  const rows: Row[] = []
  for await (const row of TOPICS[name]!(values.quick ? 'quick' : 'full')) rows.push(row)
  console.log(table(HEAD, rows.map(cells)))
  withGoal.push(...rows.filter(({ goals }) => goals !== undefined && goals.length > 0))
}
const short = withGoal.filter((row) => !isMet(row))
console.log(`\n${withGoal.length - short.length} of ${withGoal.length} rows with a goal have met it`)
