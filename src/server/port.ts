/** A listening port: endpoints serve JSON-RPC, Express all else. Express and ws load slowly, so they load on demand. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { notLoadedText } from '../rpc/errors/problem.ts'
import { createHandler, type Handler, type Refuse } from './handler.ts'
import {
  allowOrigin,
  isAllowedHost,
  isAllowedOrigin,
  isOrigin,
  isOwnOrigin,
  reachableUrl,
} from './origins.ts'
import { PromptResponse } from './promptResponse.ts'
import { type Answers, LIMITS, type Refusal, type WebSocketLimits, WebSockets } from './webSocket.ts'

/** Milliseconds before idle connections close, as in nginx. Node's 5 s is too short for clients that poll every 4 s. */
const IDLE_MS = 75_000

export interface ListenOptions {
  /** The port to listen on. Default: 0, which chooses a free port. */
  readonly port?: number
  /** The interface to listen on. Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string
  /** Accepted values of the header `Host`, in addition to localhost and IP addresses. `*` accepts all. */
  readonly allowedHosts?: readonly string[]
  /** Accepted origins, such as `http://localhost:3000`. Default: all. Requests without `Origin` are always accepted. */
  readonly allowedOrigins?: readonly string[]
  /** Whether browsers get the page; `'read-only'`: without controls. Default: true, except with the option `strict`. */
  readonly page?: boolean | 'read-only'
  /** Maximum size of a request, in bytes. */
  readonly bodyLimit?: number
  /** Maximum size of a request that contains a state file, in bytes. Default: `bodyLimit`. */
  readonly stateLimit?: number
}

/** A listening port of a devnet. */
export interface Listener {
  readonly url: string
  /** The URL for WebSocket connections. */
  readonly webSocketUrl: string
  /** The URL of the page, if a page is served. Append `tx/0x…`, `block/12` or `address/0x…` for a view. */
  readonly pageUrl: string | undefined
  readonly host: string
  readonly port: number
  /** Stops listening and closes all connections. */
  close(): Promise<void>
}

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024

export interface Endpoint {
  readonly handler: Handler
  readonly webSockets: WebSockets
}

export interface PortRoutes {
  /** The path of JSON-RPC, as named in error messages. */
  readonly where: string
  /** Returns the endpoint at `url`, or the reason to reject the request. `undefined` if Express serves the path. */
  endpointAt(url: string): Endpoint | Refusal | undefined
  loadApp(): Promise<RequestListener>
  close(): Promise<unknown>
}

/** Returns an endpoint with the size limits of the options. `answers` handles its requests. */
export function createEndpoint(
  answers: Answers,
  { bodyLimit = DEFAULT_BODY_LIMIT, stateLimit = bodyLimit }: ListenOptions,
  refuse: Refuse,
  limits: Partial<WebSocketLimits> = {},
): Endpoint {
  return {
    handler: createHandler(answers.respond, bodyLimit, refuse, stateLimit),
    webSockets: new WebSockets(answers, { ...LIMITS, bodyLimit, stateLimit, ...limits }),
  }
}

/** Listens on a port and serves `routes`. Rejects with Node's error if the port is not available. */
export async function listenOn(
  routes: PortRoutes,
  options: ListenOptions,
  refuse: Refuse,
): Promise<Listener> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [], allowedOrigins, page = true } = options
  const wrong = allowedOrigins?.find((origin) => !isOrigin(origin))
  if (wrong !== undefined) {
    throw new TypeError(
      `allowedOrigins: expected origins such as http://localhost:3000, null or *, got ${JSON.stringify(wrong)}`,
    )
  }
  if (typeof page !== 'boolean' && page !== 'read-only') {
    throw new TypeError(`page: expected true, false or 'read-only', got ${JSON.stringify(page)}`)
  }
  /** The last accepted header `Host`. It is compared first, because most requests have the same host. */
  let acceptedHost: string | undefined
  /** Returns the reason to reject a request with these headers. `undefined` if the request is accepted. */
  const refusalOf = ({ headers }: IncomingMessage): Refusal | undefined => {
    const { host } = headers
    if (host === undefined || host !== acceptedHost) {
      if (!isAllowedHost(host, allowedHosts)) {
        return [403, `the host ${host} is not allowed; see --allowed-hosts`]
      }
      acceptedHost = host
    }
    const { origin } = headers
    if (isAllowedOrigin(origin, allowedOrigins) || isOwnOrigin(origin, host)) return undefined
    return [403, `the origin ${origin} is not allowed; see --allowed-origins`]
  }
  let app: Promise<RequestListener> | undefined
  const serveByApp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      app ??= routes.loadApp()
      const serve = await app
      serve(request, response)
    } catch (error) {
      refuse(response, 500, notLoadedText(error))
    }
  }
  const server: Server = createServer(
    // The cast keeps `PromptResponse` out of the type of `Server`.
    { ServerResponse: PromptResponse as typeof ServerResponse },
    (request: IncomingMessage, response: ServerResponse) => {
      const refusal = refusalOf(request)
      if (refusal !== undefined) return refuse(response, ...refusal)
      const endpoint = request.method === 'POST' ? routes.endpointAt(request.url!) : undefined
      if (endpoint === undefined) {
        void serveByApp(request, response)
        return
      }
      response.setHeader('access-control-allow-origin', allowOrigin(request.headers.origin, allowedOrigins))
      if (allowedOrigins !== undefined) response.setHeader('vary', 'origin')
      if (isRefusal(endpoint)) refuse(response, ...endpoint)
      else endpoint.handler(request, response)
    },
  )
  server.keepAliveTimeout = IDLE_MS
  server.on('timeout', endIfIdle)
  server.on('upgrade', (request, socket: Socket, head) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      parseWithoutUpgrade(server, request, socket, head)
      return
    }
    const endpoint = refusalOf(request) ?? webSocketsAt(routes, request.url!)
    if (endpoint instanceof WebSockets) {
      endpoint.accept(request, socket, head).catch((error) => {
        refuse(responseOn(socket, request), 500, notLoadedText(error))
      })
    } else refuse(responseOn(socket, request), ...endpoint)
  })
  await start(server, port, host)
  const bound = (server.address() as AddressInfo).port
  const name = host.includes(':') ? `[${host}]` : host
  const url = `http://${name}:${bound}`
  return {
    url,
    webSocketUrl: `ws://${name}:${bound}`,
    pageUrl: page === false ? undefined : `${reachableUrl({ url, host })}/`,
    host,
    port: bound,
    close: () => stop(server, routes),
  }
}

/** Closes an idle connection, unless data has arrived: after a suspension, timers run before sockets are read. */
function endIfIdle(socket: Socket): void {
  const { bytesRead } = socket
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy()
  })
}

function isRefusal(endpoint: Endpoint | Refusal): endpoint is Refusal {
  return Array.isArray(endpoint)
}

function webSocketsAt(routes: PortRoutes, url: string): WebSockets | Refusal {
  const endpoint = routes.endpointAt(url)
  if (endpoint === undefined) return [404, `there is nothing at ${url}; WebSocket is at ${routes.where}`]
  return isRefusal(endpoint) ? endpoint : (endpoint.webSockets.refusal ?? endpoint.webSockets)
}

/** Returns a response to an upgrade request, for which Node creates none. The response ends the connection. */
function responseOn(socket: Socket, request: IncomingMessage): ServerResponse {
  // An error is ignored, because the client may have closed the connection.
  socket.on('error', () => {})
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  return response
}

/**
 * Parses the request again without its header `upgrade`. Without a listener for `upgrade`, Node would do the same.
 * A server may ignore an offered upgrade (RFC 9110, section 7.8). Java's client offers HTTP/2 with each request.
 */
function parseWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
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

async function stop(server: Server, routes: PortRoutes): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  await Promise.all([stopped, routes.close()])
}
