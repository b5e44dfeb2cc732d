/** solc's source maps (docs.soliditylang.org, "Source Mappings"): a range and a jump kind per instruction. */

/** `into` and `out` of a function; `other`: no jump, or one within a function, such as a loop. */
export type JumpKind = 'into' | 'out' | 'other'

/** A decoded source map: entry `i` is at `i` in each array. */
export interface SourceMap {
  /** Instructions beyond it, such as data behind the code, have no source. */
  readonly length: number
  /** In bytes. */
  readonly starts: Int32Array
  /** In bytes. */
  readonly lengths: Int32Array
  /** Source ids; -1: no source. */
  readonly files: Int32Array
  /** Indexes of `JUMP_KINDS`. */
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
  // Empty entries at the beginning mean instructions without a source.
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
  /** In UTF-16 units, as editors count. */
  readonly column: number
}

/** Converts offsets, which solc counts in UTF-8 bytes, to lines and columns. */
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

  /** An empty text has one line. */
  get lines(): number {
    return this.#starts.length
  }

  /** Returns a byte's position; beyond the end, the end's. */
  at(offset: number): Place {
    const line = this.lineAt(offset)
    const start = this.#starts[line - 1]!
    const before = this.#bytes.subarray(start, Math.min(offset, this.#bytes.length))
    return { line, column: new TextDecoder('utf-8', { ignoreBOM: true }).decode(before).length + 1 }
  }

  /** Returns a byte's line, from 1. */
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

  /** Returns the offset behind `before`, the beginning of `line`. */
  offsetOf(line: number, before = ''): number {
    return this.#starts[line - 1]! + new TextEncoder().encode(before).length
  }

  /** Returns `length` bytes from `offset` as text. */
  text(offset: number, length: number): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(offset, offset + length))
  }
}

const NEWLINE = 0x0a
