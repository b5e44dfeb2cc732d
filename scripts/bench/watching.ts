/** Observers of a chain: WebSocket subscribers, and a watch on the lateness of ticks. */
import { WebSocket } from 'ws'
import type { Devnet } from '../../src/index.ts'

export interface Subscriber {
  readonly socket: WebSocket
  /** Its subscriptions, in the order of `kinds`. */
  readonly ids: readonly string[]
}

/**
 * Connects and subscribes to `kinds` in one batch, so that all of them begin with the same block. `hear` receives each
 * message after the answer.
 */
export function subscribe(
  url: string,
  kinds: readonly string[],
  hear: (message: Buffer, ids: readonly string[]) => void,
): Promise<Subscriber> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const batch = kinds.map((kind, id) => ({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: [kind] }))
  return new Promise((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify(batch)))
    socket.on('error', reject)
    socket.once('message', (answer: Buffer) => {
      const answers = JSON.parse(answer.toString()) as readonly { id: number; result?: string }[]
      const ids = answers.toSorted((a, b) => a.id - b.id).map(({ result }) => result ?? '')
      if (ids.length !== kinds.length || ids.includes('')) reject(new Error(`not subscribed: ${answer}`))
      socket.on('message', (message: Buffer) => hear(message, ids))
      resolve({ socket, ids })
    })
  })
}

/**
 * Calls `tell` with the milliseconds by which each slice of an interval devnet comes after its time, until the returned function is
 * called.
 */
export function watchLateness(devnet: Devnet, tell: (lateMs: number) => void): () => void {
  let before: number | undefined
  return devnet.on('preconfirmed', () => {
    const { nowMs, lastTickMs } = devnet.snapshot().mark.clock
    // Some chains open a block with a slice of its own, in the tick of the first.
    if (lastTickMs === before) return
    // Each tick is due one interval after the previous one, however late that was.
    // Timers may come a millisecond early: they and the clock are rounded to whole ones.
    if (before !== undefined) tell(Math.max(0, nowMs - before - devnet.settings.tickMs))
    before = lastTickMs
  })
}
