/** HTTP as cheaply as a client can have it: prepared bytes, and little more than the end of a response looked for. */
import { connect, type Socket } from 'node:net'

/** The bytes of a request that posts `body`. */
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

/** A connection that is kept open, as the texts that come in. */
export function opened(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true })
    socket.setEncoding('latin1')
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })
}

/** A response as it comes in. It may be long, so no part of it is looked at twice. */
export class Response {
  /** Something that is no result was seen. */
  isBad = false
  #parts: string[] = []
  #head = ''
  #received = 0
  /** Bytes of head and body; `undefined` where they come in chunks, until the head is there. */
  #length: number | undefined

  add(text: string): void {
    this.#parts.push(text)
    this.#received += text.length
    if (text.includes('"error"')) this.isBad = true
    if (this.#length === undefined) this.#readHead(text)
  }

  /** Whether it has come to its end: by its length, or by the last of its chunks. */
  get isWhole(): boolean {
    if (this.#length !== undefined) return this.#received >= this.#length
    return this.#head !== '' && this.#parts.at(-1)!.endsWith('0\r\n\r\n')
  }

  /** The JSON of what was asked for. */
  get result(): string {
    const { result } = JSON.parse(this.#parts.join('').slice(this.#head.length)) as { result: unknown }
    return JSON.stringify(result)
  }

  #readHead(text: string): void {
    if (this.#head !== '') return
    const end = text.indexOf('\r\n\r\n')
    // It is always in one piece: a few hundred bytes that are written at once.
    if (end === -1 || !text.startsWith('HTTP/1.1 200')) {
      this.isBad = true
      return
    }
    this.#head = text.slice(0, end + 4)
    const length = /content-length: (\d+)/i.exec(this.#head)
    if (length !== null) this.#length = end + 4 + Number(length[1])
  }
}
