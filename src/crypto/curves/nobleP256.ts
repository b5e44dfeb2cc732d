/** The check of ECDSA signatures over P-256 in JavaScript (`@noble/curves`): where WebAssembly is not allowed. */
import { p256 } from '@noble/curves/nist.js'
import { areInRange } from './p256Ranges.ts'

/** Returns whether the signature in `input` (hash, r, s, x, y; 160 bytes) is right. */
export function verifyP256(input: Uint8Array): boolean {
  if (!areInRange(input)) return false
  const publicKey = new Uint8Array(65)
  publicKey[0] = 4
  publicKey.set(input.subarray(96), 1)
  try {
    // A key that is not on the curve is an exception, a signature that is not right is not.
    const options = { prehash: false, lowS: false }
    return p256.verify(input.subarray(32, 96), input.subarray(0, 32), publicKey, options)
  } catch {
    return false
  }
}
