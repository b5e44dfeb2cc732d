/** The page's connection for JSON-RPC: to a devnet by WebSocket or, in a report, to a devnet in the page. */
import { type ReadonlySignal, signal } from '@preact/signals'
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
  /** Present if the devnet has the Solidity sources of the failed code. */
  readonly stackTrace: SolidityStackTrace | undefined

  constructor({ code, message, data, stackTrace }: ErrorAnswer) {
    super(message)
    this.name = 'AnswerError'
    this.code = code
    this.data = data
    this.stackTrace = stackTrace
  }
}

/** `lost` means that the connection is interrupted, and the source tries to reconnect. */
export type SourceState = 'connecting' | 'open' | 'lost'

export interface Source {
  /** Rejects with `AnswerError` for an error response, and with `Error` if the connection is lost. */
  request<T>(method: string, params?: readonly unknown[]): Promise<T>
  /** Subscribes now and after each reconnect. Calls `tell` with each result. Returns a function that unsubscribes. */
  subscribe(kind: string, params: readonly unknown[], tell: (result: never) => void): () => void
  readonly state: ReadonlySignal<SourceState>
  /** Calls `tell` whenever a message arrives from the devnet. */
  onMessage(tell: () => void): void
}

export type Requester = Pick<Source, 'request'>

/** Returns the prefix `/c/NAME` of a path, which names the chain. Empty without such a prefix. */
export function baseOf(path: string): string {
  return /^\/c\/[^/]+/.exec(path)?.[0] ?? ''
}

interface Pending {
  readonly text: string
  resolve(result: never): void
  reject(error: Error): void
}

interface Subscription {
  readonly kind: string
  readonly params: readonly unknown[]
  readonly tell: (result: never) => void
  /** The id of the subscription. `undefined` while it is not active. */
  id: string | undefined
}

type Message =
  | { readonly id: number; readonly result?: unknown; readonly error?: ErrorAnswer }
  | { readonly method: string; readonly params: { readonly subscription: string; readonly result: unknown } }

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

class SocketSource implements Source {
  readonly #pending = new Map<number, Pending>()
  readonly #subscriptions = new Set<Subscription>()
  readonly #messageListeners = new Set<() => void>()
  readonly state = signal<SourceState>('connecting')
  #wait = FIRST_WAIT_MS
  #id = 0
  #socket = this.#open()

  request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const id = ++this.#id
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { text, resolve: resolve as Pending['resolve'], reject })
      if (this.state.peek() === 'open') this.#socket.send(text)
    })
  }

  subscribe(kind: string, params: readonly unknown[], tell: (result: never) => void): () => void {
    const subscription: Subscription = { kind, params, tell, id: undefined }
    this.#subscriptions.add(subscription)
    if (this.state.peek() === 'open') void this.#start(subscription)
    return () => {
      this.#subscriptions.delete(subscription)
      if (subscription.id === undefined || this.state.peek() !== 'open') return
      void this.request('eth_unsubscribe', [subscription.id]).catch(() => {})
    }
  }

  onMessage(tell: () => void): void {
    this.#messageListeners.add(tell)
  }

  #open(): WebSocket {
    const { protocol, host, pathname } = location
    const socket = new WebSocket(
      `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${baseOf(pathname) || '/'}`,
    )
    socket.onopen = () => {
      this.#wait = FIRST_WAIT_MS
      // The requests are copied first, because setting the state lets listeners send further requests.
      const texts = [...this.#pending.values()].map(({ text }) => text)
      this.state.value = 'open'
      for (const text of texts) socket.send(text)
      for (const subscription of this.#subscriptions) void this.#start(subscription)
    }
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data as string) as Message)
    socket.onclose = () => this.#lose()
    return socket
  }

  #lose(): void {
    this.state.value = 'lost'
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
      if (this.#subscriptions.has(subscription)) subscription.id = id
      else void this.request('eth_unsubscribe', [id]).catch(() => {})
    } catch (error) {
      // If the devnet lacks this kind of subscription, the page works without its events.
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

/** Returns the page's source. The first call connects to the devnet that serves the page. */
export function source(): Source {
  current ??= new SocketSource()
  return current
}

export const request: Source['request'] = (method, params) => source().request(method, params)

/** Replaces the page's source. Must be called before the first request. */
export function setSource(other: Source): void {
  current = other
}
