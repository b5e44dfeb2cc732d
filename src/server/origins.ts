/** Checks of hosts, and of origins (RFC 6454, section 7), which only browsers send. */
import { isIP } from 'node:net'

/** Returns whether `text` is an origin (`http://localhost:3000`), `null` (a page of a file) or `*` (any origin). */
export function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true
  return URL.canParse(text) && new URL(text).origin === normal(text)
}

export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[] | undefined): boolean {
  if (origin === undefined || isAnyAllowed(allowed)) return true
  return allowed!.some((other) => normal(other) === normal(origin))
}

/** Returns whether `origin` is that of the port's own page, possibly behind a proxy that adds TLS. */
export function isOwnOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined) return false
  const own = normal(host)
  return normal(origin) === `http://${own}` || normal(origin) === `https://${own}`
}

/** Returns the header `access-control-allow-origin` for an accepted request. */
export function allowOrigin(origin: string | undefined, allowed: readonly string[] | undefined): string {
  return origin === undefined || isAnyAllowed(allowed) ? '*' : origin
}

export function isAnyAllowed(allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.includes('*')
}

/** Returns the origin in lower case and without a final slash (RFC 6454, section 4). */
function normal(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '')
}

/** Returns whether requests for `host` are accepted: localhost, IP addresses, and `allowed` hosts. */
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

/** Returns the URL by which clients on this machine reach a listener. */
export function reachableUrl({ url, host }: { readonly url: string; readonly host: string }): string {
  return ALL_INTERFACES.has(host) ? url.replace(/\/\/[^/]*(:\d+)/, '//127.0.0.1$1') : url
}
