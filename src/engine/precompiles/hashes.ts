/** IDENTITY, SHA-256 and RIPEMD-160 (Yellow Paper, appendix E). */
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Parts } from '../../crypto/curves/pairingCurve.ts'
import { type Computation, inParts, wordsOf } from './precompile.ts'

/** The bytes that are hashed between two pauses: some milliseconds. */
const BYTES_OF_A_PART = 512 * 1024

export const identity: Computation = {
  gas: (_, input) => 15n + 3n * wordsOf(input),
  run: (input) => input.slice(),
}

export const sha256Hash: Computation = inParts(
  (_, input) => 60n + 12n * wordsOf(input),
  (input) => hashed(sha256, input),
)

export const ripemd160Hash: Computation = inParts(
  (_, input) => 600n + 120n * wordsOf(input),
  function* (input): Parts<Uint8Array> {
    const hash = yield* hashed(ripemd160, input)
    const word = new Uint8Array(32)
    word.set(hash!, 12)
    return word
  },
)

function* hashed(hash: typeof sha256 | typeof ripemd160, input: Uint8Array): Parts<Uint8Array> {
  if (input.length <= BYTES_OF_A_PART) return hash(input)
  const hashing = hash.create()
  for (let from = 0; from < input.length; from += BYTES_OF_A_PART) {
    if (from > 0) yield
    hashing.update(input.subarray(from, from + BYTES_OF_A_PART))
  }
  return hashing.digest()
}
