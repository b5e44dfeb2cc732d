/** The audience: many subscribers that count their notifications, and one more connection that requests blocks. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { ToAudience, Watched } from '../fanOut.ts'
import { single } from '../http/load.ts'
import { nowUs } from '../measure.ts'
import { subscribe } from '../watching.ts'

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
      process.send!('done')
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
  if (++told === wanted) process.send!({ askedUs, lastUs: nowUs() } satisfies Watched)
}
