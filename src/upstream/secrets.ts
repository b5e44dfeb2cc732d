/** Removes secrets from texts. URLs of providers contain API keys in the path, in the query, or as a password. */

interface PublicName {
  readonly host: string
  /** Returns `text` without header values and without the parts of the URL that may be API keys. */
  scrub(text: string): string
}

interface Endpoint extends PublicName {
  readonly href: string
  readonly headers: Record<string, string>
}

/** The minimum length of an API key. Shorter path segments, such as `v2` or `rpc`, also occur in ordinary texts. */
const SHORTEST_KEY = 6

/** Returns the public name of an endpoint. Throws as `parsedUrl` does. */
export function publicNameOf(url: string, headers: Readonly<Record<string, string>> = {}): PublicName {
  const parsed = parsedUrl(url)
  const parts = [
    url,
    `${parsed.pathname}${parsed.search}`,
    ...parsed.pathname.split('/'),
    parsed.search,
    ...parsed.searchParams.values(),
    parsed.username,
    parsed.password,
    parsed.hash,
    ...Object.values(headers).flatMap((value) => [value, ...value.split(/\s+/)]),
  ]
  const secrets = parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= SHORTEST_KEY)
  // The longest secret is replaced first. Otherwise, replacing a part of a longer secret would leave the rest.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length)
  return {
    host: parsed.host,
    scrub: (text) => ordered.reduce((clean, secret) => clean.replaceAll(secret, '…'), text),
  }
}

/** Moves user and password of `url` to a header (RFC 7617), because `fetch` rejects URLs that contain them. */
export function endpointOf(url: string, headers: Readonly<Record<string, string>>): Endpoint {
  const target = parsedUrl(url)
  const allHeaders = { ...basicAuthorization(target), ...headers }
  target.username = ''
  target.password = ''
  target.hash = ''
  return { ...publicNameOf(url, headers), href: target.href, headers: allHeaders }
}

function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const bytes = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

/** Replaces each URL in `text` with its host. Used for clients whose URL is unknown. */
export function withoutUrls(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/(?:[^\s/@"']*@)?([^\s/?#"']*)[^\s"']*/gi, '$1')
}

/** Returns the parsed URL of a node. Throws a `TypeError` whose message omits `url`, which may contain an API key. */
export function parsedUrl(url: string): URL {
  if (!URL.canParse(url) || !/^(https?|wss?):$/.test(new URL(url).protocol)) {
    const begin = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0]
    const came = begin === undefined ? 'got text without a scheme' : `got one that begins with "${begin}"`
    throw new TypeError(`the URL of a node: expected http://, https://, ws:// or wss:// and a host, ${came}`)
  }
  return new URL(url)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
