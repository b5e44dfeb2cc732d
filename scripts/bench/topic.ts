/** Measures one topic in a process of its own, and sends the rows to its parent. */
import type { Thoroughness } from './row.ts'
import { TOPICS, type Topic } from './topics.ts'

const [topic, thoroughness] = process.argv.slice(2) as [Topic, Thoroughness]
// Ends, with its own children, when the parent is gone.
process.once('disconnect', () => process.exit())
const measure = await TOPICS[topic].load()
for await (const row of measure(thoroughness)) process.send!(row)
process.disconnect()
