/** Serves JSON-RPC over HTTP, without Express, which would take three times as long as the response itself. */
import { INVALID_REQUEST } from '../rpc/errors/errorCodes.ts'
import { BEGINNING_BYTES, type Respond, SENT_IN_PARTS, type SizeLimits, sizeLimit } from '../rpc/message.ts'

/** The members of Node's request that are used, declared here so that users need no types of `node:http`. */
export interface HttpRequest {
  readonly method?: string | undefined
  readonly headers: {
    readonly 'content-type'?: string | undefined
    readonly 'user-agent'?: string | undefined
  }
  /** Present if an Express body parser ran before. */
  readonly body?: unknown
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: () => void): unknown
}

export interface HttpResponse {
  statusCode: number
  hasHeader(name: string): boolean
  setHeader(name: string, value: string): unknown
  writeHead(status: number, headers?: Readonly<Record<string, string>>): HttpResponse
  end(text?: string): unknown
  destroy(): unknown
}

export type Handler = (request: HttpRequest, response: HttpResponse) => void

const JSON_HEADERS = { 'content-type': 'application/json' }
const CONTENT_TYPES = new Set(['application/json', 'application/json-rpc'])

export type Refuse = (response: HttpResponse, status: number, message: string) => void

/** Returns a function that responds with errors. `data`, set only in strict mode, becomes their member `data`. */
export function createRefuse(data?: string): Refuse {
  return (response, status, message) => {
    const error = { code: INVALID_REQUEST, message: `invalid request: ${message}`, data }
    response.writeHead(status, JSON_HEADERS).end(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
  }
}

/** Returns a handler of JSON-RPC messages of up to `bodyLimit` bytes, or `stateLimit` bytes with a state file. */
export function createHandler(
  respond: Respond,
  bodyLimit: number,
  refuse = createRefuse(),
  stateLimit = bodyLimit,
): Handler {
  const limits = { bodyLimit, stateLimit }
  const reading: Reading<HttpResponse> = {
    done: (text, response) => answer(respond, text, response),
    tooLong(length, limit, response) {
      response.setHeader('connection', 'close')
      refuse(response, 413, `the body has ${length} bytes, the limit is ${limit}`)
    },
    // The client closed the connection before the request was complete.
    failed: (response) => response.destroy(),
  }
  return (request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST, OPTIONS')
      refuse(response, 405, `JSON-RPC takes POST, got ${request.method}`)
      return
    }
    if (!CONTENT_TYPES.has(mediaType(request))) {
      const got = request.headers['content-type'] ?? 'none'
      refuse(response, 415, `the content type must be application/json, got ${got}`)
      return
    }
    if (losesTimeByReuse(request)) response.setHeader('connection', 'close')
    // A body parser that ran before has consumed the stream.
    if (request.body !== undefined) {
      const text = textOf(request.body)
      if (text === undefined) refuse(response, 400, 'the body is nested too deeply')
      else answer(respond, text, response)
      return
    }
    readBody(request, limits, reading, response)
  }
}

/**
 * Whether the client is faster if each request has a connection of its own: Hardhat's client waits a millisecond before
 * it uses a connection again (undici 6, `scheduleIdleSocketValidation`), and then only on Linux, which reuses the ports
 * of closed connections to the same machine at once.
 */
function losesTimeByReuse({ headers }: HttpRequest): boolean {
  return process.platform === 'linux' && headers['user-agent']?.startsWith('Hardhat ') === true
}

function mediaType({ headers }: HttpRequest): string {
  const type = headers['content-type'] ?? ''
  if (type === 'application/json') return type
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

/** Returns the text of a body that an Express body parser has read; `undefined` if it is nested too deeply. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (Buffer.isBuffer(body)) return body.toString('utf8')
  try {
    return JSON.stringify(body)
  } catch {
    // JSON.stringify is recursive and exceeded the call stack.
    return undefined
  }
}

/** Handlers for the outcomes of `readBody`, which passes its last argument to each as `of`. */
export interface Reading<R> {
  done(text: string, of: R): void
  tooLong(length: number, limit: number, of: R): void
  failed(of: R): void
}

export function readBody<R>(request: HttpRequest, limits: SizeLimits, reading: Reading<R>, of: R): void {
  const chunks: Buffer[] = []
  let length = 0
  let limit = limits.bodyLimit
  request.on('data', (bytes) => {
    const chunk = bytes as Buffer
    const before = length
    length += chunk.length
    // The start of a long message shows whether it contains a state file, which has a higher limit.
    if (before <= limits.bodyLimit && length > limits.bodyLimit) limit = limitOf([...chunks, chunk], limits)
    // A body over the limit is read to its end: the client must get the response before the connection closes.
    if (length <= limit) chunks.push(chunk)
    else chunks.length = 0
  })
  request.on('end', () => {
    if (length > limit) reading.tooLong(length, limit, of)
    else reading.done((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8'), of)
  })
  request.on('error', () => reading.failed(of))
}

function limitOf(chunks: readonly Buffer[], limits: SizeLimits): number {
  const beginning: Buffer[] = []
  let length = 0
  for (const chunk of chunks) {
    if (length >= BEGINNING_BYTES) break
    beginning.push(chunk.subarray(0, BEGINNING_BYTES - length))
    length += chunk.length
  }
  return sizeLimit(Buffer.concat(beginning).toString('latin1'), limits)
}

function answer(respond: Respond, text: string, response: HttpResponse): void {
  response.statusCode = 200
  // `respond` sets another status if a planned fault requires one.
  const body = respond(text, undefined, response)
  if (body instanceof Promise) void body.then((late) => send(response, late))
  else send(response, body)
}

function send(response: HttpResponse, body: string | undefined): void {
  if (body === undefined) response.writeHead(204).end()
  else if (body === SENT_IN_PARTS) return
  else {
    // `writeHead` is not called, so that Node adds the content length and sends head and body together.
    if (response.statusCode === 200 || !response.hasHeader('content-type')) {
      response.setHeader('content-type', 'application/json')
    }
    response.end(body)
  }
}
