/** A WebSocket to a port of this machine, for tests that look at each message. */
import { type ClientOptions, WebSocket } from 'ws'

export interface Notification {
  readonly method: 'eth_subscription'
  readonly params: { readonly subscription: string; readonly result: unknown }
}

export class SocketClient {
  readonly #socket: WebSocket
  readonly #received: string[] = []
  readonly #wanting: { resolve: (text: string) => void; reject: (error: Error) => void }[] = []
  #lastId = 0
  /** How it ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => {
      const wanting = this.#wanting.shift()
      if (wanting === undefined) this.#received.push(String(data))
      else wanting.resolve(String(data))
    })
    this.closed = new Promise((resolve) =>
      socket.on('close', (code, reason) => {
        for (const { reject } of this.#wanting) reject(new Error(`closed with ${code}: ${reason}`))
        resolve({ code, reason: reason.toString() })
      }),
    )
    socket.on('error', () => {})
  }

  /** Rejects with the status where the server refuses. */
  static connect(url: string, options: ClientOptions = {}): Promise<SocketClient> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, options)
      // Made at once: a message may come in the same piece as the acceptance.
      const client = new SocketClient(socket)
      socket.on('open', () => resolve(client))
      socket.on('error', reject)
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(text: string | Buffer): void {
    this.#socket.send(text)
  }

  /** The next message, in the order of their arrival. */
  next(): Promise<string> {
    const received = this.#received.shift()
    if (received !== undefined) return Promise.resolve(received)
    return new Promise((resolve, reject) => this.#wanting.push({ resolve, reject }))
  }

  /** The next message, which must be a notification. */
  async notification(): Promise<Notification['params']> {
    const text = await this.next()
    const { method, params } = JSON.parse(text) as Notification
    if (method !== 'eth_subscription') throw new Error(`expected a notification, got ${text}`)
    return params
  }

  /** Asks one question. The next message must be its answer. */
  async ask(
    method: string,
    ...params: unknown[]
  ): Promise<{ result?: unknown; error?: { code: number; message: string } }> {
    const id = ++this.#lastId
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const text = await this.next()
    const answer = JSON.parse(text)
    if (answer.id !== id) throw new Error(`expected the answer ${id}, got ${text}`)
    return answer
  }

  /** Subscribes and gives the id. */
  async subscribe(...params: unknown[]): Promise<string> {
    const { result, error } = await this.ask('eth_subscribe', ...params)
    if (error !== undefined) throw new Error(error.message)
    return result as string
  }

  /** Stops reading, or goes on with it. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.close()
  }

  terminate(): void {
    this.#socket.terminate()
  }
}
