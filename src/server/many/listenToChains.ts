/** The port of many chains. Imported by `server/listen.ts` alone, which is not loaded in browsers. */
import type { Refuse } from '../handler.ts'
import { type Endpoint, type Listener, type ListenOptions, listenOn, type PortRoutes } from '../port.ts'
import type { Refusal } from '../webSocket.ts'
import type { ChainServer } from './chainServer.ts'
import { ChainRefused } from './servedChain.ts'

const WHERE = '/c/<name>, which creates the chain at its first request'
const PATH = /^\/c\/([^/?]+)\/?(?:\?.*)?$/

/** Listens and serves `chains`. Rejects with Node's error if the port is not available. */
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
      const { createChainsApp } = await import('./chainRoutes.ts')
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
