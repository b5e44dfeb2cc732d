/**
 * Many chains on one port. Each is at `/c/<name>`, and is created at its first request:
 *
 *     POST   /c/<name>         JSON-RPC; WebSocket at the same path
 *     POST   /c/<name>/l1      the same on the L1 of the chain, if it has one
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
import * as v from 'valibot'
import type { Devnet } from '../../devnet/devnet.ts'
import { LISTEN_NAMES, portOptionsOf, refuseFor } from '../../devnet/ports.ts'
import { namesOf, requireOptions } from '../../model/api/arguments.ts'
import { InvalidOption, whole } from '../../options/values.ts'
import { record } from '../../recording/record.ts'
import type { Rhythm } from '../../sequencer/clock.ts'
import { type HttpRequest, type Reading, type Refuse, readBody } from '../handler.ts'
import type { Site } from '../listen.ts'
import type { ListenOptions } from '../port.ts'
import { sendReport } from '../report.ts'
import { type ChainRequest, ChainServer, originOf, rhythms } from './chainServer.ts'
import { type BeginReport, ChainRefused, type ServedChain } from './servedChain.ts'

export interface ServeOptions extends ListenOptions {
  /** The rhythm of the chains. Default: the rhythm of the base. */
  readonly rhythm?: Rhythm
  /** Maximum number of chains that exist at the same time. Default: 1,000. */
  readonly maxChains?: number
  /**
   * Whether the first request to a name creates its chain. Default: true. If false, only `PUT /c/<name>` does: behind a
   * router, requests to a chain whose process has ended then fail, and do not find a new, empty chain.
   */
  readonly createOnRequest?: boolean
  /** Milliseconds without use after which a chain's interval ticks pause until the next request. Default: 30,000. */
  readonly restAfterMs?: number
  /** Whether to record chains in memory for reports (`/c/<name>/report.html`, `chain.report()`). Default: false. */
  readonly reports?: boolean
  /** Called with the devnet of a chain when the chain is created, and with the new devnet when the chain is reset. */
  readonly onDevnet?: (chain: ServedChain, devnet: Devnet) => void
}

/**
 * Serves many chains on one port, at `/c/<name>`. The first request to a name creates its chain, as a fork of the
 * state that `base` has when `serveChains` is called. Later changes to `base`, including `close`, do not affect the
 * chains. Rejects with `InvalidOption`, or with Node's error if the port is not available.
 */
export async function serveChains(base: Devnet, options: ServeOptions = {}): Promise<ChainServer> {
  requireOptions('serveChains', options, SERVE_OPTIONS, serveChains)
  const { rhythm = base.settings.rhythm, reports, ...settings } = parsedOptions(options)
  const origin = originOf(base, rhythm)
  const { createEndpoint, listenTo } = await import('../listen.ts')
  const listening = { ...portOptionsOf(base.settings), ...options }
  const refuse = refuseFor(base.settings)
  if (reports && origin.settings.l1 !== undefined) {
    throw new InvalidOption('reports', 'false, because an L1 cannot be recorded', reports)
  }
  const server = new ChainServer(origin, {
    ...settings,
    beginReport: reports ? beginReport : undefined,
    onDevnet: options.onDevnet ?? (() => {}),
    createEndpoint: (answers) => createEndpoint(answers, listening, refuse),
  })
  server.begin(await listenTo(siteOf(server, refuse), listening, refuse))
  return server
}

/** Matches the path of a chain, or of its L1. */
const PATH = /^\/c\/([^/?]+)(\/l1)?\/?(?:\?.*)?$/

export function siteOf(chains: ChainServer, refuse: Refuse, pageFolder?: string): Site {
  return {
    where: '/c/<name>, which creates the chain at its first request',
    methods: METHODS.split(', '),
    hasManyChains: true,
    endpointAt(url) {
      const [, name, isL1] = PATH.exec(url) ?? []
      if (name === undefined) return undefined
      try {
        return (isL1 === undefined ? chains.requested(name) : chains.requestedL1(name)).endpoint
      } catch (error) {
        if (error instanceof ChainRefused) return [error.status, error.message]
        throw error
      }
    },
    addRoutes: (app) => addChainRoutes(app, chains, refuse),
    close: () => Promise.all(chains.chains().map((chain) => chain.closeSockets())),
    pageFolder,
  }
}

const SERVE_OPTIONS = namesOf<ServeOptions>({
  rhythm: true,
  maxChains: true,
  createOnRequest: true,
  restAfterMs: true,
  reports: true,
  onDevnet: true,
  ...LISTEN_NAMES,
})

const serveOptions = v.object({
  rhythm: rhythms,
  maxChains: v.optional(whole('chains', 1, 1_000_000), 1_000),
  createOnRequest: v.optional(v.boolean('true or false'), true),
  restAfterMs: v.optional(whole('milliseconds', 0, 86_400_000), 30_000),
  reports: v.optional(v.boolean('true or false'), false),
})

function parsedOptions(options: ServeOptions): v.InferOutput<typeof serveOptions> {
  const result = v.safeParse(serveOptions, options)
  if (result.success) return result.output
  const [issue] = result.issues
  throw new InvalidOption(v.getDotPath(issue) ?? 'options', issue.message, issue.input)
}

/** Records a chain in memory from its beginning. Returns the function that makes its report. */
const beginReport: BeginReport = (devnet, name) => {
  /** The reason why the recording ended early, if it did. */
  let lost: string | undefined
  const recording = record(devnet, {
    onGiveWay(to) {
      lost = to === 'replay' ? 'a recording is played on it' : 'it is recorded by devnet.record'
    },
  })
  return async (title) => {
    if (lost !== undefined) throw new ChainRefused(409, `there is no report of ${name}: ${lost}`)
    const { ReportNotBuilt, reportOfDevnet } = await import('../../reports/reportDocument.ts')
    return reportOfDevnet(devnet, await recording, title).catch((error) => {
      throw error instanceof ReportNotBuilt ? new ChainRefused(404, error.message) : error
    })
  }
}

const METHODS = 'GET, POST, PUT, DELETE, OPTIONS'

/** Maximum number of bytes of a request to create a chain. Valid requests are much smaller. */
const CREATE_BODY_LIMIT = 10_000

function addChainRoutes(app: Express, chains: ChainServer, refuse: Refuse): void {
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
  app.all('/c/:name/l1', only('POST', refuse))
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
