/** ECRECOVER (Yellow Paper, appendix E): the address that made a signature. */
import { EMPTY_BYTES, toQuantity } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { recoverPublicKey } from '../../crypto/secp256k1.ts'
import { type Computation, padded } from './precompile.ts'

/** The input is a hash, v (27 or 28), r and s. The output is empty if no address made the signature. */
export const ecrecover: Computation = {
  gas: () => 3_000n,
  run(input) {
    const [hash, v, r, s] = [0, 32, 64, 96].map((at) => padded(input, at, 32)) as Four
    const parity = toQuantity(v) - 27n
    if (parity !== 0n && parity !== 1n) return EMPTY_BYTES
    const publicKey = recoverPublicKey(hash, toQuantity(r), toQuantity(s), Number(parity))
    if (publicKey === undefined) return EMPTY_BYTES
    const word = new Uint8Array(32)
    word.set(keccak256(publicKey.subarray(1)).subarray(12), 12)
    return word
  },
}

type Four = [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
