/** JSON-RPC over HTTP. Uses `fetch`, which reuses connections. */
import type { UpstreamTime } from './pacing.ts'
import { endpointOf } from './secrets.ts'
import {
  excerpt,
  failed,
  type Problem,
  parseReply,
  type Transport,
  tooLarge,
  unreachable,
} from './transport.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface HttpSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly time: UpstreamTime
  readonly fetch?: Fetch
  readonly maxResponseBytes: number
}

/** Returns a transport over HTTP. Throws a `TypeError` for an invalid URL. */
export function httpTransport({ url, headers, time, fetch, maxResponseBytes }: HttpSettings): Transport {
  const { host, scrub, ...endpoint } = endpointOf(url, headers)
  const send = fetch ?? ((input, init) => globalThis.fetch(input, init))
  const allHeaders = { 'content-type': 'application/json', ...endpoint.headers }
  return {
    name: host,
    takesBatches: true,
    scrub,
    async exchange(payload, signal) {
      let response: Response
      let text: string | undefined
      try {
        const body = JSON.stringify(payload)
        response = await send(endpoint.href, { method: 'POST', headers: allHeaders, body, signal })
        text = await textOf(response, maxResponseBytes)
      } catch (error) {
        return unreachable(connectionProblem(error))
      }
      if (text === undefined) return tooLarge(maxResponseBytes)
      const reply = parseReply(text, scrub)
      if (response.ok) return reply
      const refusal = problemOfStatus(response, text, scrub, time.now())
      // Some nodes send JSON-RPC errors with an HTTP error status. Status 429 never answers a request.
      return reply.kind === 'json' && refusal.kind !== 'rateLimited' ? { ...reply, refusal } : failed(refusal)
    },
    close() {},
  }
}

async function textOf(response: Response, limit: number): Promise<string | undefined> {
  if (response.body === null) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    length += value.length
    if (length > limit) {
      await reader.cancel().catch(() => {})
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** HTTP statuses below 500 after which a retry may succeed (RFC 9110, RFC 6585, RFC 8470). */
const TRANSIENT = new Set([408, 425, 429])
/** The 5xx statuses after which a retry cannot succeed: not implemented, HTTP version not supported. */
const FINAL = new Set([501, 505])
/** HTTP statuses about the API key or the IP address. A smaller batch would get the same status. */
const NOT_OF_BATCHES = new Set([401, 402, 403, 407])

function problemOfStatus(
  { status, headers }: Response,
  body: string,
  scrub: (text: string) => string,
  nowMs: number,
): Problem {
  const shown = excerpt(scrub(body))
  const came = `HTTP ${status}${shown === '' ? '' : ` (${shown})`}`
  const isTransient = TRANSIENT.has(status) || (status >= 500 && !FINAL.has(status))
  const waitMs = retryAfterMs(headers.get('retry-after'), nowMs)
  const refusesBatch = !isTransient && status >= 400 && status < 500 && !NOT_OF_BATCHES.has(status)
  return {
    kind: status === 429 ? 'rateLimited' : 'httpStatus',
    came,
    isTransient,
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(refusesBatch ? { batch: status === 413 ? 'tooLarge' : 'refused' } : {}),
  }
}

/** Returns the milliseconds of a `Retry-After` header, which has seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

/** Descriptions of error codes of Node and undici. Error messages are not used, because they contain the URL. */
const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection ended before the answer did',
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the host name could not be resolved; the failure may be temporary',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network of the host',
  CERT_HAS_EXPIRED: "the host's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the host's certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "the host's certificate is not signed by a known authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the host's certificate is not signed by a known authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the host's certificate is for another name",
}

/** Returns a description of an error of `fetch` or of a socket, by the first error code in the chain of causes. */
export function connectionProblem(error: unknown): string {
  for (let at = error, depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    const { code, errors, cause } = at as { code?: unknown; errors?: unknown; cause?: unknown }
    if (typeof code === 'string') return CONNECTION_PROBLEMS[code] ?? `the connection failed (${code})`
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return 'the connection failed'
}
