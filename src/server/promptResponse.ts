/** Node's response, with fewer steps for a body that is there as a whole. */
import { ServerResponse } from 'node:http'

/** The length in bytes from which on Node would copy a text more often than bytes. */
const LONG = 16_384

/**
 * A response whose `end(text)` hands the socket head and body as one text. Node would add an empty one that tells the end, and write
 * both with `writev`, which takes a tenth of the time of a short answer.
 */
export class PromptResponse extends ServerResponse {
  override end(...given: unknown[]): this {
    const [body] = given
    const { socket } = this
    // A pipelined request has no socket until its predecessors are answered.
    if (
      given.length !== 1 ||
      typeof body !== 'string' ||
      body === '' ||
      socket === null ||
      this.headersSent
    ) {
      return super.end(...(given as []))
    }
    const length = Buffer.byteLength(body)
    // What is ASCII is the same in both encodings, and latin1 needs no conversion.
    const encoding = length === body.length ? 'latin1' : 'utf8'
    this.setHeader('content-length', length)
    // Without `cork` Node holds a first piece back, to join it with more that may come.
    socket.cork()
    if (length < LONG) this.write(body, encoding)
    else this.write(Buffer.from(body, encoding))
    socket.uncork()
    return super.end()
  }
}
