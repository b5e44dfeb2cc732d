/** A port of this machine, and what answers on it: JSON-RPC at POST /, everything else by Express. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import cors from 'cors'
import express, { type Express } from 'express'
import type { Respond } from '../rpc/message.ts'
import { createHandler, createRefuse, type Handler, type Refuse } from './handler.ts'
import { isAllowedHost } from './hosts.ts'

export interface ListenOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** The interface; by default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
  /** Names beside localhost and bare addresses that requests may be for; `*` allows all. */
  readonly allowedHosts?: readonly string[]
  /** Bytes that one request may have. */
  readonly bodyLimit?: number
}

/** Something that listens. */
export interface Listener {
  readonly url: string
  readonly host: string
  readonly port: number
  /** Stops listening and ends all connections. */
  close(): Promise<void>
}

const DEFAULT_BODY_LIMIT = 5 * 1024 * 1024

/** Listens and answers with `respond`. Rejects with Node's error where the port cannot be had. */
export async function listen(
  respond: Respond,
  options: ListenOptions = {},
  refuse = createRefuse(),
): Promise<Listener> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [], bodyLimit = DEFAULT_BODY_LIMIT } = options
  const handler = createHandler(respond, bodyLimit, refuse)
  const facade = createFacade(handler, refuse)
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (!isAllowedHost(request.headers.host, allowedHosts)) {
      refuse(response, 403, `the host ${request.headers.host} is not allowed; see --allowed-hosts`)
      return
    }
    if (request.method === 'POST' && request.url === '/') {
      response.setHeader('access-control-allow-origin', '*')
      handler(request, response)
    } else facade(request, response)
  })
  await start(server, port, host)
  const bound = (server.address() as AddressInfo).port
  const name = host.includes(':') ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, host, port: bound, close: () => stop(server) }
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

function start(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
