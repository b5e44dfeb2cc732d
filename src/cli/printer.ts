/** Prints lines on a stream: never waits for who reads it, and lives on when nobody does any more. */

/** Bytes that may wait for a reader. Behind them lines are left out: a console is no reason to run out of memory. */
const MOST_WAITING = 4 * 1024 * 1024

export class Printer {
  readonly #stream: NodeJS.WriteStream
  readonly #skippedLine: (count: number) => string
  #skipped = 0
  #isGone = false

  /** A printer on `stream`; `skippedLine` says how many lines were left out because nobody read. */
  constructor(stream: NodeJS.WriteStream, skippedLine: (count: number) => string) {
    this.#stream = stream
    this.#skippedLine = skippedLine
    // The reader has gone (EPIPE), or the terminal (EIO): the chain goes on without them.
    stream.on('error', () => {
      this.#isGone = true
    })
  }

  readonly print = (line: string): void => {
    if (this.#isGone) return
    if (this.#stream.writableLength > MOST_WAITING) {
      this.#skipped++
      return
    }
    const skipped = this.#skipped
    this.#skipped = 0
    this.#stream.write(skipped === 0 ? `${line}\n` : `${this.#skippedLine(skipped)}\n${line}\n`)
  }

  /** Resolves when all is read that was printed, at the latest after `ms` milliseconds. */
  async flush(ms: number): Promise<void> {
    if (this.#isGone || this.#stream.writableLength === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      const done = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#stream.once('error', done)
      this.#stream.write('', done)
    })
  }
}
