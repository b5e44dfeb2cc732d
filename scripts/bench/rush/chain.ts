/** The chain, in a process of its own, as `preseal` starts it: a tick each 200 ms by the real clock. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDevnet } from '../../../src/index.ts'
import type { ProfileName } from '../../../src/options/options.ts'
import { market } from '../scenario.ts'
import { watchLateness } from '../watching.ts'
import { type Place, SENDERS, type Watch } from './scene.ts'

const profile = process.argv[2] as ProfileName
const accounts = SENDERS + 1
// High, so that the block gas limit does not bound the rate.
const devnet = await createDevnet({ profile, accounts, rhythm: 'interval', gasLimit: 1_000_000_000n })
const place: Place = { url: (await devnet.listen({ port: 0 })).url, market: await market(devnet) }
process.once('disconnect', () => process.exit())
process.on('message', async ({ ms }: Watch) => {
  const lateMs: number[] = []
  const stop = watchLateness(devnet, (ms) => lateMs.push(ms))
  await sleep(ms)
  stop()
  process.send!(lateMs)
})
process.send!(place)
