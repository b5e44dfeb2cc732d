/** Measures one topic in a process of its own, and sends the rows to its parent. */
import type { Row, Thoroughness } from './row.ts'
import type { Topic } from './topics.ts'

const [topic, thoroughness] = process.argv.slice(2) as [Topic, Thoroughness]
// Ends, with its own children, when the parent is gone.
process.once('disconnect', () => process.exit())
type Measure = (thoroughness: Thoroughness) => AsyncIterable<Row>
const { default: measure } = (await import(`./${topic}.ts`)) as { default: Measure }
for await (const row of measure(thoroughness)) process.send!(row)
process.disconnect()
