/** Those who read, in a process of their own: each question has a connection that is kept open. */
import { Connection } from './connection.ts'
import { pace } from './pace.ts'
import type { Read } from './protocol.ts'

process.once('disconnect', () => process.exit())
process.on('message', async ({ url, bodies, everyMs, ms }: Read) => {
  const connections = await Promise.all(bodies.map(() => Connection.to(url)))
  const microseconds = await pace(Math.floor(ms / everyMs), everyMs, (i) =>
    connections[i % bodies.length]!.ask(bodies[i % bodies.length]!),
  )
  for (const connection of connections) connection.close()
  process.send!(microseconds)
})
