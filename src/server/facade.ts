/**
 * What a port serves beside JSON-RPC: health, preflight requests of browsers, the routes of `addRoutes`, and refusals of
 * wrong paths and methods. It imports Express, so it is loaded with the first such request.
 */
import type { ServerResponse } from 'node:http'
import cors from 'cors'
import express, { type Express } from 'express'
import type { Refuse } from './handler.ts'
import { isAnyAllowed } from './origins.ts'
import type { Facade, ListenOptions } from './port.ts'

/** Returns an Express application with the routes that `addRoutes` adds; `where` is the path of JSON-RPC. */
export function createFacade(
  where: string,
  methods: readonly string[],
  { allowedOrigins }: Pick<ListenOptions, 'allowedOrigins'>,
  refuse: Refuse,
  addRoutes: (app: Express) => void,
): Facade {
  const app = express()
  app.disable('x-powered-by')
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
