/**
 * Accepted origins of web pages. A browser sends the page's origin in the header `Origin` with each request of a page
 * to another origin (RFC 6454, section 7); other clients send none and are accepted.
 */

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
