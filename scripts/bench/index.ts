/**
 * Measures preseal beside a peer or a floor in the same rounds, and compares the figures with goals.
 *
 *   npm run bench                            everything
 *   npm run bench -- crypto http             these topics
 *   npm run bench -- --quick                 smaller and shorter: to see that it runs, not to trust its numbers
 *   npm run bench -- --quick --shard 1/2     the same for the first of two halves of the topics
 *   npm run bench -- --write                 everything, and the page scripts/bench/RESULTS.md
 *   npm run bench -- http --write            this topic, and its section of the page
 *   npm run bench -- import --chain FOLDER   with the chain.rlp and genesis.json there (or in EXECUTION_APIS_TESTS)
 *
 * A missed goal is reported and fails nothing: the reader decides whether it is a defect or a busy machine. Each topic
 * has a process of its own, without the garbage, caches or optimized code of another.
 */
import { parseArgs } from 'node:util'
import { start } from './processes.ts'
import { machine, writeResult } from './results.ts'
import { type Row, type Thoroughness, type Verdict, verdict } from './row.ts'
import { cells, HEAD, table } from './table.ts'
import { CHAIN_FOLDER, isTopic, TOPICS, type Topic } from './topics.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    chain: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
  },
})
const unknown = positionals.find((name) => !isTopic(name))
if (unknown !== undefined) stop(`there is no topic ${unknown}; there are ${Object.keys(TOPICS).join(', ')}`)
if (values.write && values.quick) {
  stop('--write needs full measurements: leave out --quick')
}
if (values.chain !== undefined) process.env[CHAIN_FOLDER] = values.chain

const thoroughness: Thoroughness = values.quick ? 'quick' : 'full'
const wanted = positionals.length > 0 ? positionals.filter(isTopic) : (Object.keys(TOPICS) as Topic[])
const [, part, parts] = (/^(\d+)\/(\d+)$/.exec(values.shard) ?? []).map(Number)
if (part === undefined || parts === undefined || part < 1 || part > parts) {
  stop(`--shard: expected a part and the number of parts, such as 1/2, got ${values.shard}`)
}
const topics = wanted.filter((_, i) => i % parts === part - 1)
console.log(`${machine()}${values.quick ? ' (quick: figures are rough)' : ''}`)
const results: Row[] = []
for (const topic of topics) {
  console.log(`\n${topic}: ${TOPICS[topic].about}`)
  const started = performance.now()
  const rows = await measure(topic, thoroughness)
  console.log(table(HEAD, rows.map(cells)))
  console.log(`(in ${Math.round((performance.now() - started) / 1000)} s)`)
  results.push(...rows)
  if (values.write) writeResult(topic, rows)
}
const verdicts = results.map(verdict)
const countOf = (one: Verdict) => verdicts.filter((each) => each === one).length
const judged = countOf('met') + countOf('missed')
console.log(
  `\n${countOf('met')} of ${judged} rows with a goal have met it, ${countOf('not judged')} lack the peer`,
)
if (values.write) console.log('written: scripts/bench/RESULTS.md')

function measure(topic: Topic, thoroughness: Thoroughness): Promise<Row[]> {
  const rows: Row[] = []
  const child = start('./topic.ts', [topic, thoroughness])
  child.on('message', (row: Row) => rows.push(row))
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve(rows) : reject(new Error(`${topic} ended with ${code}`)),
    )
  })
}

function stop(message: string): never {
  console.error(`bench: ${message}`)
  process.exit(2)
}
