/** Writes lines to a stream without waiting for its reader. If the reader is gone, lines are discarded. */

/** Maximum number of bytes that wait for a slow reader. Further lines are discarded, to limit memory. */
const MOST_WAITING = 4 * 1024 * 1024

export function skippedAsText(lines: number): string {
  return `… ${lines} lines left out: nobody read them in time`
}

export function skippedAsJson(lines: number): string {
  return JSON.stringify({ event: 'skipped', lines })
}

export class Printer {
  readonly #stream: NodeJS.WriteStream
  readonly #skippedLine: (count: number) => string
  #skipped = 0
  #isGone = false

  /** `skippedLine` returns the line that reports how many lines were discarded. */
  constructor(stream: NodeJS.WriteStream, skippedLine: (count: number) => string) {
    this.#stream = stream
    this.#skippedLine = skippedLine
    // The reader (EPIPE) or the terminal (EIO) is gone. The devnet continues.
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

  /** Resolves when all printed lines have been written, or after `ms` milliseconds. */
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
