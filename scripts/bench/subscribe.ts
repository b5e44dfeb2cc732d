/** WebSocket connections that are subscribed to something, of a devnet or of a peer. */
import { WebSocket } from 'ws'

export interface Subscriber {
  readonly socket: WebSocket
  /** Its subscriptions, in the order of what it asked for. */
  readonly ids: readonly string[]
}

/**
 * Connects and subscribes to `kinds` in one batch, so that all of them begin with the same block. `hear` is given each
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
