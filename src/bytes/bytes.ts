export function joined(pieces: readonly Uint8Array[]): Uint8Array {
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

/** Returns the number of 1 bits in a 32-bit integer. */
export function countBits(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  count = (count + (count >>> 4)) & 0x0f0f0f0f
  return Math.imul(count, 0x01010101) >>> 24
}

/** Returns `bytes` as a string with one character per byte, which takes little memory and can be a map key. */
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

/** Large enough for a hash, the longest frequent input. */
const SCRATCH = typeof Buffer === 'undefined' ? undefined : Buffer.alloc(32)

/** Returns the bytes of a string that `toBinary` made. */
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

/** Bytes that start at index `at` of a possibly shared array. */
export interface KeptBytes {
  readonly bytes: Uint8Array
  readonly at: number
}

/** The first piece's size in bytes. Each further piece is twice as large, up to the limit. */
const FIRST_PIECE = 4_096
const LARGEST_PIECE = 65_536
/** Byte strings of at least this length get separate memory, to waste less space at the end of pieces. */
const LONG = 4_096

/**
 * Memory for many short byte strings, each of which would take about 200 bytes more as a separate Uint8Array. A piece is
 * freed with its last string, so the strings should have one lifetime, such as the blocks of a chain.
 */
export class SharedMemory {
  #piece = new Uint8Array(0)
  #end = 0

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
