/** JSON-RPC over WebSocket: by the platform's own (browsers, Node 22), or by ws. */
import { basicAuthorization, connectionProblem, tooLarge } from './httpTransport.ts'
import { parseReply } from './parseReply.ts'
import { parsedUrl, publicNameOf } from './secrets.ts'
import { failed, type Reply, type RpcCall, type Transport } from './transport.ts'

export interface WebSocketSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The limit of one message, in bytes. */
  readonly maxResponseBytes: number
  /** Milliseconds without a request after which the connection is closed; 2,000 by default. */
  readonly idleMs?: number
}

/** What this file uses of a WebSocket, of the platform or of ws. */
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

/**
 * Returns a transport over WebSocket, which connects when it is first needed, and again after the connection ended. A
 * connection that nobody uses is closed: while it is open the process does not end.
 */
export function webSocketTransport({
  url,
  headers,
  maxResponseBytes,
  idleMs = 2_000,
}: WebSocketSettings): Transport {
  const { host, scrub } = publicNameOf(url, headers)
  const target = parsedUrl(url)
  const allHeaders = { ...basicAuthorization(target), ...headers }
  target.username = ''
  target.password = ''
  target.hash = ''
  const waiting = new Set<Waiting>()
  let connection: Promise<Socket> | undefined
  /** The number of requests that are not answered yet. */
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

  const failAll = (came: string) => {
    for (const { settle } of [...waiting]) settle(failed({ kind: 'unreachable', came, isTransient: true }))
  }

  const receive = (text: string) => {
    if (text.length > maxResponseBytes) {
      for (const { settle } of [...waiting]) settle(failed(tooLarge(maxResponseBytes)))
      return
    }
    const reply = parseReply(text, scrub)
    const ids = reply.kind === 'json' ? idsIn(reply.value) : []
    const found = [...waiting].filter((one) => ids.some((id) => one.ids.has(id as number)))
    if (found.length > 0) {
      for (const { settle } of found) settle(reply)
      return
    }
    // Notifications have no id. An answer without one may be to any request: each is asked again, by itself.
    const isNotification = reply.kind === 'json' && ids.every((id) => id === undefined)
    if (isNotification) return
    const isOurs = ids.includes(null) || reply.kind === 'failed'
    if (isOurs) for (const { settle } of [...waiting]) settle(reply)
  }

  const connect = (): Promise<Socket> => {
    const onEnd = () => {
      // A connection that was closed here has another one, or none, in its place.
      if (connection !== opening) return
      connection = undefined
      failAll('the connection ended before the answer came')
    }
    const opening = opened(openSocket(target.href, allHeaders, maxResponseBytes), receive, onEnd)
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
        const stop = () => settle(failed({ kind: 'unreachable', came: 'no answer', isTransient: true }))
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
            else settle(failed({ kind: 'unreachable', came: 'the connection ended', isTransient: true }))
          },
          (error: unknown) => {
            connection = undefined
            const came = error instanceof ConnectionFailed ? error.came : 'no WebSocket could be opened'
            settle(failed({ kind: 'unreachable', came, isTransient: true }))
          },
        )
      }),
    close() {
      disconnect()
      failAll('the connection was closed')
      clearTimeout(idle)
    },
  }
}

/** Returns the socket once it is open. Calls `receive` with each message, and `onEnd` when the connection has ended. */
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

/** An attempt to connect that failed; has no message of the platform, which contains the URL. */
class ConnectionFailed extends Error {
  readonly came: string

  constructor(came: string) {
    super(came)
    this.came = came
  }
}

/** Opens a WebSocket. The platform's own cannot send headers. */
async function openSocket(url: string, headers: Record<string, string>, maxPayload: number): Promise<Socket> {
  const own = (globalThis as { WebSocket?: new (url: string) => Socket }).WebSocket
  const isBrowser = globalThis.process?.versions?.node === undefined
  if (own !== undefined && (isBrowser || Object.keys(headers).length === 0)) return new own(url)
  const { WebSocket } = await import('ws')
  return new WebSocket(url, { headers, maxPayload, perMessageDeflate: false }) as Socket
}

/** Returns the ids of the members of a reply. */
function idsIn(value: unknown): unknown[] {
  const members: unknown[] = Array.isArray(value) ? value : [value]
  return members.map((member) => (member as { id?: unknown } | null)?.id)
}
