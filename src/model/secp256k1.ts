/**
 * ECDSA over secp256k1: signing, recovering signers, making addresses from keys.
 *
 * Recovering a sender is the dearest step of accepting a transaction. Measured on linux-x64 (Node 20,
 * `npm run bench -- crypto`): `@noble/curves` 1,270 microseconds, libsecp256k1 as WebAssembly (`@bitauth/libauth`) 164,
 * as WebAssembly from Rust (`tiny-secp256k1`) 250, native (`secp256k1`) 57. The native package comes with prebuilt
 * binaries for linux-x64, darwin-arm64 and win32-x64 and is an optional dependency; where it is missing, noble
 * answers the same, slower. Its bindings are loaded directly, so that its own JavaScript fallback never is, and not before
 * the first signature: that takes 12 milliseconds, a tenth of what a process needs to its first answer.
 */
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import type bindings from 'secp256k1/bindings.js'
import { type Address, fromHex, type Hex, toHex } from './hex.ts'
import { keccak256 } from './keccak.ts'

/** Half the order of the curve: EIP-2 allows only the lower of the two equivalent `s`. */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export interface Signature {
  readonly r: bigint
  readonly s: bigint
  readonly yParity: 0 | 1
}

interface Implementation {
  readonly name: 'javascript' | 'native'
  /** 65 bytes (0x04, x, y), or a throw when no point fits the signature. */
  recover(hash: Uint8Array, compact: Uint8Array, yParity: number): Uint8Array
  sign(hash: Uint8Array, privateKey: Uint8Array): { compact: Uint8Array; yParity: number }
  publicKey(privateKey: Uint8Array): Uint8Array
}

const javascript: Implementation = {
  name: 'javascript',
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

let chosen: Implementation | undefined

/** The native library if it is installed; found out at the first use. */
function implementation(): Implementation {
  chosen ??= choose()
  return chosen
}

function choose(): Implementation {
  try {
    return loadNative()
  } catch {
    return javascript // Not installed, no binary for this platform, or no place for one: a browser.
  }
}

function loadNative(): Implementation {
  // Not `import`: that would be a promise, and a bundler would look for a package that need not be there.
  const { createRequire } = process.getBuiltinModule('node:module')
  const library = createRequire(import.meta.url)('secp256k1/bindings.js') as typeof bindings
  return {
    name: 'native',
    recover: (hash, compact, yParity) => library.ecdsaRecover(compact, yParity, hash, false),
    sign(hash, privateKey) {
      const { signature, recid } = library.ecdsaSign(hash, privateKey)
      return { compact: signature, yParity: recid }
    },
    publicKey: (privateKey) => library.publicKeyCreate(privateKey, false),
  }
}

/**
 * The address whose key made `signature` over `hash`, or `undefined` when the numbers are outside the curve's order or
 * no such key exists. High `s` is recovered too: whether it is allowed (EIP-2) is the caller's rule.
 */
export function recoverAddress(hash: Uint8Array, signature: Signature): Address | undefined {
  const publicKey = recoverPublicKey(hash, signature.r, signature.s, signature.yParity)
  return publicKey && addressOfPublicKey(publicKey)
}

/** 65 bytes (0x04, x, y), or `undefined` when no key fits. */
export function recoverPublicKey(
  hash: Uint8Array,
  r: bigint,
  s: bigint,
  yParity: number,
): Uint8Array | undefined {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER || (yParity !== 0 && yParity !== 1)) return undefined
  try {
    return implementation().recover(hash, compact(r, s), yParity)
  } catch {
    return undefined // r is not the x of a point on the curve
  }
}

/** Signs a 32-byte hash deterministically (RFC 6979) with low `s`. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Signature {
  const { compact, yParity } = implementation().sign(hash, privateKey)
  return {
    r: BigInt(toHex(compact.subarray(0, 32))),
    s: BigInt(toHex(compact.subarray(32, 64))),
    yParity: yParity === 1 ? 1 : 0,
  }
}

/** Whether a number is a private key of anybody. */
export function isPrivateKey(key: bigint): boolean {
  return key > 0n && key < ORDER
}

/** The address that belongs to a 32-byte private key. */
export function addressOfKey(privateKey: Hex): Address {
  return addressOfPublicKey(implementation().publicKey(fromHex(privateKey)))
}

/** The address of an uncompressed public key: the last 20 bytes of the hash of its coordinates. */
export function addressOfPublicKey(publicKey: Uint8Array): Address {
  return toHex(keccak256(publicKey.subarray(1)).subarray(12))
}

function compact(r: bigint, s: bigint): Uint8Array {
  return fromHex(`0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}`)
}

/** The implementation in use, and a way to choose one: for tests and the benchmark. */
export const secp256k1Implementation = {
  get name(): 'javascript' | 'native' {
    return implementation().name
  },
  useJavaScript(): void {
    chosen = javascript
  },
  async useNative(): Promise<void> {
    chosen = loadNative()
  },
}
