/** A subclass of Node's `ServerResponse` that sends complete bodies faster. */
import { ServerResponse } from 'node:http'
import { readiness } from './readiness.ts'

/** Number of bytes from which a `Buffer` is faster than a string, because Node copies long strings repeatedly. */
const LONG = 16_384

export class PromptResponse extends ServerResponse {
  /** Writes head and body together. Node would call `writev`, which takes a tenth of the time of a short response. */
  override end(...given: unknown[]): this {
    const [body] = given
    if (given.length !== 1 || typeof body !== 'string' || body === '' || this.headersSent) {
      return super.end(...(given as []))
    }
    const length = Buffer.byteLength(body)
    // ASCII text has the same bytes in both encodings, and latin1 is encoded faster.
    const encoding = length === body.length ? 'latin1' : 'utf8'
    if (length < LONG) endAtOnce(this, length, body, encoding)
    else endAtOnce(this, length, Buffer.from(body, encoding))
    return this
  }

  /** Ends the response with a JSON text in parts. Every second part is hex, so it is known to be ASCII. */
  endWith(parts: readonly string[]): this {
    let length = 0
    for (let i = 0; i < parts.length; i++) {
      length += i % 2 === 1 ? parts[i]!.length : Buffer.byteLength(parts[i]!)
    }
    const bytes = Buffer.allocUnsafe(length)
    let at = 0
    for (let i = 0; i < parts.length; i++) at += bytes.write(parts[i]!, at, i % 2 === 1 ? 'latin1' : 'utf8')
    this.setHeader('content-type', 'application/json')
    endAtOnce(this, length, bytes)
    return this
  }
}

function endAtOnce(
  response: ServerResponse,
  length: number,
  body: string | Buffer,
  encoding: 'latin1' | 'utf8' = 'utf8',
): void {
  const { socket } = response
  response.setHeader('content-length', length)
  // `cork`, because Node otherwise delays the first piece. `?.`, because a pipelined response has no socket yet.
  socket?.cork()
  response.write(body, encoding)
  socket?.uncork()
  response.end()
  readiness?.responded()
}
