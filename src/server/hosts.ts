/**
 * Accepted `Host` headers. A web page can point its own host name at 127.0.0.1 (DNS rebinding) and would then reach a
 * devnet as its own origin; the name is in `Host`, so only names of this machine are accepted. An address without a
 * name cannot be rebound.
 */
import { isIP } from 'node:net'

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
