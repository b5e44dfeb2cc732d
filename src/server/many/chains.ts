/**
 * Many chains on one port. Each is at `/c/<name>`, and is created at its first request:
 *
 *     POST   /c/<name>         JSON-RPC; WebSocket at the same path
 *     GET    /c                lists all chains
 *     GET    /c/<name>         describes the chain
 *     PUT    /c/<name>         creates it, with a request in JSON: the chain to fork, and the rhythm
 *     POST   /c/<name>/reset   returns it to the state in which it was forked
 *     GET    /c/<name>/report.html   a report of it, if chains are recorded for that
 *     DELETE /c/<name>         deletes it
 *
 * For a browser the page of the chain is at `/c/<name>`, and below, and that of all chains at `/`.
 */

import type { Refuse } from '../handler.ts'
import { type Endpoint, type Listener, type ListenOptions, listenOn, type PortRoutes } from '../port.ts'
import type { Refusal } from '../webSocket.ts'
import { ChainRefused } from './chainRefused.ts'
import type { Chains } from './chainsFacade.ts'

const WHERE = '/c/<name>, where a chain is made when it is asked for the first time'
const PATH = /^\/c\/([^/?]+)\/?(?:\?.*)?$/

/** Listens and serves `chains`. Rejects with Node's error if the port is not available. */
export function listenToChains(
  chains: Chains,
  options: ListenOptions,
  refuse: Refuse,
  pageFolder?: string,
): Promise<Listener> {
  const routes: PortRoutes = {
    where: WHERE,
    endpointAt: (url) => endpointAt(chains, url),
    async loadFacade() {
      const { createChainsFacade } = await import('./chainsFacade.ts')
      return createChainsFacade(chains, WHERE, options, refuse, pageFolder)
    },
    close: () => Promise.all(chains.chains().map(({ endpoint }) => endpoint.webSockets.close())),
  }
  return listenOn(routes, options, refuse)
}

function endpointAt(chains: Chains, url: string): Endpoint | Refusal | undefined {
  const name = PATH.exec(url)?.[1]
  if (name === undefined) return undefined
  try {
    return chains.chain(name).endpoint
  } catch (error) {
    if (error instanceof ChainRefused) return [error.status, error.message]
    throw error
  }
}
