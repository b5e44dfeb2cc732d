/**
 * Which web pages may ask. A browser names the page's origin in the header `Origin` of each request that a page makes to another
 * origin (RFC 6454, section 7); what is no browser sends none and is answered.
 */

/** Whether `text` is an origin (`http://localhost:3000`), `null` (pages of files) or `*` (any). */
export function isOrigin(text: string): boolean {
  if (text === '*' || text === 'null') return true
  return URL.canParse(text) && new URL(text).origin === normal(text)
}

/** Whether a request of `origin` is answered: of any origin where `allowed` is absent or has `*`. */
export function isAllowedOrigin(origin: string | undefined, allowed: readonly string[] | undefined): boolean {
  if (origin === undefined || isAnyAllowed(allowed)) return true
  return allowed!.some((other) => normal(other) === normal(origin))
}

/** The value of `access-control-allow-origin` for a request of `origin` that is answered. */
export function allowOrigin(origin: string | undefined, allowed: readonly string[] | undefined): string {
  return origin === undefined || isAnyAllowed(allowed) ? '*' : origin
}

/** Whether pages of any origin may ask. */
export function isAnyAllowed(allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.includes('*')
}

/** Schemes and hosts are of any case (RFC 6454, section 4); people write a slash at the end. */
function normal(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '')
}
