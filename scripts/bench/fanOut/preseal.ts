/** A devnet in a process of its own, which fills blocks and tells when they were sealed. */
import { createDevnet } from '../../../src/index.ts'
import { deployEmitter, fill } from './blocks.ts'
import { DONE, nowUs, type Sealed, type ToDevnet } from './protocol.ts'

const devnet = await createDevnet({ rhythm: 'manual' })
const { webSocketUrl } = await devnet.listen({ port: 0 })
const emitter = await deployEmitter(devnet)
let sealedUs = 0
let before = process.cpuUsage()
// Listens before there are subscribers, and so is told before any of them.
devnet.on('sealed', () => {
  sealedUs = nowUs()
})
process.once('disconnect', () => process.exit())
process.on('message', async (message: ToDevnet) => {
  switch (message.kind) {
    case 'fill':
      await fill(devnet, emitter, message.transactions)
      await devnet.tick()
      before = process.cpuUsage()
      process.send!(DONE)
      return
    case 'report': {
      const { user, system } = process.cpuUsage(before)
      const sealed: Sealed = { sealedUs, cpuUs: user + system }
      process.send!(sealed)
    }
  }
})
process.send!(webSocketUrl)
