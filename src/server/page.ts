/**
 * The page that shows the chain to a browser: one document for each path that a browser asks for, and its assets, as
 * `npm run build` leaves them in `dist/page`. They are read from the disk when they are asked for.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'

/** How a port serves the page. */
export interface PageManner {
  /** Whether the port has many chains, each at `/c/<name>`: `/` lists them. */
  readonly hasManyChains: boolean
  /** Whether the page leaves out what changes the chain. */
  readonly isReadOnly: boolean
}

/**
 * Nothing but files of this origin, no inline code and no inline style; text never becomes markup (Trusted Types); no
 * other page may frame it.
 */
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
  // For browsers without `frame-ancestors`.
  'x-frame-options': 'DENY',
}

const NOT_BUILT =
  'the page is not built: `npm run build` in the repository of preseal writes it to dist/page, and the installed package has it'

/** Returns the handler of what the page in `folder` is asked for, by default that of this package; it passes all else on. */
export function createPage(manner: PageManner, folder = builtPage()): RequestHandler {
  const routes = createRoutes(manner, folder)
  return (request, response, next) => {
    // A router would answer OPTIONS itself, which is the preflight request of JSON-RPC.
    if (request.method === 'GET' || request.method === 'HEAD') routes(request, response, next)
    else next()
  }
}

function createRoutes(manner: PageManner, folder: string | undefined): Router {
  const router = Router({ caseSensitive: true, strict: true })
  if (folder !== undefined) router.use('/assets', assetsIn(join(folder, 'assets')))
  router.get('/assets/{*file}', (request, response) => {
    sendText(
      response,
      `there is no ${request.path} in the page: load the page again if it is older than the server`,
    )
  })
  router.get('/{*path}', async (request, response, next) => {
    if (!isPageOf(request.path, manner.hasManyChains)) return next()
    response.vary('accept')
    if (!isAskedByBrowser(request)) return next()
    const document = folder === undefined ? undefined : await documentIn(folder)
    if (document === undefined) return sendText(response, NOT_BUILT)
    // Its assets have other names after each build.
    response.set(HEADERS).set('cache-control', 'no-cache').type('html')
    response.send(withTold(document, manner))
  })
  return router
}

/** The folder of the page in this package, from `dist/chunks` as from `src/server`; `undefined` within a bundle that has no place on the disk. */
function builtPage(): string | undefined {
  try {
    return fileURLToPath(new URL('../../dist/page', import.meta.url))
  } catch {
    return undefined
  }
}

/** The end of a name that Vite gave, by the content of the file. */
const NAMED_BY_CONTENT = /-[\w-]{8}\.\w+$/

/** Assets whose names change with their content are kept by browsers, which ask for all others each time. */
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

/** Paths that have other answers. */
const TAKEN = new Set(['/health'])
/** A path of one of many chains, and what is behind its name. */
const OF_CHAIN = /^\/c\/[^/]+(?:\/(.*))?$/

/** Returns whether the page is at `path`, for browsers: where no file can be meant, and nothing else is. */
export function isPageOf(path: string, hasManyChains: boolean): boolean {
  if (!hasManyChains) return !path.includes('.') && !TAKEN.has(path)
  if (path === '/') return true
  const match = OF_CHAIN.exec(path)
  if (match === null) return false
  const [, within = ''] = match
  return !within.includes('.') && within !== 'reset'
}

/** Returns whether HTML is preferred to JSON, which all other clients of a devnet expect. */
function isAskedByBrowser(request: Request): boolean {
  return request.accepts('json', 'html') === 'html'
}

async function documentIn(folder: string): Promise<string | undefined> {
  return readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
}

/** Returns the document with what it has to know of the port, in an element `<meta name="preseal">`: its content is a list of words. */
function withTold(document: string, { hasManyChains, isReadOnly }: PageManner): string {
  const words = [...(hasManyChains ? ['many-chains'] : []), ...(isReadOnly ? ['read-only'] : [])]
  if (words.length === 0) return document
  return document.replace('<head>', `<head>\n    <meta name="preseal" content="${words.join(' ')}" />`)
}

function sendText(response: Response, text: string): void {
  response.set(HEADERS).status(404).type('text').send(`${text}\n`)
}
