/**
 * Many chains on one port. Each is at `/c/<name>`, and is created at its first request:
 *
 *     POST   /c/<name>         JSON-RPC; WebSocket at the same path
 *     GET    /c                lists all chains
 *     GET    /c/<name>         describes the chain
 *     PUT    /c/<name>         creates the chain, from JSON: the chain to fork, and the rhythm
 *     POST   /c/<name>/reset   returns the chain to its first state
 *     GET    /c/<name>/report.html   a report of the chain, if chains are recorded
 *     DELETE /c/<name>         deletes the chain
 *
 * Browsers get the chain's page at and below `/c/<name>`, and the page of all chains at `/`.
 */
import type { Express, RequestHandler, Response } from 'express'
import { type HttpRequest, type Reading, type Refuse, readBody } from '../handler.ts'
import { sendReport } from '../report.ts'
import type { ChainRequest, ChainServer } from './chainServer.ts'
import { ChainRefused } from './servedChain.ts'

export const METHODS = 'GET, POST, PUT, DELETE, OPTIONS'

/** Maximum number of bytes of a request to create a chain. Valid requests are much smaller. */
const CREATE_BODY_LIMIT = 10_000

export function addChainRoutes(app: Express, chains: ChainServer, refuse: Refuse): void {
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
    // The body is parsed as JSON, whatever its content type.
    .put(async (request, response) => {
      const { name } = request.params
      const wish = await readJson(request)
      const isNew = chains.find(name) === undefined
      const chain = chains.create(name, (wish ?? {}) as ChainRequest)
      response.status(isNew ? 201 : 200).json(chain.describe())
    })
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
  app
    .route('/c/:name/report.html')
    .get(async ({ params: { name }, query: { title } }, response) => {
      const chain = chains.find(name)
      if (chain === undefined) throw absent(name)
      const document = await chain.report(typeof title === 'string' ? title : undefined)
      sendReport(response, document)
    })
    .all(only('GET', refuse))
  app.use((error: unknown, _request: unknown, response: Response, next: (error: unknown) => void) => {
    if (error instanceof ChainRefused) refuse(response, error.status, error.message)
    else next(error)
  })
}

function absent(name: string): ChainRefused {
  return new ChainRefused(404, `there is no chain ${name}; GET /c lists all chains`)
}

function only(methods: string, refuse: Refuse): RequestHandler {
  return ({ method, path }, response) => {
    response.setHeader('allow', methods)
    refuse(response, 405, `${path} takes ${methods}, got ${method}`)
  }
}

/** Parses the JSON body of a request. Resolves to `undefined` if it is empty. Rejects with `ChainRefused`. */
function readJson(request: HttpRequest): Promise<unknown> {
  const limits = { bodyLimit: CREATE_BODY_LIMIT, stateLimit: CREATE_BODY_LIMIT }
  return new Promise((resolve, reject) => {
    readBody(request, limits, READING_JSON, { resolve, reject })
  })
}

interface Settling {
  resolve(value: unknown): void
  reject(error: ChainRefused): void
}

const READING_JSON: Reading<Settling> = {
  done(text, { resolve, reject }) {
    try {
      resolve(text === '' ? undefined : JSON.parse(text))
    } catch (error) {
      reject(unreadable(400, (error as Error).message))
    }
  },
  tooLong(length, limit, { reject }) {
    reject(unreadable(413, `the body has ${length} bytes, the limit is ${limit}`))
  },
  failed({ reject }) {
    reject(unreadable(400, 'the connection was closed during the request'))
  },
}

function unreadable(status: 400 | 413, why: string): ChainRefused {
  return new ChainRefused(status, `the request could not be read: ${why}`)
}
