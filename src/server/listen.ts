/** The entry point of the server. It imports `node:http`, so it is loaded when a devnet begins to listen. */
import type { Express } from 'express'
import { createRefuse } from './handler.ts'
import {
  createEndpoint,
  type Endpoint,
  type Listener,
  type ListenOptions,
  listenOn,
  type PortRoutes,
} from './port.ts'
import type { Answers, WebSocketLimits } from './webSocket.ts'

export { listenToChains } from './many/listenToChains.ts'
export type { Endpoint, Listener, ListenOptions }
export { createEndpoint }

/** Serves `answers` and the page in `pageFolder`. Rejects with Node's error if the port is not available. */
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
