/** The path at which the page's chain is: empty, or `/c/NAME` on a port of many chains. */

/** Returns the path of the chain to which a page at `path` belongs, without a slash at its end. */
export function baseOf(path: string): string {
  return /^\/c\/[^/]+/.exec(path)?.[0] ?? ''
}

/** Returns the URL of the chain's WebSocket for a page at `location`. */
export function socketUrl({
  protocol,
  host,
  pathname,
}: Pick<Location, 'protocol' | 'host' | 'pathname'>): string {
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${baseOf(pathname) || '/'}`
}
