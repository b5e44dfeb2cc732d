/** The devnet of `hostile.ts`, in a process of its own that measures how long its event loop is held. */
import { createDevnet } from '../../src/index.ts'
import type { Held } from './hostile.ts'

const requestTimeoutMs = Number(process.argv[2])
process.once('disconnect', () => process.exit())
const devnet = await createDevnet({ requestTimeoutMs, consoleLogs: false, logRangeLimit: 0 })
const { url } = await devnet.listen({ port: 0 })
process.send!({ url })

const EVERY_MS = 5
let held: Omit<Held, 'heapMb'> = { heldMs: 0, busyMs: 0 }
let watching: ReturnType<typeof setInterval> | undefined

process.on('message', async (what) => {
  if (what === 'begin') {
    gc!()
    let last = performance.now()
    let cpu = process.cpuUsage()
    watching = setInterval(() => {
      const now = performance.now()
      const { user, system } = process.cpuUsage(cpu)
      const heldMs = now - last - EVERY_MS
      if (heldMs > held.heldMs) held = { heldMs, busyMs: (user + system) / 1_000 }
      last = now
      cpu = process.cpuUsage()
    }, EVERY_MS)
    process.send!('watching')
  } else {
    clearInterval(watching)
    for (let i = 0; i < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      gc!()
    }
    const told: Held = { ...held, heapMb: process.memoryUsage().heapUsed / 1e6 }
    process.send!(told)
  }
})
