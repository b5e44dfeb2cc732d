import { connectionProblem } from './httpTransport.ts'
import { endpointOf } from './secrets.ts'
import { parseReply, type Reply, type RpcCall, type Transport, tooLarge, unreachable } from './transport.ts'

interface WebSocketSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly maxResponseBytes: number
  /** The connection is closed after this time without a request, in milliseconds. The default is 2,000. */
  readonly idleMs?: number
}

interface Socket {
  readonly readyState: number
  send(text: string): void
  close(): void
  addEventListener(type: string, listener: (event: never) => void): void
}

interface Waiting {
  readonly ids: ReadonlySet<number>
  readonly settle: (reply: Reply) => void
}

const OPEN = 1

/** Returns a transport over WebSocket. Closes idle connections, because an open connection keeps the process alive. */
export function webSocketTransport({
  url,
  headers,
  maxResponseBytes,
  idleMs = 2_000,
}: WebSocketSettings): Transport {
  const { host, scrub, ...endpoint } = endpointOf(url, headers)
  const waiting = new Set<Waiting>()
  let connection: Promise<Socket> | undefined
  let open = 0
  let idle: ReturnType<typeof setTimeout> | undefined

  const disconnect = () => {
    const ending = connection
    connection = undefined
    ending?.then(
      (socket) => socket.close(),
      () => {},
    )
  }

  const settleAll = (reply: Reply) => {
    for (const { settle } of [...waiting]) settle(reply)
  }

  const receive = (text: string) => {
    if (text.length > maxResponseBytes) return settleAll(tooLarge(maxResponseBytes))
    const reply = parseReply(text, scrub)
    const ids = reply.kind === 'json' ? idsIn(reply.value) : []
    const found = [...waiting].filter((one) => ids.some((id) => one.ids.has(id as number)))
    if (found.length > 0) {
      for (const { settle } of found) settle(reply)
      return
    }
    // Notifications have no id. A null id may belong to any message, so each request is sent again, alone.
    if (ids.includes(null) || reply.kind === 'failed') settleAll(reply)
  }

  const connect = (): Promise<Socket> => {
    const onEnd = () => {
      // A connection that `disconnect` has closed is ignored, because another may have replaced it.
      if (connection !== opening) return
      connection = undefined
      settleAll(unreachable('the connection ended before the answer came'))
    }
    const opening = opened(openSocket(endpoint.href, endpoint.headers, maxResponseBytes), receive, onEnd)
    return opening
  }

  return {
    name: host,
    takesBatches: true,
    scrub,
    exchange: (payload, signal) =>
      new Promise((resolve) => {
        const ids = new Set(
          (Array.isArray(payload) ? (payload as RpcCall[]) : [payload as RpcCall]).map(({ id }) => id),
        )
        let isSettled = false
        const settle = (reply: Reply) => {
          if (isSettled) return
          isSettled = true
          waiting.delete(one)
          open--
          if (open === 0) idle = setTimeout(disconnect, idleMs)
          signal.removeEventListener('abort', stop)
          resolve(reply)
        }
        const stop = () => settle(unreachable('no answer'))
        const one: Waiting = { ids, settle }
        signal.addEventListener('abort', stop)
        clearTimeout(idle)
        open++
        connection ??= connect()
        connection.then(
          (socket) => {
            if (signal.aborted) return
            waiting.add(one)
            if (socket.readyState === OPEN) socket.send(JSON.stringify(payload))
            else settle(unreachable('the connection ended'))
          },
          (error: unknown) => {
            connection = undefined
            const came = error instanceof ConnectionFailed ? error.message : 'no WebSocket could be opened'
            settle(unreachable(came))
          },
        )
      }),
    close() {
      disconnect()
      settleAll(unreachable('the connection was closed'))
      clearTimeout(idle)
    },
  }
}

/** Returns the socket when it is open. Calls `receive` for each message, and `onEnd` when the connection is lost. */
async function opened(
  connecting: Promise<Socket>,
  receive: (text: string) => void,
  onEnd: () => void,
): Promise<Socket> {
  const socket = await connecting
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket))
    socket.addEventListener('message', ({ data }: { data: unknown }) => receive(String(data)))
    socket.addEventListener('error', (event: { error?: unknown }) => {
      reject(new ConnectionFailed(connectionProblem(event.error)))
    })
    socket.addEventListener('close', () => {
      reject(new ConnectionFailed('the connection ended'))
      onEnd()
    })
  })
}

/** Thrown if a connection cannot be opened. Omits the platform's message, which contains the URL. */
class ConnectionFailed extends Error {}

/** Opens a WebSocket. Uses the package ws if there are headers, which the platform's WebSocket cannot send. */
async function openSocket(url: string, headers: Record<string, string>, maxPayload: number): Promise<Socket> {
  const own = (globalThis as { WebSocket?: new (url: string) => Socket }).WebSocket
  const isBrowser = globalThis.process?.versions?.node === undefined
  if (own !== undefined && (isBrowser || Object.keys(headers).length === 0)) return new own(url)
  const { WebSocket } = await import('ws')
  return new WebSocket(url, { headers, maxPayload, perMessageDeflate: false }) as Socket
}

function idsIn(value: unknown): unknown[] {
  const members: unknown[] = Array.isArray(value) ? value : [value]
  return members.map((member) => (member as { id?: unknown } | null)?.id)
}
