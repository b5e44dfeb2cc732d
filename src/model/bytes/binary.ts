/** Byte strings: bytes held as a JavaScript string, one byte per character, so that they can be keys and weigh little. */

/** `bytes` as a byte string. */
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

/** Hashes and what is shorter than they are. */
const MOST_OFTEN = 32
const SCRATCH = typeof Buffer === 'undefined' ? undefined : Buffer.alloc(MOST_OFTEN)

/** The bytes of a byte string. */
export function fromBinary(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}

/** The bytes that base64 stands for. */
export function fromBase64(text: string): Uint8Array {
  // Twelve times as fast as the other.
  if (typeof Buffer !== 'undefined') return Buffer.from(text, 'base64')
  return fromBinary(atob(text))
}
