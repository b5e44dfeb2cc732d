/** What was asked in the console: read from text, kept for the tab, written for other tools. */

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
const MOST = 50

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
  const kept = [asked, ...others].slice(0, MOST)
  storage.setItem(KEY, JSON.stringify(kept))
  return kept
}

function isAsking(value: unknown): value is Asking {
  const { method, params } = (value ?? {}) as Partial<Asking>
  return typeof method === 'string' && typeof params === 'string'
}
