/** The audience: many subscribers that count what they are told, and one connection more that asks for blocks. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { single } from '../http/load.ts'
import { subscribe } from '../subscribe.ts'
import { DONE, nowUs, type ToAudience, type Watched } from './protocol.ts'

const MINE = single({ method: 'evm_mine' })

let told = 0
let wanted = Number.POSITIVE_INFINITY
let askedUs = 0
let asker: WebSocket | undefined

process.once('disconnect', () => process.exit())
process.on('message', async (message: ToAudience) => {
  switch (message.kind) {
    case 'gather': {
      const { url, subscribers } = message
      await Promise.all(Array.from({ length: subscribers }, () => subscribe(url, ['newHeads', 'logs'], hear)))
      asker = new WebSocket(url)
      await once(asker, 'open')
      process.send!(DONE)
      return
    }
    case 'watch':
      told = 0
      wanted = message.notifications
      askedUs = nowUs()
      asker!.send(MINE)
  }
})

function hear(): void {
  if (++told !== wanted) return
  const watched: Watched = { askedUs, lastUs: nowUs() }
  process.send!(watched)
}
