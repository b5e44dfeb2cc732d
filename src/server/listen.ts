/** The server's entry point, imported when a devnet begins to listen because it loads `node:http`. */
import type { AppParts } from './expressApp.ts'
import { createRefuse, type Refuse } from './handler.ts'
import {
  createEndpoint,
  type Endpoint,
  type Listener,
  type ListenOptions,
  listenOn,
  type PortRoutes,
} from './port.ts'
import { addReport } from './report.ts'
import type { Answers, WebSocketLimits } from './webSocket.ts'

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
  const { reported } = answers
  const site: Site = {
    where: '/',
    methods: ['POST', 'GET', 'OPTIONS'],
    hasManyChains: false,
    endpointAt: (url) => (url === '/' ? endpoint : undefined),
    addRoutes: (app) => {
      app.all('/', handler)
      if (reported !== undefined && options.page !== false) addReport(app, reported, refuse)
    },
    close: () => webSockets.close(),
    pageFolder,
  }
  return listenTo(site, options, refuse)
}

/** The content of a port: the endpoints of JSON-RPC, and the routes of Express. */
export type Site = AppParts & Pick<PortRoutes, 'endpointAt' | 'close'>

/** Serves `site`. Rejects with Node's error if the port is not available. */
export function listenTo(site: Site, options: ListenOptions, refuse: Refuse): Promise<Listener> {
  const { where, endpointAt, close } = site
  const loadApp = async () => (await import('./expressApp.ts')).createApp(site, options, refuse)
  return listenOn({ where, endpointAt, close, loadApp }, options, refuse)
}
