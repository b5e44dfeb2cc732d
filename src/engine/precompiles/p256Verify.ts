/** P256VERIFY (EIP-7951; on L2s before that RIP-7212): checks a signature over the curve P-256, which passkeys and secure hardware make. */
import { EMPTY_BYTES } from '../../bytes/hex.ts'
import { p256 } from '../../crypto/curves/curves.ts'
import { type Computation, truth } from './precompile.ts'

const INPUT_BYTES = 160

/** Takes a hash, r, s, and the public key's x and y. The output is empty if the signature is not right. */
export const p256Verify: Computation = {
  gas: (rules) => (rules.since('osaka') ? 6_900n : 3_450n),
  run: (input) => (input.length === INPUT_BYTES && p256.current(input) ? truth(true) : EMPTY_BYTES),
  load: () => p256.load(),
}
