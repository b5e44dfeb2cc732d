/** The page's connection for JSON-RPC: to a devnet by WebSocket or, in a report, to a devnet in the page. Shared requests. */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Hex } from '../../bytes/hex.ts'
import type { SolidityStackTrace } from '../../solidity/stackTrace/format.ts'
import type { RpcListedTransaction } from '../../wire/blockContent.ts'
import type { DebugRunAnswer } from '../../wire/debugRun.ts'
import type { RpcBlockFill, RpcLog } from '../../wire/encode.ts'
import type { RpcCallFrame } from '../../wire/encodeTrace.ts'
import type { RpcFoundTransaction } from '../../wire/transactionSearch.ts'

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

/** Sends a JSON-RPC request, as `request` of a `Source` does. */
export type Ask = Source['request']

/** Returns the prefix `/c/NAME` or `/c/NAME/l1` of a path, which names the chain. Empty without such a prefix. */
export function baseOf(path: string): string {
  return /^\/c\/[^/]+(\/l1(?![^/]))?/.exec(path)?.[0] ?? ''
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
      // A closing socket sends nothing, although `state` is still `open`: the request is rejected in `#lose`.
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text)
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

export const request: Ask = (method, params) => source().request(method, params)

/** Replaces the page's source. Must be called before the first request. */
export function setSource(other: Source): void {
  current = other
}

/** A transaction of a block. `gasUsed` is `null` if the forked network returned no receipts. */
export type ListedTransaction = Omit<RpcListedTransaction, 'gasUsed' | 'logCount'> & {
  readonly gasUsed: Hex | null
}

/** Loads transactions and logs of a block by index, from `first` to `end` (exclusive). */
export interface BlockContent {
  transactions(first: number, end: number): Promise<readonly ListedTransaction[]>
  logs(first: number, end: number): Promise<readonly RpcLog[]>
}

const MOST = 1_000

export function contentOf(from: Requester, at: string): BlockContent {
  async function list<T>(method: string, member: string, first: number, end: number): Promise<T[]> {
    const found: T[] = []
    for (let next = first; next < end; ) {
      const part = { limit: Math.min(MOST, end - next), ...(next > 0 && { after: next - 1 }) }
      const answer = await from.request<Record<string, readonly T[]> | null>(method, [at, part])
      const items = answer?.[member] ?? []
      found.push(...items)
      next += items.length
      // The block has fewer items than before, for example after a reorg.
      if (items.length === 0) break
    }
    return found
  }
  return {
    transactions: (first, end) => list('preseal_listTransactions', 'transactions', first, end),
    logs: (first, end) => list('preseal_listLogs', 'logs', first, end),
  }
}

/** Selects transactions for `preseal_searchTransactions`. By default, all transactions in blocks. */
export interface Search {
  readonly state?: RpcFoundTransaction['state']
  readonly address?: string
  readonly selector?: string
  readonly topic?: string
  readonly deposits?: 'listed' | 'omitted'
  readonly offset?: number
  readonly limit?: number
}

/** Resolves to a part of the matching transactions, newest first, and the total number of matching transactions. */
export async function findTransactions(search: Search, from: Requester = { request }) {
  const { total, transactions } = await from.request<{
    readonly total: Hex
    readonly transactions: readonly RpcFoundTransaction[]
  }>('preseal_searchTransactions', [search])
  return { total: Number(total), transactions }
}

const MOST_STEPS = 50_000

export function sourceRun(hash: string): Promise<DebugRunAnswer> {
  const tracing = { tracer: 'soliditySource', tracerConfig: { limit: MOST_STEPS } }
  return request('debug_traceTransaction', [hash, tracing])
}

export function callTrace(hash: string): Promise<RpcCallFrame> {
  return request('debug_traceTransaction', [
    hash,
    { tracer: 'callTracer', tracerConfig: { withLog: true, withSource: true } },
  ])
}

/** A slice in the result of `preseal_getSlices`, without its transactions. */
export interface SliceCounts {
  readonly index: Hex
  readonly transactionCount: Hex
  readonly logCount: Hex
  readonly gasUsed: Hex
  /** The block as of this slice. Its hash is zero while the block is open. */
  readonly block: RpcBlockFill & { readonly number: Hex; readonly hash: Hex }
}

/** Resolves to the slices of a block, with counts only. With `after`, only slices with a higher index. */
export function slicesOf(from: Requester, block: string, after?: Hex): Promise<readonly SliceCounts[]> {
  return from.request('preseal_getSlices', [block, { show: 'counts', ...(after !== undefined && { after }) }])
}

export interface Explained {
  readonly status: 'preconfirmed' | 'sealed' | 'waiting' | 'dropped' | 'unknown'
  readonly reason: string
  readonly failure?: string
  readonly stackTrace?: SolidityStackTrace
}

/** Resolves to the number of the fork block, or to `undefined` if the chain is not forked. */
export async function forkBlockNumber(from: Requester): Promise<number | undefined> {
  const { forkedNetwork } = await from.request<{
    readonly forkedNetwork: { readonly forkBlockNumber: number } | null
  }>('hardhat_metadata', [])
  return forkedNetwork?.forkBlockNumber
}
