/**
 * Memory for many short byte strings, each of which would take about 200 bytes beside its content as a Uint8Array of its
 * own. Long ones have one.
 *
 * What is kept cannot be given back alone: a piece of memory is free when nothing in it is held any more. So what is kept
 * together should live equally long, as the blocks of one chain do.
 */

/** Where bytes are kept: in memory that may hold others too. */
export interface KeptBytes {
  readonly bytes: Uint8Array
  /** The index of the first byte. */
  readonly at: number
}

/** The sizes of the first piece and of the largest ones; each is twice as large as the one before. */
const FIRST_PIECE = 4_096
const LARGEST_PIECE = 65_536
/** From this length on, what is lost at the end of a piece would be more than what a Uint8Array takes. */
const LONG = 4_096

export class SharedMemory {
  #piece = new Uint8Array(0)
  #end = 0

  /** Copies `bytes`, and returns where the copy is. */
  keep(bytes: Uint8Array): KeptBytes {
    if (bytes.length >= LONG) return { bytes: bytes.slice(), at: 0 }
    if (this.#end + bytes.length > this.#piece.length) {
      const size = Math.max(FIRST_PIECE, Math.min(this.#piece.length * 2, LARGEST_PIECE))
      this.#piece = new Uint8Array(size)
      this.#end = 0
    }
    const at = this.#end
    this.#piece.set(bytes, at)
    this.#end += bytes.length
    return { bytes: this.#piece, at }
  }
}
