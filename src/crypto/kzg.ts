/** The check of KZG proofs in JavaScript, which starts at once, as EthereumJS's precompile calls it. */
import { fromHex, type Hex } from '../bytes/hex.ts'
import { createNobleBls12381 } from './curves/nobleCurve.ts'
import type { PairingCurve } from './curves/pairingCurve.ts'
import { isKzgProof } from './kzgProof.ts'

let curve: PairingCurve | undefined

/** Returns the same as `isKzgProof`, of hex. */
export function verifyKzgProof(commitment: Hex, z: Hex, y: Hex, proof: Hex): boolean {
  curve ??= createNobleBls12381()
  return isKzgProof(curve, fromHex(commitment), fromHex(z), fromHex(y), fromHex(proof))
}
