/**
 * ECDSA over secp256k1: signs, recovers signers, and derives addresses from keys.
 *
 * Recovering the sender is the most expensive step of accepting a transaction: 1,350 microseconds with `@noble/curves`,
 * 86 with libsecp256k1 in WebAssembly (`npm run bench -- crypto`, Node 20). preseal compiles libsecp256k1 itself
 * (`scripts/compile-curve.ts`): published packages take two to three times as long.
 *
 * The module is compiled asynchronously: the functions throw unless `loadSecp256k1` was awaited, as `createDevnet` does.
 */
import { fromBase64 } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hex, toHex } from '../bytes/hex.ts'
import { Loadable } from './curves/curves.ts'
import { keccak256 } from './keccak.ts'

/** Half the order of the curve. Of the two equivalent values of `s`, EIP-2 allows only the lower one. */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** An ECDSA signature. `yParity`: parity of the y coordinate of the point whose x coordinate is `r`. */
export interface Signature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

interface Curve {
  readonly memory: WebAssembly.Memory
  begin(): number
  recover(parity: number): 0 | 1
  sign(): number
  publicKey(): 0 | 1
}

/** `start`: index in `memory` of a hash, or a key to derive from; 32 bytes later of a signature, or a key to sign with. */
interface CurveModule {
  readonly curve: Curve
  readonly memory: Uint8Array
  readonly start: number
}

const loadable = new Loadable<CurveModule>(async () => {
  const { CURVE } = await import('./curve.ts')
  const { instance } = await WebAssembly.instantiate(fromBase64(CURVE))
  const curve = instance.exports as unknown as Curve
  const start = curve.begin()
  // The module never grows its memory, so the buffer remains valid.
  return { curve, memory: new Uint8Array(curve.memory.buffer), start }
})

export async function loadSecp256k1(): Promise<void> {
  await loadable.load()
}

function resultOf({ memory, start }: CurveModule, length: number): Uint8Array {
  return memory.slice(start + 96, start + 96 + length)
}

/**
 * Returns the address whose key made `signature` over `hash`; `undefined` if no key fits, or if `r` or `s` is 0 or
 * not below the curve's order. Accepts a high `s`; callers check EIP-2.
 */
export function recoverAddress(hash: Uint8Array, signature: Signature): Address | undefined {
  const publicKey = recoverPublicKey(hash, signature.r, signature.s, signature.yParity)
  return publicKey && addressOfPublicKey(publicKey)
}

/** Returns the public key that made the signature as 65 bytes (0x04, x, y); `undefined` if no key fits. */
export function recoverPublicKey(
  hash: Uint8Array,
  r: bigint,
  s: bigint,
  yParity: number,
): Uint8Array | undefined {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER || (yParity !== 0 && yParity !== 1)) return undefined
  const module = loadable.current
  module.memory.set(hash, module.start)
  module.memory.set(compact(r, s), module.start + 32)
  // 0 if r is not the x of a point on the curve
  return module.curve.recover(yParity) === 0 ? undefined : resultOf(module, 65)
}

/** Signs a 32-byte hash deterministically (RFC 6979) with a low `s`. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Signature {
  const module = loadable.current
  module.memory.set(hash, module.start)
  module.memory.set(privateKey, module.start + 32)
  const yParity = module.curve.sign()
  if (yParity < 0) throw new RangeError('not a private key')
  const compact = resultOf(module, 64)
  return {
    r: BigInt(toHex(compact.subarray(0, 32))),
    s: BigInt(toHex(compact.subarray(32, 64))),
    yParity: yParity === 1 ? 1 : 0,
  }
}

export function addressOfKey(privateKey: Hex): Address {
  const module = loadable.current
  module.memory.set(fromHex(privateKey), module.start)
  if (module.curve.publicKey() === 0) throw new RangeError('not a private key')
  return addressOfPublicKey(resultOf(module, 65))
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return toHex(keccak256(publicKey.subarray(1)).subarray(12))
}

function compact(r: bigint, s: bigint): Uint8Array {
  return fromHex(`0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}`)
}
