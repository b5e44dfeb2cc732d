/** JSON-RPC over HTTP, by `fetch`, which keeps connections alive. */
import { parseReply } from './parseReply.ts'
import { parsedUrl, publicNameOf } from './secrets.ts'
import { problemOfStatus } from './statuses.ts'
import type { UpstreamTime } from './time.ts'
import { failed, type Problem, type Reply, type Transport } from './transport.ts'

/** `fetch`, of which tests give another one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface HttpSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly time: UpstreamTime
  readonly fetch?: Fetch
  /** The limit of one answer, in bytes. */
  readonly maxResponseBytes: number
}

/** Returns a transport over HTTP. Throws a `TypeError` for a URL that is none. */
export function httpTransport({ url, headers, time, fetch, maxResponseBytes }: HttpSettings): Transport {
  const { host, scrub } = publicNameOf(url, headers)
  const send = fetch ?? ((input, init) => globalThis.fetch(input, init))
  const target = parsedUrl(url)
  // `fetch` refuses a URL with a user and a password.
  const allHeaders = { 'content-type': 'application/json', ...basicAuthorization(target), ...headers }
  target.username = ''
  target.password = ''
  target.hash = ''
  return {
    name: host,
    takesBatches: true,
    scrub,
    async exchange(payload, signal) {
      let response: Response
      let text: string | undefined
      try {
        const body = JSON.stringify(payload)
        response = await send(target.href, { method: 'POST', headers: allHeaders, body, signal })
        text = await textOf(response, maxResponseBytes)
      } catch (error) {
        return failed({ kind: 'unreachable', came: connectionProblem(error), isTransient: true })
      }
      if (text === undefined) return failed(tooLarge(maxResponseBytes))
      const reply = parseReply(text, scrub)
      if (response.ok) return reply
      return withStatus(reply, problemOfStatus(response, text, scrub, time.now()))
    },
    close() {},
  }
}

/**
 * Returns JSON that came with a status of failure, together with that: some nodes send errors of JSON-RPC so. A limit
 * of the rate is never the answer to a request.
 */
function withStatus(reply: Reply, refusal: Problem): Reply {
  return reply.kind === 'json' && refusal.kind !== 'rateLimited' ? { ...reply, refusal } : failed(refusal)
}

/** Returns the header for a user and a password in a URL (RFC 7617). */
export function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** Returns the body; `undefined` if it has more than `limit` bytes. */
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

export function tooLarge(limit: number): Problem {
  return {
    kind: 'wrongAnswer',
    came: `an answer of more than ${limit} bytes`,
    isTransient: false,
    batch: 'tooLarge',
  }
}

/** The codes of Node's and undici's errors, in words. Only codes are read: messages contain the URL. */
const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection ended before the answer did',
  ENOTFOUND: 'the host has no address',
  EAI_AGAIN: 'the name of the host could not be resolved now',
  ETIMEDOUT: 'the connection was not made in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network of the host',
  CERT_HAS_EXPIRED: "the host's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the host's certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "the host's certificate is not signed by a known authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the host's certificate is not signed by a known authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "the host's certificate is for another name",
}

/** Returns what an error of `fetch` or a socket says, by the first code in its chain of causes. */
export function connectionProblem(error: unknown): string {
  for (let at = error, depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    const { code, errors, cause } = at as { code?: unknown; errors?: unknown; cause?: unknown }
    if (typeof code === 'string') return CONNECTION_PROBLEMS[code] ?? `the connection failed (${code})`
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return 'the connection failed'
}
