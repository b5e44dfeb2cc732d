/**
 * What a port serves beside JSON-RPC: the page, health, preflight requests of browsers, the routes of `addRoutes`, and refusals of
 * wrong paths and methods. It imports Express, so it is loaded with the first such request.
 */
import type { ServerResponse } from 'node:http'
import cors from 'cors'
import express, { type Express } from 'express'
import type { Refuse } from './handler.ts'
import { isAnyAllowed } from './origins.ts'
import { createPage } from './page.ts'
import type { Facade, ListenOptions } from './port.ts'

/** What the facades of one chain and of many chains have of their own. */
export interface FacadeParts {
  /** The path of JSON-RPC, for messages. */
  readonly where: string
  /** The methods that pages of other origins may use. */
  readonly methods: readonly string[]
  readonly hasManyChains: boolean
  readonly addRoutes: (app: Express) => void
  /** The folder of the page; by default that of the package. */
  readonly pageFolder?: string | undefined
}

/** Returns an Express application with the page and the routes that `addRoutes` adds. */
export function createFacade(
  { where, methods, hasManyChains, addRoutes, pageFolder }: FacadeParts,
  { allowedOrigins, page = true }: Pick<ListenOptions, 'allowedOrigins' | 'page'>,
  refuse: Refuse,
): Facade {
  const app = express()
  app.disable('x-powered-by')
  // Before the headers that let pages of other origins read: nobody but its own needs the page.
  if (page !== false) app.use(createPage({ hasManyChains, isReadOnly: page === 'read-only' }, pageFolder))
  // Requests of other origins have been refused before.
  app.use(cors({ methods: [...methods], origin: isAnyAllowed(allowedOrigins) ? '*' : true }))
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' })
  })
  addRoutes(app)
  app.use((request, response) => {
    refuse(response, 404, `there is nothing at ${request.path}; JSON-RPC is asked at ${where}`)
  })
  app.use((_error: unknown, _request: unknown, response: ServerResponse, _next: unknown) => {
    refuse(response, 400, 'the request could not be read')
  })
  return app
}
