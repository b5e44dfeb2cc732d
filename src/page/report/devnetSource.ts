import { signal } from '@preact/signals'
import type { Devnet } from '../../devnet/devnet.ts'
import { AnswerError, type ErrorAnswer, type Source, type SourceState } from '../source/source.ts'

type Answers = Devnet['answers']
type Connection = ReturnType<Answers['connect']>
type Tell = (result: never) => void

/**
 * Serves a report's JSON-RPC requests with a devnet in the page. Subscriptions begin when `watch` is called, as
 * the replay begins. Requests wait until `open` is called, after the replay: they must not mix with replayed requests.
 */
export class DevnetSource implements Source {
  readonly #tellings = new Map<string, Tell>()
  readonly #opened: Promise<void>
  #settle!: { resolve(): void; reject(error: Error): void }
  #connected: { readonly respond: Answers['respond']; readonly connection: Connection } | undefined
  readonly #early: (() => Promise<void>)[] = []
  readonly state = signal<SourceState>('connecting')

  constructor() {
    this.#opened = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // This prevents an unhandled rejection. Requests that wait for `#opened` reject themselves.
    this.#opened.catch(() => {})
  }

  /** Begins the subscriptions. Resolves when all later events will be reported. */
  async watch({ answers: { respond, connect } }: Pick<Devnet, 'answers'>): Promise<void> {
    const connection = connect((id, result) => this.#tellings.get(id)?.(JSON.parse(result) as never))
    this.#connected = { respond, connection }
    await Promise.all(this.#early.splice(0).map((begin) => begin()))
  }

  open(): void {
    this.#settle.resolve()
    this.state.value = 'open'
  }

  giveUp(): void {
    this.#settle.reject(new Error('the session could not be replayed'))
    this.state.value = 'lost'
  }

  async request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    await this.#opened
    return this.#ask<T>(method, params)
  }

  subscribe(kind: string, params: readonly unknown[], tell: Tell): () => void {
    let id: string | undefined
    let isEnded = false
    const begin = async () => {
      id = await this.#ask<string>('eth_subscribe', [kind, ...params])
      this.#tellings.set(id, tell)
      this.#connected?.connection.answered()?.()
      if (isEnded) end()
    }
    const end = () => {
      isEnded = true
      if (id === undefined) return
      this.#tellings.delete(id)
      void this.request('eth_unsubscribe', [id]).catch(() => {})
    }
    if (this.#connected === undefined) this.#early.push(begin)
    else void begin()
    return end
  }

  /** Does nothing, because a devnet in the page has no connection to observe. */
  onMessage(): void {}

  async #ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    const { respond, connection } = this.#connected!
    const text = await respond(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), connection)
    const { result, error } = JSON.parse(text!) as { result?: T; error?: ErrorAnswer }
    if (error !== undefined) throw new AnswerError(error)
    return result as T
  }
}
