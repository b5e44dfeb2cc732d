// `npm run docs` writes methods.json from docs/methods.md.
import topics from './methods.json' with { type: 'json' }

interface ListedMethod {
  /** Aliases of one method. The usual name is first. */
  readonly names: readonly string[]
  /** `name` or `name: type`. An optional parameter has a question mark. */
  readonly parameters: readonly string[]
  readonly meaning: string
}

interface Topic {
  readonly topic: string
  readonly methods: readonly ListedMethod[]
}

export const TOPICS: readonly Topic[] = topics

/** Returns the methods whose names and description together contain all words of `text`. */
export function methodsWith(text: string, all: readonly Topic[] = TOPICS): Topic[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return filtered(all, ({ names, meaning }) => {
    const place = `${names.join(' ')} ${meaning}`.toLowerCase()
    return words.every((word) => place.includes(word))
  })
}

function filtered(all: readonly Topic[], wanted: (method: ListedMethod) => boolean): Topic[] {
  return all
    .map(({ topic, methods }) => ({ topic, methods: methods.filter(wanted) }))
    .filter(({ methods }) => methods.length > 0)
}

export function methodNamed(name: string): ListedMethod | undefined {
  return TOPICS.flatMap(({ methods }) => methods).find(({ names }) => names.includes(name))
}

const READS =
  /^(eth_(?!send|sign|requestAccounts|subscribe|unsubscribe)|net_|web3_|debug_|trace_(?!raw)|ots_|erigon_|txpool_|rpc_|preseal_(get|list|find|search|explain))/

/** Returns whether a method leaves the chain unchanged, so that a read-only page offers it. */
export function isReading(name: string): boolean {
  return READS.test(name)
}

export function readingOnly(): Topic[] {
  return filtered(TOPICS, ({ names }) => isReading(names[0]!))
}

export interface Asking {
  readonly method: string
  readonly params: string
}

/** Parses a JSON array, or its items without the brackets. Throws `SyntaxError` for invalid JSON. */
export function paramsOf(text: string): readonly unknown[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  // Text in brackets is the list of parameters, even if the only parameter is an array.
  return JSON.parse(trimmed.startsWith('[') ? trimmed : `[${trimmed}]`) as readonly unknown[]
}

/** Returns the request to `url` as a curl command for a POSIX shell. */
export function asCurl(url: string, { method, params }: Asking): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: paramsOf(params) })
  return `curl -s '${url.replaceAll("'", '%27')}' -H 'content-type: application/json' -d '${body.replaceAll("'", "'\\''")}'`
}

export interface Storage {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
}

const KEY = 'preseal-console'
const MOST_KEPT = 50

export function history(storage: Pick<Storage, 'getItem'>): Asking[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isAsking) : []
  } catch {
    return []
  }
}

/** Saves a request, and removes an equal earlier one. Returns all saved requests, newest first. */
export function remember(asked: Asking, storage: Storage): Asking[] {
  const others = history(storage).filter(
    ({ method, params }) => method !== asked.method || params !== asked.params,
  )
  const kept = [asked, ...others].slice(0, MOST_KEPT)
  storage.setItem(KEY, JSON.stringify(kept))
  return kept
}

function isAsking(value: unknown): value is Asking {
  const { method, params } = (value ?? {}) as Partial<Asking>
  return typeof method === 'string' && typeof params === 'string'
}
