import { Emitter } from '../../../fixtures/contracts/Emitter.ts'
import { createDevnet } from '../../../src/index.ts'
import type { Sealed, ToDevnet } from '../fanOut.ts'
import { nowUs } from '../measure.ts'
import { deploy, emit } from '../scenario.ts'

const devnet = await createDevnet({ rhythm: 'manual' })
const { webSocketUrl } = await devnet.listen({ port: 0 })
const emitter = await deploy(devnet, Emitter)
let sealedUs = 0
let before = process.cpuUsage()
// Registered before the subscribers, and so notified before them.
devnet.on('sealed', () => {
  sealedUs = nowUs()
})
process.once('disconnect', () => process.exit())
process.on('message', async (message: ToDevnet) => {
  switch (message.kind) {
    case 'fill':
      for (let i = 0; i < message.transactions; i++) await emit(devnet, emitter, i)
      await devnet.tick()
      before = process.cpuUsage()
      process.send!('done')
      return
    case 'report': {
      const { user, system } = process.cpuUsage(before)
      process.send!({ sealedUs, cpuUs: user + system } satisfies Sealed)
    }
  }
})
process.send!(webSocketUrl)
