/**
 * The source maps of solc (docs.soliditylang.org, "Source Mappings"): for each instruction a range in a source file, and what
 * kind of jump it is.
 */

/** `into` and `out` of a function; `other`: within one, such as a loop, or no jump. */
export type JumpKind = 'into' | 'out' | 'other'

/** A decoded source map: the members of the entry `i` stand at `i` in each array. */
export interface SourceMap {
  /** The number of entries: instructions behind them are not mapped, such as those of data behind the code. */
  readonly length: number
  /** Byte offsets in the file. */
  readonly starts: Int32Array
  /** In bytes. */
  readonly lengths: Int32Array
  /** The ids of source files; -1: the instruction comes from no source. */
  readonly files: Int32Array
  /** Positions in `JUMP_KINDS`. */
  readonly jumps: Uint8Array
  /** How deep in modifiers the instruction is, since solc 0.6.0. */
  readonly modifierDepths: Int32Array
}

export const JUMP_KINDS: readonly JumpKind[] = ['other', 'into', 'out']

/** Returns the source map that `compressed` describes: fields that are left out are those of the entry before. */
export function decodeSourceMap(compressed: string): SourceMap {
  const entries = compressed === '' ? [] : compressed.split(';')
  const { length } = entries
  const map = {
    length,
    starts: new Int32Array(length),
    lengths: new Int32Array(length),
    files: new Int32Array(length),
    jumps: new Uint8Array(length),
    modifierDepths: new Int32Array(length),
  }
  let start = 0
  let size = 0
  // solc begins some maps with entries that say nothing: these instructions come from no source.
  let file = -1
  let jump = 0
  let depth = 0
  for (let i = 0; i < length; i++) {
    const entry = entries[i]!
    if (entry !== '') {
      const [a, b, c, d, e] = entry.split(':')
      if (a) start = Number(a)
      if (b) size = Number(b)
      if (c) file = Number(c)
      if (d) jump = d === 'i' ? 1 : d === 'o' ? 2 : 0
      if (e) depth = Number(e)
    }
    map.starts[i] = start
    map.lengths[i] = size
    map.files[i] = file
    map.jumps[i] = jump
    map.modifierDepths[i] = depth
  }
  return map
}

/** A place in a text, both numbers from 1. */
interface Place {
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
