/** A client's connection that asks one thing after the other. */
import type { Socket } from 'node:net'
import { opened, posting, Response } from '../http/exchange.ts'

export class Connection {
  readonly #socket: Socket
  readonly #host: string
  #last: Promise<unknown> = Promise.resolve()

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
  }

  static async to(url: string): Promise<Connection> {
    const { hostname, port, host } = new URL(url)
    return new Connection(await opened(Number(port), hostname), host)
  }

  /** Asks after all that was asked before. Answers how many microseconds it took from now on, to wait included. */
  ask(body: string): Promise<number> {
    const started = performance.now()
    const asked = this.#last.then(async () => {
      await this.#exchange(posting(this.#host, body))
      return (performance.now() - started) * 1000
    })
    this.#last = asked
    return asked
  }

  close(): void {
    this.#socket.destroy()
  }

  #exchange(request: string): Promise<void> {
    const response = new Response()
    return new Promise((resolve, reject) => {
      const hear = (text: string) => {
        response.add(text)
        if (response.isBad) reject(new Error(`unexpected response: ${text.slice(0, 2_000)}`))
        if (!response.isWhole) return
        this.#socket.off('data', hear)
        resolve()
      }
      this.#socket.on('data', hear)
      this.#socket.write(request)
    })
  }
}
