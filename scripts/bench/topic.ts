/** One topic in a process of its own: tells its rows to the process that started it. */
import type { Thoroughness } from './row.ts'
import { TOPICS, type Topic } from './topics.ts'

const [topic, thoroughness] = process.argv.slice(2) as [Topic, Thoroughness]
// Also when whoever started it is gone: then the processes that it started end with it.
process.once('disconnect', () => process.exit())
const measure = await TOPICS[topic].load()
for await (const row of measure(thoroughness)) process.send!(row)
process.disconnect()
