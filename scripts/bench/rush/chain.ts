/** The chain, in a process of its own, as `preseal` starts it: a tick each 200 ms by the real clock. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createDevnet } from '../../../src/index.ts'
import type { ProfileName } from '../../../src/options.ts'
import { watchLateness } from '../lateness.ts'
import { market } from '../scenario.ts'
import { type Lateness, type Place, SENDERS, type Watch } from './protocol.ts'

const profile = process.argv[2] as ProfileName
const accounts = SENDERS + 1
// So that it is not the gas of a block that there can be no more of.
const devnet = await createDevnet({ profile, accounts, rhythm: 'interval', gasLimit: 1_000_000_000n })
const place: Place = { url: (await devnet.listen({ port: 0 })).url, market: await market(devnet) }
process.once('disconnect', () => process.exit())
process.on('message', async ({ ms }: Watch) => {
  const found: number[] = []
  const stop = watchLateness(devnet, (lateMs) => found.push(lateMs))
  await sleep(ms)
  stop()
  process.send!(found satisfies Lateness)
})
process.send!(place)
