/** A port of this machine, and what answers on it: JSON-RPC at POST / and over WebSocket, everything else by Express. */
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import cors from 'cors'
import express, { type Express } from 'express'
import { createHandler, createRefuse, type Handler, type Refuse } from './handler.ts'
import { isAllowedHost } from './hosts.ts'
import { type Answers, LIMITS, type Refusal, type WebSocketLimits, WebSockets } from './webSocket.ts'

export interface ListenOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** The interface; by default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
  /** Names beside localhost and bare addresses that requests may be for; `*` allows all. */
  readonly allowedHosts?: readonly string[]
  /** Bytes that one request may have. */
  readonly bodyLimit?: number
  /** Bytes that one may have which brings a state file; by default no more than others. */
  readonly stateLimit?: number
}

/** Something that listens. */
export interface Listener {
  readonly url: string
  /** The same for WebSocket. */
  readonly webSocketUrl: string
  readonly host: string
  readonly port: number
  /** Stops listening and ends all connections. */
  close(): Promise<void>
}

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024

/** Listens and answers with `answers`. Rejects with Node's error where the port cannot be had. */
export async function listen(
  answers: Answers,
  options: ListenOptions = {},
  refuse = createRefuse(),
  limits: Partial<WebSocketLimits> = {},
): Promise<Listener> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [], bodyLimit = DEFAULT_BODY_LIMIT } = options
  const { stateLimit = bodyLimit } = options
  const handler = createHandler(answers.respond, bodyLimit, refuse, stateLimit)
  const facade = createFacade(handler, refuse)
  const webSockets = new WebSockets(answers, { ...LIMITS, bodyLimit, stateLimit, ...limits })
  /** Why nothing at all is answered to the request, if so. */
  const refusalOf = ({ headers }: IncomingMessage): Refusal | undefined =>
    isAllowedHost(headers.host, allowedHosts)
      ? undefined
      : [403, `the host ${headers.host} is not allowed; see --allowed-hosts`]
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const refusal = refusalOf(request)
    if (refusal !== undefined) refuse(response, ...refusal)
    else if (request.method === 'POST' && request.url === '/') {
      response.setHeader('access-control-allow-origin', '*')
      handler(request, response)
    } else facade(request, response)
  })
  server.on('upgrade', (request, socket: Socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      passOver(server, request, socket, head)
      return
    }
    const refusal = refusalOf(request) ?? webSockets.refusalOf(request)
    if (refusal !== undefined) refuse(responseOn(socket, request), ...refusal)
    else webSockets.accept(request, socket, head)
  })
  await start(server, port, host)
  const bound = (server.address() as AddressInfo).port
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${name}:${bound}`,
    webSocketUrl: `ws://${name}:${bound}`,
    host,
    port: bound,
    close: () => stop(server, webSockets),
  }
}

/** Everything but the fast path: health, browsers' preflight questions, wrong paths and methods. */
function createFacade(handler: Handler, refuse: Refuse): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(cors({ methods: ['POST', 'GET', 'OPTIONS'] }))
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' })
  })
  app.all('/', handler)
  app.use((request, response) => {
    refuse(response, 404, `there is nothing at ${request.path}; JSON-RPC is asked at /`)
  })
  app.use((_error: unknown, _request: unknown, response: ServerResponse, _next: unknown) => {
    refuse(response, 400, 'the request could not be read')
  })
  return app
}

/** A response to a request to upgrade, which Node leaves to whoever takes the socket. The connection ends with it. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse {
  // Whoever asked may be gone, of which nobody needs to know.
  socket.on('error', () => {})
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  return response
}

/**
 * Reads the request once more, without its offer to speak another protocol, which a server may pass over (RFC 9110,
 * section 7.8). Java's client offers HTTP/2 with each request; without a listener for `upgrade` Node would do this itself.
 */
function passOver(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

function start(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function stop(server: Server, webSockets: WebSockets): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  await Promise.all([stopped, webSockets.close()])
}
