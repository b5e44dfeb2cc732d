/** A timer with nothing to do, in a process of its own: what is late here is the machine's doing, not the chain's. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lateness, Tick } from './protocol.ts'

process.once('disconnect', () => process.exit())
process.on('message', async ({ everyMs, ms }: Tick) => {
  const found: number[] = []
  // In whole milliseconds, as the chain's clock has it.
  const start = Date.now()
  for (let due = start + everyMs; due <= start + ms; due += everyMs) {
    await sleep(Math.max(0, due - Date.now()))
    found.push(Math.max(0, Date.now() - due))
  }
  process.send!(found satisfies Lateness)
})
