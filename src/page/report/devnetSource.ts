/** JSON-RPC with a devnet in the page: the messages of a WebSocket, without one. */
import type { Devnet } from '../../devnet.ts'
import { AnswerError, type ErrorAnswer, type Source, type SourceState } from '../source/source.ts'

type Connection = ReturnType<Devnet['answers']['connect']>
type Answers = Pick<Devnet['answers'], 'respond'>
type Tell = (result: never) => void

/** Asks a devnet that comes later, by `setDevnet`: until then requests wait. */
export class DevnetSource implements Source {
  readonly #answers: Promise<Answers>
  #settle: { resolve(answers: Answers): void; reject(error: Error): void } | undefined
  readonly #tellings = new Map<string, Tell>()
  readonly #listeners = new Set<(state: SourceState) => void>()
  #connection: Connection | undefined
  #state: SourceState = 'connecting'

  constructor() {
    this.#answers = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // Those who ask are told.
    this.#answers.catch(() => {})
  }

  setDevnet({ answers }: Pick<Devnet, 'answers'>): void {
    this.#connection = answers.connect((id, result) => this.#tellings.get(id)?.(JSON.parse(result) as never))
    this.#settle?.resolve(answers)
    this.#tell('open')
  }

  /** Says that there will be no devnet. Requests are refused. */
  giveUp(): void {
    this.#settle?.reject(new Error('the session could not be played'))
    this.#tell('lost')
  }

  async request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const { respond } = await this.#answers
    const text = await respond(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), this.#connection)
    this.#connection?.answered()?.()
    const { result, error } = JSON.parse(text!) as { result?: T; error?: ErrorAnswer }
    if (error !== undefined) throw new AnswerError(error)
    return result as T
  }

  subscribe(kind: string, params: readonly unknown[], tell: Tell): () => void {
    let id: string | undefined
    let isEnded = false
    const end = () => {
      isEnded = true
      if (id === undefined) return
      this.#tellings.delete(id)
      void this.request('eth_unsubscribe', [id])
    }
    this.request<string>('eth_subscribe', [kind, ...params]).then(
      (given) => {
        id = given
        if (isEnded) end()
        else this.#tellings.set(given, tell)
      },
      // The report says why there is no devnet.
      () => {},
    )
    return end
  }

  onState(tell: (state: SourceState) => void): () => void {
    this.#listeners.add(tell)
    tell(this.#state)
    return () => this.#listeners.delete(tell)
  }

  #tell(state: SourceState): void {
    this.#state = state
    for (const listener of this.#listeners) listener(state)
  }
}
