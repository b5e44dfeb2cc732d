/**
 * keccak-256. WebAssembly (hash-wasm) hashes 32 to 200 bytes about seven times as fast as JavaScript. Until
 * `loadKeccak` has compiled the module, `@noble/hashes` computes the same hashes.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
// This file of `hash-wasm` has 11 kB. The index of the package has 216 kB and takes twice as long to load.
import hashWasm from 'hash-wasm/dist/keccak.umd.min.js'
import { fromHex, type Hash, type Hex, toHex } from '../bytes/hex.ts'

// Refers to `keccak_256` only when called, because the bundle evaluates the library at the first use of that name.
let hash = (message: Uint8Array): Uint8Array => keccak_256(message)
let loading: Promise<void> | undefined

export function keccak256(message: Uint8Array): Uint8Array {
  return hash(message)
}

export function keccakHash(message: Uint8Array): Hash {
  return toHex(hash(message))
}

export function keccakOfHex(hex: Hex): Uint8Array {
  return hash(fromHex(hex))
}

export function loadKeccak(): Promise<void> {
  loading ??= hashWasm.createKeccak(256).then((hasher) => {
    hash = (message) => hasher.init().update(message).digest('binary')
  })
  return loading
}
