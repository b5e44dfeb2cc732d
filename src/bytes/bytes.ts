export function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]))
}

export function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  count = (count + (count >>> 4)) & 0x0f0f0f0f
  return Math.imul(count, 0x01010101) >>> 24
}

/** Returns `bytes` as a string with one character per byte, for compact map keys. */
export function toBinary(bytes: Uint8Array): string {
  if (SCRATCH !== undefined && bytes.length <= SCRATCH.length) {
    for (let i = 0; i < bytes.length; i++) SCRATCH[i] = bytes[i]!
    return SCRATCH.toString('latin1', 0, bytes.length)
  }
  if (typeof Buffer !== 'undefined') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return binary
}

/** A reused buffer for up to 32 bytes. Most inputs are hashes, or shorter. */
const SCRATCH = typeof Buffer === 'undefined' ? undefined : Buffer.alloc(32)

export function fromBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // Buffer is twelve times as fast as `atob`.
  if (typeof Buffer !== 'undefined') return Buffer.from(text, 'base64')
  return fromBinary(atob(text))
}

/** A byte string that starts at index `at` of `bytes`. Other byte strings may share the array. */
export interface ArenaBytes {
  readonly bytes: Uint8Array
  readonly at: number
}

/** The size of the first piece of a `ByteArena`, in bytes. Each next piece is twice as large, up to `LARGEST_PIECE`. */
const FIRST_PIECE = 4_096
const LARGEST_PIECE = 65_536
/** Length in bytes from which a byte string gets its own array, so that no large gap remains at the end of a piece. */
const LONG = 4_096

/**
 * Stores many short byte strings in a few arrays, the pieces, to save about 200 bytes per string. A piece is freed only
 * when none of its strings is referenced, so the strings should have similar lifetimes, like the blocks of a chain.
 */
export class ByteArena {
  #piece = new Uint8Array(0)
  #end = 0

  keep(bytes: Uint8Array): ArenaBytes {
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
