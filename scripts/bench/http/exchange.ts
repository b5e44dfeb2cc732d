/** The cheapest HTTP client: it writes prepared bytes and looks for little more than the end of a response. */
import { connect, type Socket } from 'node:net'

export function posting(host: string, body: string): string {
  return [
    'POST / HTTP/1.1',
    `host: ${host}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** Opens a connection, whose data are texts. */
export function opened(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true })
    socket.setEncoding('latin1')
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/** A response as it arrives. It may be long, so no part of it is read twice. */
export class Response {
  /** The response is an error, of HTTP or of JSON-RPC. */
  isBad = false
  #parts: string[] = []
  #head = ''
  #received = 0
  /** Bytes of head and body; `undefined` before the head is there, and where the body comes in chunks. */
  #length: number | undefined

  add(text: string): void {
    this.#parts.push(text)
    this.#received += text.length
    if (text.includes('"error"')) this.isBad = true
    if (this.#length === undefined) this.#readHead(text)
  }

  /** Whether it is complete: by its length, or by its last chunk. */
  get isWhole(): boolean {
    if (this.#length !== undefined) return this.#received >= this.#length
    return this.#head !== '' && this.#parts.at(-1)!.endsWith('0\r\n\r\n')
  }

  get result(): string {
    const { result } = JSON.parse(this.#parts.join('').slice(this.#head.length)) as { result: unknown }
    return JSON.stringify(result)
  }

  #readHead(text: string): void {
    if (this.#head !== '') return
    const end = text.indexOf('\r\n\r\n')
    // The head is always in one piece: a few hundred bytes, written at once.
    if (end === -1 || !text.startsWith('HTTP/1.1 200')) {
      this.isBad = true
      return
    }
    this.#head = text.slice(0, end + 4)
    const length = /content-length: (\d+)/i.exec(this.#head)
    if (length !== null) this.#length = end + 4 + Number(length[1])
  }
}

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

  /** Sends a request after all earlier ones. Resolves with the microseconds from this call to the answer. */
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
