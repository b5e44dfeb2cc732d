/** Where the page's answers come from: a devnet behind a WebSocket, or one inside the page. */
import { signal } from '@preact/signals'
import type { SolidityStackTrace } from '../../solidity/stackTrace/format.ts'

export interface ErrorAnswer {
  readonly code: number
  readonly message: string
  readonly data?: unknown
  readonly stackTrace?: SolidityStackTrace
}

export class AnswerError extends Error {
  readonly code: number
  readonly data: unknown
  /** The Solidity stack trace, if the devnet knows the sources. */
  readonly stackTrace: SolidityStackTrace | undefined

  constructor({ code, message, data, stackTrace }: ErrorAnswer) {
    super(message)
    this.name = 'AnswerError'
    this.code = code
    this.data = data
    this.stackTrace = stackTrace
  }
}

/** `lost`: the connection broke; the source reconnects. */
export type SourceState = 'connecting' | 'open' | 'lost'

export interface Source {
  /** Resolves with the result of a JSON-RPC method. Rejects with an `AnswerError`, or an `Error` if the connection breaks. */
  request<T>(method: string, params?: readonly unknown[]): Promise<T>
  /**
   * Subscribes (`eth_subscribe`) and calls `tell` with each result; subscribes again after a lost connection. Returns a
   * function that ends it.
   */
  subscribe(kind: string, params: readonly unknown[], tell: (result: never) => void): () => void
  /** Calls `tell` with the state, now and with each change. Returns a function that ends it. */
  onState(tell: (state: SourceState) => void): () => void
  /** Calls `tell` with each message of any kind. */
  onMessage(tell: () => void): void
}

export type Requester = Pick<Source, 'request'>

/** Returns the path of a page's chain, `/c/NAME` or empty. */
export function baseOf(path: string): string {
  return /^\/c\/[^/]+/.exec(path)?.[0] ?? ''
}

interface Pending {
  /** The request, as sent. */
  readonly text: string
  resolve(result: never): void
  reject(error: Error): void
}

interface Subscription {
  readonly kind: string
  readonly params: readonly unknown[]
  readonly tell: (result: never) => void
  /** The id that the devnet assigned; `undefined` while not subscribed. */
  id: string | undefined
  ended: boolean
}

type Message =
  | {
      readonly id: number
      readonly result?: unknown
      readonly error?: ErrorAnswer
    }
  | { readonly method: string; readonly params: { readonly subscription: string; readonly result: unknown } }

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

class SocketSource implements Source {
  readonly #url: string
  readonly #pending = new Map<number, Pending>()
  readonly #subscriptions = new Set<Subscription>()
  readonly #messageListeners = new Set<() => void>()
  #socket: WebSocket
  readonly #state = signal<SourceState>('connecting')
  #wait = FIRST_WAIT_MS
  #id = 0

  constructor(url: string) {
    this.#url = url
    this.#socket = this.#open()
  }

  request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const id = ++this.#id
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { text, resolve: resolve as Pending['resolve'], reject })
      if (this.#state.peek() === 'open') this.#socket.send(text)
    })
  }

  subscribe(kind: string, params: readonly unknown[], tell: (result: never) => void): () => void {
    const subscription: Subscription = { kind, params, tell, id: undefined, ended: false }
    this.#subscriptions.add(subscription)
    if (this.#state.peek() === 'open') void this.#start(subscription)
    return () => {
      subscription.ended = true
      this.#subscriptions.delete(subscription)
      if (subscription.id === undefined || this.#state.peek() !== 'open') return
      void this.request('eth_unsubscribe', [subscription.id]).catch(() => {})
    }
  }

  onState(tell: (state: SourceState) => void): () => void {
    return this.#state.subscribe(tell)
  }

  onMessage(tell: () => void): void {
    this.#messageListeners.add(tell)
  }

  #open(): WebSocket {
    const socket = new WebSocket(this.#url)
    socket.onopen = () => {
      this.#wait = FIRST_WAIT_MS
      // All pending requests were made before the connection opened.
      const texts = [...this.#pending.values()].map(({ text }) => text)
      this.#state.value = 'open'
      for (const text of texts) socket.send(text)
      for (const subscription of this.#subscriptions) void this.#start(subscription)
    }
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data as string) as Message)
    socket.onclose = () => this.#lose()
    return socket
  }

  #lose(): void {
    this.#state.value = 'lost'
    for (const subscription of this.#subscriptions) subscription.id = undefined
    const lost = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of lost) reject(new Error('the connection to the devnet was lost'))
    setTimeout(() => {
      this.#socket = this.#open()
    }, this.#wait)
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS)
  }

  async #start(subscription: Subscription): Promise<void> {
    try {
      const id = await this.request<string>('eth_subscribe', [subscription.kind, ...subscription.params])
      if (subscription.ended) void this.request('eth_unsubscribe', [id]).catch(() => {})
      else subscription.id = id
    } catch (error) {
      // The devnet does not support this kind: the page does without it.
      console.warn(`eth_subscribe ${subscription.kind}: ${(error as Error).message}`)
    }
  }

  #receive(message: Message): void {
    for (const tell of this.#messageListeners) tell()
    if ('method' in message) {
      const { subscription: id, result } = message.params
      for (const each of this.#subscriptions) if (each.id === id) each.tell(result as never)
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error !== undefined) pending?.reject(new AnswerError(message.error))
    else pending?.resolve(message.result as never)
  }
}

let current: Source | undefined

/** Returns the page's source. The first call connects to the devnet of this port. */
export function source(): Source {
  const { protocol, host, pathname } = location
  current ??= new SocketSource(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${baseOf(pathname) || '/'}`)
  return current
}

export const request: Source['request'] = (method, params) => source().request(method, params)

/** Replaces the page's source, before the first request. */
export function setSource(other: Source): void {
  current = other
}
