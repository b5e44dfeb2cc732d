/** Lines and columns of a source text, from the byte offsets that solc writes. */

/** A place in a text, both numbers from 1. */
export interface Place {
  readonly line: number
  /** In UTF-16 units, as editors count. */
  readonly column: number
}

/** Finds lines and columns in one text. solc counts offsets in bytes of UTF-8. */
export class LineIndex {
  readonly #bytes: Uint8Array
  /** The offset of each line's first byte. */
  readonly #starts: readonly number[]

  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text)
    const starts = [0]
    for (let at = this.#bytes.indexOf(NEWLINE); at >= 0; at = this.#bytes.indexOf(NEWLINE, at + 1)) {
      starts.push(at + 1)
    }
    this.#starts = starts
  }

  /** The number of lines; an empty text has one. */
  get lines(): number {
    return this.#starts.length
  }

  /** Returns the place of a byte; of offsets beyond the end that of the end. */
  at(offset: number): Place {
    const line = this.lineAt(offset)
    const start = this.#starts[line - 1]!
    const before = this.#bytes.subarray(start, Math.min(offset, this.#bytes.length))
    return { line, column: new TextDecoder('utf-8', { ignoreBOM: true }).decode(before).length + 1 }
  }

  /** Returns the number of the line, from 1, in which a byte is. */
  lineAt(offset: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  /** Returns the offset behind `before`, the beginning of a line that has a number from 1. */
  offsetOf(line: number, before = ''): number {
    return this.#starts[line - 1]! + new TextEncoder().encode(before).length
  }

  /** Returns the text of `length` bytes from `offset` on. */
  text(offset: number, length: number): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(offset, offset + length))
  }
}

const NEWLINE = 0x0a
