/** SHA-256 over many pieces. Uses Node's implementation if there is one: it is ten times as fast as JavaScript. */
import { sha256 } from '@noble/hashes/sha2.js'
import { toDigits } from '../bytes/hex.ts'

/** A running SHA-256 digest. */
export interface Sha256 {
  update(bytes: Uint8Array): void
  /** Returns the digest as 64 hex digits, as `sha256sum` prints it. Nothing may be added afterwards. */
  end(): string
}

export function createSha256(): Sha256 {
  // Looked up at run time: browsers have no such module, and bundlers for them must not resolve it.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  const hash = crypto?.createHash('sha256') ?? sha256.create()
  return {
    update: (bytes) => void hash.update(bytes),
    end: () => toDigits(hash.digest()),
  }
}
