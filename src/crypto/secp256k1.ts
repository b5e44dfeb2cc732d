/**
 * ECDSA over secp256k1: signs, recovers signers, and derives addresses from keys.
 *
 * Recovering the sender is the most expensive step of accepting a transaction: 1,350 microseconds with `@noble/curves`,
 * 86 with libsecp256k1 in WebAssembly (`npm run bench -- crypto`, Node 20). preseal compiles libsecp256k1 itself
 * (`scripts/compile-curve.ts`): published packages take two to three times as long.
 *
 * The module is compiled asynchronously, so creating a devnet awaits `loadSecp256k1`. Until it is compiled, and where
 * WebAssembly is not allowed, `@noble/curves` computes the same results.
 */
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { fromBase64 } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hex, toHex } from '../bytes/hex.ts'
import { keccak256 } from './keccak.ts'
import { Loadable } from './loadable.ts'

/** Half the order of the curve. Of the two equivalent values of `s`, EIP-2 allows only the lower one. */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
export const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** An ECDSA signature. `yParity`: parity of the y coordinate of the point whose x coordinate is `r`. */
export interface Signature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

interface Implementation {
  /** Returns 65 bytes (0x04, x, y). Throws if no public key fits the signature. */
  recover(hash: Uint8Array, compact: Uint8Array, yParity: number): Uint8Array
  sign(hash: Uint8Array, privateKey: Uint8Array): { compact: Uint8Array; yParity: number }
  publicKey(privateKey: Uint8Array): Uint8Array
}

const javascript: Implementation = {
  recover(hash, compact, yParity) {
    const recovered = new Uint8Array(65)
    recovered[0] = yParity
    recovered.set(compact, 1)
    return noble.Signature.fromBytes(recovered, 'recovered').recoverPublicKey(hash).toBytes(false)
  },
  sign(hash, privateKey) {
    const signature = noble.sign(hash, privateKey, { prehash: false, format: 'recovered' })
    return { compact: signature.subarray(1), yParity: signature[0]! }
  },
  publicKey: (privateKey) => noble.getPublicKey(privateKey, false),
}

interface Curve {
  readonly memory: WebAssembly.Memory
  begin(): number
  recover(parity: number): 0 | 1
  sign(): number
  publicKey(): 0 | 1
}

async function createWasm(): Promise<Implementation> {
  const { CURVE } = await import('./curve.ts')
  const { instance } = await WebAssembly.instantiate(fromBase64(CURVE))
  const curve = instance.exports as unknown as Curve
  const start = curve.begin()
  // The module never grows its memory, so the buffer remains valid.
  const memory = new Uint8Array(curve.memory.buffer)
  const result = start + 96
  return {
    recover(hash, compact, yParity) {
      memory.set(hash, start)
      memory.set(compact, start + 32)
      if (curve.recover(yParity) === 0) throw new RangeError('no key made this signature')
      return memory.slice(result, result + 65)
    },
    sign(hash, privateKey) {
      memory.set(hash, start)
      memory.set(privateKey, start + 32)
      const yParity = curve.sign()
      if (yParity < 0) throw new RangeError('not a private key')
      return { compact: memory.slice(result, result + 64), yParity }
    },
    publicKey(privateKey) {
      memory.set(privateKey, start)
      if (curve.publicKey() === 0) throw new RangeError('not a private key')
      return memory.slice(result, result + 65)
    },
  }
}

export const secp256k1Implementation = new Loadable(createWasm, () => javascript, javascript)

/** Switches to WebAssembly if available. May be called repeatedly; never rejects. */
export async function loadSecp256k1(): Promise<void> {
  await secp256k1Implementation.load()
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
  try {
    return secp256k1Implementation.current.recover(hash, compact(r, s), yParity)
  } catch {
    return undefined // r is not the x of a point on the curve
  }
}

/** Signs a 32-byte hash deterministically (RFC 6979) with a low `s`. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Signature {
  const { compact, yParity } = secp256k1Implementation.current.sign(hash, privateKey)
  return {
    r: BigInt(toHex(compact.subarray(0, 32))),
    s: BigInt(toHex(compact.subarray(32, 64))),
    yParity: yParity === 1 ? 1 : 0,
  }
}

export function addressOfKey(privateKey: Hex): Address {
  return addressOfPublicKey(secp256k1Implementation.current.publicKey(fromHex(privateKey)))
}

export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return toHex(keccak256(publicKey.subarray(1)).subarray(12))
}

function compact(r: bigint, s: bigint): Uint8Array {
  return fromHex(`0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}`)
}
