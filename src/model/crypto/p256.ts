/** ECDSA over the curve P-256, also called secp256r1 (FIPS 186-5). */
import { p256 } from '@noble/curves/nist.js'
import { toQuantity } from '../bytes/hex.ts'

/** A check of the 160 bytes of hash, r, s, and the public key's x and y, which are in their ranges. */
type Check = (input: Uint8Array) => boolean

const FIELD = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Returns whether r and s are below the curve's order and not zero, and x and y below the field's. */
function areInRange(input: Uint8Array): boolean {
  const [r, s, x, y] = [32, 64, 96, 128].map((at) => toQuantity(input.subarray(at, at + 32))) as Four
  return r > 0n && r < ORDER && s > 0n && s < ORDER && x < FIELD && y < FIELD
}

type Four = [bigint, bigint, bigint, bigint]

const javascript: Check = (input) => {
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

let implementation = javascript
let isLoaded = false
let loading: Promise<void> | undefined

/** Returns whether the signature in `input` (hash, r, s, x, y; 160 bytes) is right. A high `s` is allowed. */
export function verifyP256(input: Uint8Array): boolean {
  return areInRange(input) && implementation(input)
}

/**
 * Switches to WebAssembly if it is available. Returns `undefined` if that was done or tried before, else a promise that
 * never rejects.
 */
export function loadP256(): Promise<void> | undefined {
  if (isLoaded) return undefined
  loading ??= p256Implementation.useWasm().catch(() => p256Implementation.useJavaScript())
  return loading
}

/** The implementation in use, which tests and the benchmark can change. */
export const p256Implementation = {
  get name(): 'javascript' | 'wasm' {
    return implementation === javascript ? 'javascript' : 'wasm'
  },
  useJavaScript(): void {
    implementation = javascript
    isLoaded = true
  },
  async useWasm(): Promise<void> {
    implementation = await (await import('./curves/mclP256.ts')).createMclP256()
    isLoaded = true
  },
}
