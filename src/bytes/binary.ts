/**
 * Byte strings: bytes as a JavaScript string with one byte per character, which can be a key and takes little memory.
 */

/** Returns `bytes` as a byte string. */
export function toBinary(bytes: Uint8Array): string {
  if (SCRATCH !== undefined && bytes.length <= MOST_OFTEN) {
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

/** The length of hashes, the longest of the frequent byte strings. */
const MOST_OFTEN = 32
const SCRATCH = typeof Buffer === 'undefined' ? undefined : Buffer.alloc(MOST_OFTEN)

/** Returns the bytes of a byte string. */
export function fromBinary(binary: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

/** Returns the bytes that base64 text encodes. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  // Twelve times as fast as the code below.
  if (typeof Buffer !== 'undefined') return Buffer.from(text, 'base64')
  return fromBinary(atob(text))
}
