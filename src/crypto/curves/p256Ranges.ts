/** The ranges of the numbers of a signature over P-256 (EIP-7951). */
import { toQuantity } from '../../bytes/hex.ts'

const FIELD = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Returns whether r and s are below the curve's order and not zero, and x and y below the field's. */
export function areInRange(input: Uint8Array): boolean {
  const [r, s, x, y] = [32, 64, 96, 128].map((at) => toQuantity(input.subarray(at, at + 32))) as Four
  return r > 0n && r < ORDER && s > 0n && s < ORDER && x < FIELD && y < FIELD
}

type Four = [bigint, bigint, bigint, bigint]
