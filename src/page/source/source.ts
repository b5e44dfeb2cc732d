/** Where the page's answers come from: a devnet behind a WebSocket, or one inside the page. */
import type { SolidityStackTrace } from '../../solidity/stackTrace/format.ts'

/** The error member of a JSON-RPC answer. */
export interface ErrorAnswer {
  readonly code: number
  readonly message: string
  readonly data?: unknown
  readonly stackTrace?: SolidityStackTrace
}

/** The error of a JSON-RPC answer. */
export class AnswerError extends Error {
  readonly code: number
  readonly data: unknown
  /** Where in Solidity code failed, if the devnet knows it. */
  readonly stackTrace: SolidityStackTrace | undefined

  constructor({ code, message, data, stackTrace }: ErrorAnswer) {
    super(message)
    this.name = 'AnswerError'
    this.code = code
    this.data = data
    this.stackTrace = stackTrace
  }
}

/** `lost`: the connection broke, and is tried again. */
export type SourceState = 'connecting' | 'open' | 'lost'

export interface Source {
  /** Resolves with the result of a JSON-RPC method. Rejects with `AnswerError`, or an `Error` if the connection breaks. */
  request<T>(method: string, params?: readonly unknown[]): Promise<T>
  /**
   * Subscribes (`eth_subscribe`) and calls `tell` with each result, also after a lost connection is there again. Returns
   * a function that ends it.
   */
  subscribe(kind: string, params: readonly unknown[], tell: (result: never) => void): () => void
  /** Calls `tell` with the state, now and when it changes. Returns a function that ends it. */
  onState(tell: (state: SourceState) => void): () => void
  /** Calls `tell` with each message that comes, whatever it is. */
  onMessage(tell: () => void): void
}

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
