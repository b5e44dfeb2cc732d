/** IDENTITY, SHA-256 and RIPEMD-160 (Yellow Paper, appendix E). */
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Computation, wordsOf } from './precompile.ts'

export const identity: Computation = {
  gas: (_, input) => 15n + 3n * wordsOf(input),
  run: (input) => input.slice(),
}

export const sha256Hash: Computation = {
  gas: (_, input) => 60n + 12n * wordsOf(input),
  run: (input) => sha256(input),
}

export const ripemd160Hash: Computation = {
  gas: (_, input) => 600n + 120n * wordsOf(input),
  run(input) {
    const word = new Uint8Array(32)
    word.set(ripemd160(input), 12)
    return word
  },
}
