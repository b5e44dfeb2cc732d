/** Incremental SHA-256. Uses Node's implementation if available, which is ten times as fast as JavaScript. */
import { sha256 } from '@noble/hashes/sha2.js'
import { toDigits } from '../bytes/hex.ts'

export interface Sha256 {
  update(bytes: Uint8Array): void
  /** Returns the digest as 64 hex digits, as `sha256sum` prints it. `update` must not be called afterwards. */
  end(): string
}

export function createSha256(): Sha256 {
  // The module is looked up at run time, because browsers do not have it and bundlers must not resolve its name.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  const hash = crypto?.createHash('sha256') ?? sha256.create()
  return {
    update: (bytes) => void hash.update(bytes),
    end: () => toDigits(hash.digest()),
  }
}
