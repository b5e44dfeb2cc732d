/**
 * The curves of the precompiles, in WebAssembly or in JavaScript. Each is loaded at the first call of a precompile that
 * needs it: loading takes some 100 milliseconds, and few chains need one.
 */
import { Loadable } from '../loadable.ts'
import type { PairingCurve } from './pairingCurve.ts'

/** The curve of EIP-196 and EIP-197, also called alt_bn128. */
export const bn254 = new Loadable<PairingCurve>(
  async () => (await import('./mclCurve.ts')).createMclBn254(),
  async () => (await import('./nobleCurve.ts')).createNobleBn254(),
)

/** The curve of EIP-2537 and of KZG commitments. */
export const bls12381 = new Loadable<PairingCurve>(
  async () => (await import('./mclCurve.ts')).createMclBls12381(),
  async () => (await import('./nobleCurve.ts')).createNobleBls12381(),
)

/**
 * The check of ECDSA signatures over P-256, also called secp256r1 (FIPS 186-5), of 160 bytes: hash, r, s, and the
 * public key's x and y. A high `s` is allowed.
 */
export const p256 = new Loadable<(input: Uint8Array) => boolean>(
  async () => (await import('./mclP256.ts')).createMclP256(),
  async () => (await import('./nobleCurve.ts')).verifyP256,
)
