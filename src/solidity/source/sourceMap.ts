/** solc's source maps (docs.soliditylang.org, "Source Mappings"): a range and a jump kind per instruction. */

/** `into` a function, `out` of a function, or `other`: no jump, or a jump within a function. */
export type JumpKind = 'into' | 'out' | 'other'

/** A decoded source map. Entry `i` has the index `i` in each array. */
export interface SourceMap {
  /** Number of entries. Instructions beyond the last entry, such as data after the code, have no source. */
  readonly length: number
  /** Offset of the first source byte of each entry. */
  readonly starts: Int32Array
  /** Number of source bytes of each entry. */
  readonly lengths: Int32Array
  /** Source id of each entry; -1 for entries without a source. */
  readonly files: Int32Array
  /** The jump kind of each entry, as an index into `JUMP_KINDS`. */
  readonly jumps: Uint8Array
}

export const JUMP_KINDS: readonly JumpKind[] = ['other', 'into', 'out']

/** Decodes a source map: omitted fields repeat the previous entry. */
export function decodeSourceMap(compressed: string): SourceMap {
  const entries = compressed === '' ? [] : compressed.split(';')
  const { length } = entries
  const map = {
    length,
    starts: new Int32Array(length),
    lengths: new Int32Array(length),
    files: new Int32Array(length),
    jumps: new Uint8Array(length),
  }
  let start = 0
  let size = 0
  // Leading empty entries are instructions without a source.
  let file = -1
  let jump = 0
  for (let i = 0; i < length; i++) {
    const entry = entries[i]!
    if (entry !== '') {
      const [a, b, c, d] = entry.split(':')
      if (a) start = Number(a)
      if (b) size = Number(b)
      if (c) file = Number(c)
      if (d) jump = d === 'i' ? 1 : d === 'o' ? 2 : 0
    }
    map.starts[i] = start
    map.lengths[i] = size
    map.files[i] = file
    map.jumps[i] = jump
  }
  return map
}

/** A position in a text; both numbers count from 1. */
interface Place {
  readonly line: number
  /** The column in UTF-16 code units, as in editors. */
  readonly column: number
}

/** Converts offsets in UTF-8 bytes, as solc counts, to lines and columns. */
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

  /** Number of lines; an empty text has one line. */
  get lines(): number {
    return this.#starts.length
  }

  /** Returns the position of a byte; for an offset beyond the text, the position of the text's end. */
  at(offset: number): Place {
    const line = this.lineAt(offset)
    const start = this.#starts[line - 1]!
    const before = this.#bytes.subarray(start, Math.min(offset, this.#bytes.length))
    return { line, column: new TextDecoder('utf-8', { ignoreBOM: true }).decode(before).length + 1 }
  }

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

  /** Returns the offset of the byte in `line` that follows the text `before` at the beginning of the line. */
  offsetOf(line: number, before = ''): number {
    return this.#starts[line - 1]! + new TextEncoder().encode(before).length
  }

  text(offset: number, length: number): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(offset, offset + length))
  }
}

const NEWLINE = 0x0a
