/**
 * keccak-256. WebAssembly (hash-wasm) hashes 32 to 200 bytes about seven times as fast as JavaScript. Until
 * `loadKeccak` has compiled the module, and where WebAssembly is not allowed, `@noble/hashes` computes the same hashes.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
// This file of `hash-wasm` has 11 kB. The index of the package has 216 kB and takes twice as long to load.
import hashWasm from 'hash-wasm/dist/keccak.umd.min.js'
import { fromHex, type Hash, type Hex, toHex } from '../bytes/hex.ts'
import { Loadable } from './loadable.ts'

type Keccak = (message: Uint8Array) => Uint8Array

// Refers to `keccak_256` only when called, because the bundle evaluates the library at the first use of that name.
const javascript: Keccak = (message) => keccak_256(message)

async function createWasm(): Promise<Keccak> {
  const hasher = await hashWasm.createKeccak(256)
  return (message) => hasher.init().update(message).digest('binary')
}

export const keccakImplementation = new Loadable(createWasm, () => javascript, javascript)

export function keccak256(message: Uint8Array): Uint8Array {
  return keccakImplementation.current(message)
}

export function keccakHash(message: Uint8Array): Hash {
  return toHex(keccakImplementation.current(message))
}

export function keccakOfHex(hex: Hex): Uint8Array {
  return keccakImplementation.current(fromHex(hex))
}

/** Switches to WebAssembly if available. May be called repeatedly; never rejects. */
export async function loadKeccak(): Promise<void> {
  await keccakImplementation.load()
}
