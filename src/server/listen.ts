/** The server's entry point, imported when a devnet begins to listen because it loads `node:http`. */
import type { Express } from 'express'
import { createRefuse, type Refuse } from './handler.ts'
import type { ChainServer } from './many/chainServer.ts'
import { ChainRefused } from './many/servedChain.ts'
import {
  createEndpoint,
  type Endpoint,
  type Listener,
  type ListenOptions,
  listenOn,
  type PortRoutes,
} from './port.ts'
import type { Answers, Refusal, WebSocketLimits } from './webSocket.ts'

export type { Endpoint, Listener, ListenOptions }
export { createEndpoint }

/** Serves one devnet and its page. `answers` handles requests. Rejects with Node's error if the port is unavailable. */
export function listen(
  answers: Answers,
  options: ListenOptions = {},
  refuse = createRefuse(),
  limits: Partial<WebSocketLimits> = {},
  pageFolder?: string,
): Promise<Listener> {
  const endpoint = createEndpoint(answers, options, refuse, limits)
  const { handler, webSockets } = endpoint
  const routes: PortRoutes = {
    where: '/',
    endpointAt: (url) => (url === '/' ? endpoint : undefined),
    async loadApp() {
      const { createApp } = await import('./expressApp.ts')
      const parts = {
        where: '/',
        methods: ['POST', 'GET', 'OPTIONS'],
        hasManyChains: false,
        addRoutes: (app: Express) => app.all('/', handler),
        pageFolder,
      }
      return createApp(parts, options, refuse)
    },
    close: () => webSockets.close(),
  }
  return listenOn(routes, options, refuse)
}

const WHERE = '/c/<name>, which creates the chain at its first request'
const PATH = /^\/c\/([^/?]+)\/?(?:\?.*)?$/

/** Serves many chains, and their pages. Rejects with Node's error if the port is not available. */
export function listenToChains(
  chains: ChainServer,
  options: ListenOptions,
  refuse: Refuse,
  pageFolder?: string,
): Promise<Listener> {
  const routes: PortRoutes = {
    where: WHERE,
    endpointAt: (url) => endpointAt(chains, url),
    async loadApp() {
      const { createChainsApp } = await import('./many/chainRoutes.ts')
      return createChainsApp(chains, WHERE, options, refuse, pageFolder)
    },
    close: () => Promise.all(chains.chains().map(({ endpoint }) => endpoint.webSockets.close())),
  }
  return listenOn(routes, options, refuse)
}

function endpointAt(chains: ChainServer, url: string): Endpoint | Refusal | undefined {
  const name = PATH.exec(url)?.[1]
  if (name === undefined) return undefined
  try {
    return chains.chain(name).endpoint
  } catch (error) {
    if (error instanceof ChainRefused) return [error.status, error.message]
    throw error
  }
}
