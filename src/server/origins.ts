/** Checks the headers `host` and `origin` of requests. Only browsers send `origin` (RFC 6454, section 7). */
import { isIP } from 'node:net'

/** Returns whether `text` is `*`, `null` (a page opened from a file) or an origin such as `http://localhost:3000`. */
export function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true
  return URL.canParse(text) && new URL(text).origin === normal(text)
}

export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[] | undefined): boolean {
  if (origin === undefined || isAnyAllowed(allowed)) return true
  return allowed!.some((other) => normal(other) === normal(origin))
}

/** Returns whether `origin` is the origin of this port's own page. A proxy in front of the port may add TLS. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined) return false
  const own = normal(host)
  return normal(origin) === `http://${own}` || normal(origin) === `https://${own}`
}

export function allowOrigin(origin: string | undefined, allowed: readonly string[] | undefined): string {
  return origin === undefined || isAnyAllowed(allowed) ? '*' : origin
}

export function isAnyAllowed(allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.includes('*')
}

/** Returns an origin or a host in lower case, without a final slash (RFC 6454, section 4). */
function normal(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '')
}

/** Returns whether a request with this `host` header is accepted. Always accepted: localhost and IP addresses. */
export function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.includes('*')) return true
  if (host === undefined) return false
  const name = withoutPort(host).toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0) return true
  return allowed.some((other) => name === other.toLowerCase())
}

function withoutPort(host: string): string {
  if (host.startsWith('[')) return /^\[([^\]]*)\](:\d*)?$/.exec(host)?.[1] ?? ''
  const colon = host.indexOf(':')
  return colon === -1 ? host : host.slice(0, colon)
}

const ALL_INTERFACES = new Set(['0.0.0.0', '::', ''])

/** Returns a URL by which clients on this machine reach a listener, even if it listens on all interfaces. */
export function reachableUrl({ url, host }: { readonly url: string; readonly host: string }): string {
  return ALL_INTERFACES.has(host) ? url.replace(/\/\/[^/]*(:\d+)/, '//127.0.0.1$1') : url
}
