/**
 * The Express application of a port, for everything except JSON-RPC: the page, `/health`, CORS preflights and the
 * routes of `addRoutes`. Other paths get 404. Loading Express takes long, so this file is imported at the first request
 * that Express serves. The page in `dist/page` has assets and one HTML document, which is served at all its paths.
 */
import { readFile } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import cors from 'cors'
import express, { type Express, type RequestHandler, type Response, Router } from 'express'
import type { Refuse } from './handler.ts'
import { isAnyAllowed } from './origins.ts'
import type { ListenOptions } from './port.ts'

/** The parts that differ between a port of one chain and a port of many chains. */
export interface AppParts {
  /** The path of JSON-RPC, as named in error messages. */
  readonly where: string
  /** HTTP methods that CORS allows to web pages of other origins. */
  readonly methods: readonly string[]
  readonly hasManyChains: boolean
  readonly addRoutes: (app: Express) => void
  /** The folder of the built page. Default: `dist/page` of the package. */
  readonly pageFolder?: string | undefined
}

export function createApp(
  { where, methods, hasManyChains, addRoutes, pageFolder }: AppParts,
  { allowedOrigins, page = true }: Pick<ListenOptions, 'allowedOrigins' | 'page'>,
  refuse: Refuse,
): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  // The page comes before the CORS handler, because other origins must not be able to read the page.
  if (page !== false) app.use(createPage({ hasManyChains, isReadOnly: page === 'read-only' }, pageFolder))
  // `listenOn` has already rejected requests of origins that are not allowed.
  app.use(cors({ methods: [...methods], origin: isAnyAllowed(allowedOrigins) ? '*' : true }))
  app.get('/health', (_request, response) => {
    response.json({ status: 'ok' })
  })
  addRoutes(app)
  app.use((request, response) => {
    refuse(response, 404, `there is nothing at ${request.path}; JSON-RPC is at ${where}`)
  })
  app.use((_error: unknown, _request: unknown, response: ServerResponse, _next: unknown) => {
    refuse(response, 400, 'the request could not be read')
  })
  return app
}

interface PageOptions {
  /** Whether the port serves many chains, each at `/c/<name>`, and lists them at `/`. */
  readonly hasManyChains: boolean
  readonly isReadOnly: boolean
}

/** The content security policy: only files of this origin, no inline code or style, Trusted Types, no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // Browsers that do not support `frame-ancestors` read this header.
  'x-frame-options': 'DENY',
}

const NOT_BUILT =
  'the page is not built: `npm run build` in the repository of preseal writes it to dist/page, and the installed package has it'

/** Returns a handler that serves the page in `folder` and passes other requests to the next handler. */
function createPage(options: PageOptions, folder = builtPage()): RequestHandler {
  const routes = createRoutes(options, folder)
  return (request, response, next) => {
    // The router would also answer OPTIONS requests, which are CORS preflights of JSON-RPC.
    if (request.method === 'GET' || request.method === 'HEAD') routes(request, response, next)
    else next()
  }
}

function createRoutes(options: PageOptions, folder: string | undefined): Router {
  const router = Router({ caseSensitive: true, strict: true })
  if (folder !== undefined) router.use('/assets', assetsIn(join(folder, 'assets')))
  router.get('/assets/{*file}', (request, response) => {
    sendText(
      response,
      `there is no ${request.path} in the page: reload the page if it is older than the server`,
    )
  })
  router.get('/{*path}', async (request, response, next) => {
    if (!isPageOf(request.path, options.hasManyChains)) return next()
    response.vary('accept')
    if (request.accepts('json', 'html') !== 'html') return next()
    const document =
      folder === undefined
        ? undefined
        : await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
    if (document === undefined) return sendText(response, NOT_BUILT)
    // Browsers revalidate the document, because it contains the names of assets, which change with each build.
    response.set(HEADERS).set('cache-control', 'no-cache').type('html')
    response.send(withPortWords(document, options))
  })
  return router
}

/** Returns `dist/page`, found from `dist/chunks` or `src/server`; `undefined` in a bundle without a file URL. */
function builtPage(): string | undefined {
  try {
    return fileURLToPath(new URL('../../dist/page', import.meta.url))
  } catch {
    return undefined
  }
}

/** Matches the content hash that Vite adds to a file name. */
const NAMED_BY_CONTENT = /-[\w-]{8}\.\w+$/

/** Serves assets. Browsers cache assets with a content hash in their name, and revalidate the others. */
function assetsIn(folder: string) {
  return express.static(folder, {
    immutable: true,
    index: false,
    maxAge: '1y',
    redirect: false,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
      if (!NAMED_BY_CONTENT.test(path)) response.setHeader('cache-control', 'no-cache')
    },
  })
}

const RESERVED_PATHS = new Set(['/health'])
/** Matches a path of a chain. Captures the part after the chain's name. */
const OF_CHAIN = /^\/c\/[^/]+(?:\/(.*))?$/

/** Returns whether browsers get the page at `path`. Paths of files and of other routes are excluded. */
export function isPageOf(path: string, hasManyChains: boolean): boolean {
  if (!hasManyChains) return !path.includes('.') && !RESERVED_PATHS.has(path)
  if (path === '/') return true
  const match = OF_CHAIN.exec(path)
  if (match === null) return false
  const [, within = ''] = match
  return !within.includes('.') && within !== 'reset'
}

/** Adds `<meta name="preseal">` to the document if any of the words `many-chains` and `read-only` applies. */
function withPortWords(document: string, { hasManyChains, isReadOnly }: PageOptions): string {
  const words = [...(hasManyChains ? ['many-chains'] : []), ...(isReadOnly ? ['read-only'] : [])]
  if (words.length === 0) return document
  return document.replace('<head>', `<head>\n    <meta name="preseal" content="${words.join(' ')}" />`)
}

function sendText(response: Response, text: string): void {
  response.set(HEADERS).status(404).type('text').send(`${text}\n`)
}
