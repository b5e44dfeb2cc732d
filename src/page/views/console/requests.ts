/** The methods that the console lists (docs/methods.md; written by `npm run docs`), and the requests that it sends and remembers. */
import topics from './methods.json' with { type: 'json' }

export interface ListedMethod {
  /** The first is the usual one. */
  readonly names: readonly string[]
  /** `name` or `name: type`, with a question mark where it may be left out. */
  readonly parameters: readonly string[]
  readonly meaning: string
}

export interface Topic {
  readonly topic: string
  readonly methods: readonly ListedMethod[]
}

export const TOPICS: readonly Topic[] = topics

/** Returns the topics with the methods in whose names or meanings each word of `text` occurs. */
export function methodsWith(text: string, all: readonly Topic[] = TOPICS): Topic[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return all
    .map(({ topic, methods }) => ({
      topic,
      methods: methods.filter(({ names, meaning }) => {
        const place = `${names.join(' ')} ${meaning}`.toLowerCase()
        return words.every((word) => place.includes(word))
      }),
    }))
    .filter(({ methods }) => methods.length > 0)
}

/** Returns the method of this name. */
export function methodNamed(name: string, all: readonly Topic[] = TOPICS): ListedMethod | undefined {
  return all.flatMap(({ methods }) => methods).find(({ names }) => names.includes(name))
}

const READS =
  /^(eth_(?!send|sign|requestAccounts|subscribe|unsubscribe)|net_|web3_|debug_|trace_(?!raw)|ots_|erigon_|txpool_|rpc_|preseal_(get|list|explain))/

/** Returns whether the method of this name leaves the chain as it is: those that a page which only reads has. */
export function isReading(name: string): boolean {
  return READS.test(name)
}

/** Returns the topics without the methods that change the chain. */
export function readingOnly(all: readonly Topic[] = TOPICS): Topic[] {
  return all
    .map(({ topic, methods }) => ({ topic, methods: methods.filter(({ names }) => isReading(names[0]!)) }))
    .filter(({ methods }) => methods.length > 0)
}

export interface Asking {
  readonly method: string
  /** JSON, as it was typed. */
  readonly params: string
}

/** Returns the parameters that `text` has: a JSON array, or values of JSON without its brackets. Throws `SyntaxError` with what is wrong. */
export function paramsOf(text: string): readonly unknown[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  // A single array may be the one parameter, or all of them: as in every JSON-RPC request, it is all of them.
  const value: unknown = JSON.parse(trimmed.startsWith('[') ? trimmed : `[${trimmed}]`)
  return value as readonly unknown[]
}

/** Returns the command that asks the same of the devnet at `url`, for a POSIX shell. */
export function asCurl(url: string, { method, params }: Asking): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: paramsOf(params) })
  return `curl -s '${url.replaceAll("'", '%27')}' -H 'content-type: application/json' -d '${body.replaceAll("'", "'\\''")}'`
}

/** Where what was asked is kept: the tab's `sessionStorage`. */
export interface Storage {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
}

const KEY = 'preseal-console'
const MOST_KEPT = 50

/** Returns what this tab asked, the newest first. */
export function history(storage: Pick<Storage, 'getItem'>): Asking[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isAsking) : []
  } catch {
    return []
  }
}

/** Keeps what was asked, once. Returns all that is kept. */
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
