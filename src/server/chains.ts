/**
 * Many chains on one port. Each is at `/c/<name>`, and is created at its first request:
 *
 *     POST   /c/<name>         JSON-RPC; WebSocket at the same path
 *     GET    /c                lists all chains
 *     GET    /c/<name>         describes the chain
 *     PUT    /c/<name>         creates it, with a request in JSON: the chain to fork, and the rhythm
 *     POST   /c/<name>/reset   returns it to the state in which it was forked
 *     DELETE /c/<name>         deletes it
 */
import express, { type Express } from 'express'
import { ChainRefused } from './chainRefused.ts'
import type { Refuse } from './handler.ts'
import { createFacade, type Endpoint, type Listener, type ListenOptions, listenOn } from './port.ts'
import type { Refusal } from './webSocket.ts'

/** One of the chains. */
export interface Chain {
  readonly endpoint: Endpoint
  /** Returns the description of the chain for JSON. */
  describe(): object
}

/** The owner of the chains. It throws `ChainRefused` for impossible requests. */
export interface Chains {
  /** Returns the chain of this name, and creates it if there is none. */
  chain(name: string): Chain
  chains(): readonly Chain[]
  find(name: string): Chain | undefined
  /** Creates a chain. Returns an existing one if it matches the request. */
  create(name: string, request: unknown): Chain
  reset(name: string): Promise<Chain>
  delete(name: string): Promise<boolean>
}

const WHERE = '/c/<name>, where a chain is made when it is asked for the first time'
const PATH = /^\/c\/([^/?]+)\/?(?:\?.*)?$/
const METHODS = 'GET, POST, PUT, DELETE, OPTIONS'

/** Larger than any valid request. */
const CREATE_BODY_LIMIT = 10_000

/** Listens and serves `chains`. Rejects with Node's error if the port is not available. */
export function listenToChains(chains: Chains, options: ListenOptions, refuse: Refuse): Promise<Listener> {
  const routes = {
    where: WHERE,
    endpointAt: (url: string) => endpointAt(chains, url),
    facade: createFacade(WHERE, METHODS.split(', '), options, refuse, (app) =>
      addRoutes(app, chains, refuse),
    ),
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

function addRoutes(app: Express, chains: Chains, refuse: Refuse): void {
  app
    .route('/c')
    .get((_request, response) => {
      response.json({ chains: chains.chains().map((chain) => chain.describe()) })
    })
    .all(only('GET', refuse))
  app
    .route('/c/:name')
    .get(({ params: { name } }, response) => {
      const chain = chains.find(name)
      if (chain === undefined) throw absent(name)
      response.json(chain.describe())
    })
    // Regardless of the content type: an unparsed request would be ignored.
    .put(
      express.json({ type: () => true, limit: CREATE_BODY_LIMIT }),
      ({ params: { name }, body }, response) => {
        const isNew = chains.find(name) === undefined
        const chain = chains.create(name, body ?? {})
        response.status(isNew ? 201 : 200).json(chain.describe())
      },
    )
    .delete(async ({ params: { name } }, response) => {
      if (!(await chains.delete(name))) throw absent(name)
      response.status(204).end()
    })
    .all(only(METHODS, refuse))
  app
    .route('/c/:name/reset')
    .post(async ({ params: { name } }, response) => {
      response.json((await chains.reset(name)).describe())
    })
    .all(only('POST', refuse))
  app.use((error: unknown, _request: unknown, response: express.Response, next: (error: unknown) => void) => {
    if (error instanceof ChainRefused) refuse(response, error.status, error.message)
    else if (isUnreadable(error))
      refuse(response, error.status, `the request could not be read: ${error.message}`)
    else next(error)
  })
}

function absent(name: string): ChainRefused {
  return new ChainRefused(404, `there is no chain ${name}; GET /c lists those there are`)
}

function only(methods: string, refuse: Refuse): express.RequestHandler {
  return ({ method, path }, response) => {
    response.setHeader('allow', methods)
    refuse(response, 405, `${path} takes ${methods}, got ${method}`)
  }
}

/** Returns whether `error` is from Express' body parser. */
function isUnreadable(error: unknown): error is Error & { readonly status: number } {
  return error instanceof Error && 'type' in error && 'status' in error
}
