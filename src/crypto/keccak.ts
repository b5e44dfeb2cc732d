/**
 * keccak-256 in WebAssembly: the code that runs KECCAK256 in `engine/wasm/`, compiled as a module of 3 kB. It takes a
 * fifteenth of the time of `@noble/hashes` (`npm run bench -- crypto`).
 */
import { fromBase64 } from '../bytes/bytes.ts'
import { fromHex, type Hash, type Hex, toHex } from '../bytes/hex.ts'
import { KECCAK } from './compiledKeccak.ts'

/** The exports of `engine/wasm/assembly/keccakModule.ts`. */
interface KeccakModule {
  readonly memory: WebAssembly.Memory
  readonly BUFFER: { readonly value: number }
  hash(length: number): void
  begin(): void
  absorb(): void
  end(length: number): void
}

/** Length of the module's buffer in bytes. */
const ROOM = 16_320

let module: KeccakModule
let buffer: Uint8Array | undefined

/** Compiled on first use, which takes less than a millisecond. The module never grows its memory. */
function load(): Uint8Array {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fromBase64(KECCAK)))
  module = exports as unknown as KeccakModule
  buffer = new Uint8Array(module.memory.buffer, module.BUFFER.value, ROOM)
  return buffer
}

export function keccak256(message: Uint8Array): Uint8Array {
  const place = buffer ?? load()
  if (message.length <= ROOM) {
    place.set(message)
    module.hash(message.length)
  } else {
    module.begin()
    let at = 0
    for (; at + ROOM <= message.length; at += ROOM) {
      place.set(message.subarray(at, at + ROOM))
      module.absorb()
    }
    place.set(message.subarray(at))
    module.end(message.length - at)
  }
  return place.slice(0, 32)
}

export function keccakHash(message: Uint8Array): Hash {
  return toHex(keccak256(message))
}

export function keccakOfHex(hex: Hex): Uint8Array {
  return keccak256(fromHex(hex))
}
