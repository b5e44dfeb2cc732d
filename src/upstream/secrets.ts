/** Names of nodes that show no keys: URLs of providers contain them, in the path, in the query, or as a password. */

/** What of a URL may be shown, and a function that removes the rest from any text. */
export interface PublicName {
  /** The host, with the port if the URL has one. */
  readonly host: string
  /** Returns `text` without the parts of the URL and the values of headers that may be keys. */
  scrub(text: string): string
}

/** Shorter parts of a path, such as `v2` or `rpc`, are not keys, and occur in other texts. */
const SHORTEST_KEY = 6

/**
 * Returns what may be shown of `url`. `headers` are those of its requests, whose values may be keys. Throws a
 * `TypeError` that does not contain the URL if it is none.
 */
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
  // The longest first: a part of it would leave the rest.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length)
  return {
    host: parsed.host,
    scrub: (text) => ordered.reduce((clean, secret) => clean.replaceAll(secret, '…'), text),
  }
}

/** Returns `text` with the host in place of each URL that it contains. For texts of clients whose URL is not known. */
export function withoutUrls(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/(?:[^\s/@"']*@)?([^\s/?#"']*)[^\s"']*/gi, '$1')
}

/** Returns the URL of a node. Throws a `TypeError` without the text, which may contain a key. */
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
