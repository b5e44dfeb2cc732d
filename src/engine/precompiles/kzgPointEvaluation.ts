/** POINT_EVALUATION (EIP-4844): checks what the polynomial behind a blob's versioned hash is at one point. */
import { sha256 } from '@noble/hashes/sha2.js'
import { areEqual } from '../../bytes/bytes.ts'
import { fromHex } from '../../bytes/hex.ts'
import { bls12381 } from '../../crypto/curves/curves.ts'
import { isKzgProof } from '../../crypto/kzgProof.ts'
import type { Computation } from './precompile.ts'

const INPUT_BYTES = 192
/** The version byte of a versioned hash: of a KZG commitment. */
const KZG_VERSION = 1
/** The number of elements of a blob, 4,096, and the order of their field. */
const OUTPUT = fromHex(
  `0x${'1000'.padStart(64, '0')}73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001`,
)

/** Takes a versioned hash, z and y (32 bytes each), a commitment and a proof (48 each). */
export const kzgPointEvaluation: Computation = {
  gas: () => 50_000n,
  run(input) {
    if (input.length !== INPUT_BYTES) return undefined
    const commitment = input.subarray(96, 144)
    const versionedHash = sha256(commitment)
    versionedHash[0] = KZG_VERSION
    if (!areEqual(input.subarray(0, 32), versionedHash)) return undefined
    const [z, y, proof] = [input.subarray(32, 64), input.subarray(64, 96), input.subarray(144)]
    const isRight = isKzgProof(bls12381.current, commitment, z, y, proof)
    return isRight ? OUTPUT.slice() : undefined
  },
  load: () => bls12381.load(),
}
