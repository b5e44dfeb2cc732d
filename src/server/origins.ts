/**
 * Accepted origins of web pages. A browser sends the page's origin in the header `Origin` with each request of a page
 * to another origin (RFC 6454, section 7); other clients send none and are accepted.
 */
import { isIP } from 'node:net'

/** Returns whether `text` is an origin (`http://localhost:3000`), `null` (pages of files) or `*` (any). */
export function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true
  return URL.canParse(text) && new URL(text).origin === normal(text)
}

/** Returns whether a request of `origin` is accepted: all are if `allowed` is absent or has `*`. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[] | undefined): boolean {
  if (origin === undefined || isAnyAllowed(allowed)) return true
  return allowed!.some((other) => normal(other) === normal(origin))
}

/** Returns whether `origin` is that of a port asked for `host`: the origin of its own page, also behind a proxy that adds TLS. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined) return false
  const own = normal(host)
  return normal(origin) === `http://${own}` || normal(origin) === `https://${own}`
}

/** Returns the value of `access-control-allow-origin` for an accepted request of `origin`. */
export function allowOrigin(origin: string | undefined, allowed: readonly string[] | undefined): string {
  return origin === undefined || isAnyAllowed(allowed) ? '*' : origin
}

/** Returns whether pages of any origin are accepted. */
export function isAnyAllowed(allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.includes('*')
}

/** Returns an origin in lower case (RFC 6454, section 4) and without a slash at the end. */
function normal(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '')
}

/** Returns whether a request for `host` (with or without a port) is accepted. `*` among `allowed` accepts all. */
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

/** Hosts that stand for all interfaces of a machine. */
const EVERYWHERE = new Set(['0.0.0.0', '::', ''])

/**
 * Returns the URL by which this machine reaches a listener: a client cannot connect to the address of all interfaces.
 */
export function reachableUrl({ url, host }: { readonly url: string; readonly host: string }): string {
  return EVERYWHERE.has(host) ? url.replace(/\/\/[^/]*(:\d+)/, '//127.0.0.1$1') : url
}
