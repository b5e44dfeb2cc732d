/** JSON-RPC with a devnet inside the page. */
import { signal } from '@preact/signals'
import type { Devnet } from '../../devnet/devnet.ts'
import { AnswerError, type ErrorAnswer, type Source, type SourceState } from '../source/source.ts'

type Answers = Devnet['answers']
type Connection = ReturnType<Answers['connect']>
type Tell = (result: never) => void

/**
 * Connects to a devnet that is created later. Subscriptions start with `watch`, while the session is replayed; requests wait until `open`,
 * so that they do not mix with those of the session.
 */
export class DevnetSource implements Source {
  readonly #tellings = new Map<string, Tell>()
  readonly #opened: Promise<void>
  #settle!: { resolve(): void; reject(error: Error): void }
  #connected: { readonly respond: Answers['respond']; readonly connection: Connection } | undefined
  /** Subscriptions that start with `watch`. */
  readonly #early: (() => Promise<void>)[] = []
  readonly #state = signal<SourceState>('connecting')

  constructor() {
    this.#opened = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // Rejections reach the requests that wait.
    this.#opened.catch(() => {})
  }

  /** Starts the subscriptions: events after the promise resolves are reported. */
  async watch({ answers: { respond, connect } }: Pick<Devnet, 'answers'>): Promise<void> {
    const connection = connect((id, result) => this.#tellings.get(id)?.(JSON.parse(result) as never))
    this.#connected = { respond, connection }
    await Promise.all(this.#early.splice(0).map((begin) => begin()))
  }

  /** Sends the waiting requests to the devnet. */
  open(): void {
    this.#settle.resolve()
    this.#state.value = 'open'
  }

  /** Rejects all requests: the session could not be replayed. */
  giveUp(): void {
    this.#settle.reject(new Error('the session could not be replayed'))
    this.#state.value = 'lost'
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

  /** No connection: nothing to watch. */
  onMessage(): void {}

  onState(tell: (state: SourceState) => void): () => void {
    return this.#state.subscribe(tell)
  }

  async #ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    const { respond, connection } = this.#connected!
    const text = await respond(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), connection)
    const { result, error } = JSON.parse(text!) as { result?: T; error?: ErrorAnswer }
    if (error !== undefined) throw new AnswerError(error)
    return result as T
  }
}
