/** Byte strings: bytes held as a JavaScript string, one byte per character, so that they can be keys and weigh little. */

/** `bytes` as a byte string. */
export function toBinary(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return binary
}

/** The bytes of a byte string. */
export function fromBinary(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
