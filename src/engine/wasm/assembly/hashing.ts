// EXP and KECCAK256. Hashes of 64 bytes are cached; long inputs are hashed in parts.
import { EXP_BYTE_GAS, FRAME_MEMORY } from '../layout'
import { allocate } from './heap'
import { keccak256Word, keccakBlocks, keccakOfPair, keccakStart, keccakWordEnd } from './keccak256'
import { endOf, extend, memoryGas } from './memory'
import { exp } from './uint256'
import { copy, isEqual } from './words'

export function keccakGas(frame: usize, sp: usize): i64 {
  const gas = memoryGas(frame, endOf(sp, sp - 32))
  return gas < 0 ? gas : gas + ((load<i64>(sp - 32) + 31) >> 5) * 6
}

export function keccak(frame: usize, sp: usize): void {
  extend(frame, endOf(sp, sp - 32))
  const length = <u32>load<u64>(sp - 32)
  const data: usize = length == 0 ? 0 : load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(sp)
  if (length == 64) hashOfPair(data, sp - 32)
  else keccak256Word(data, length, sp - 32)
}

/** Bytes hashed between two pauses: whole blocks of keccak256, in about a millisecond. */
const HASHED_AT_ONCE: u32 = 136 * 4096
let hashed: u32 = 0

/** Returns whether an input is hashed in parts: by `startLongHash`, then `hashOn` until `hashOn` returns true. */
export function isLongHash(sp: usize): bool {
  return load<u64>(sp - 32) > <u64>HASHED_AT_ONCE
}

export function startLongHash(frame: usize, sp: usize): void {
  extend(frame, endOf(sp, sp - 32))
  keccakStart()
  hashed = 0
}

/** Hashes the next part of a long input. Returns whether the hash is complete. */
export function hashOn(frame: usize, sp: usize): bool {
  const data = <usize>load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(sp) + hashed
  const left = <u32>load<u64>(sp - 32) - hashed
  if (left > HASHED_AT_ONCE) {
    keccakBlocks(data, HASHED_AT_ONCE)
    hashed += HASHED_AT_ONCE
    return false
  }
  keccakWordEnd(data, left, sp - 32)
  return true
}

/** Bytes of an entry (input and hash) in the cache for inputs of 64 bytes, which Solidity mappings hash repeatedly. */
const ENTRY: u32 = 96
const ENTRIES: u32 = 512
let hashes: usize = 0

function hashOfPair(data: usize, result: usize): void {
  if (hashes == 0) {
    hashes = allocate(ENTRIES * ENTRY)
    memory.fill(hashes, 0, ENTRIES * ENTRY)
    // An unused entry must be valid, too: the hash of 64 zeros.
    for (let i: u32 = 0; i < ENTRIES; i++) keccakOfPair(hashes, hashes + i * ENTRY + 64)
  }
  const mixed =
    (load<u64>(data) ^ load<u64>(data, 8)) * 0x9e3779b97f4a7c15 +
    (load<u64>(data, 16) ^ load<u64>(data, 24)) * 0xc2b2ae3d27d4eb4f +
    (load<u64>(data, 32) ^ load<u64>(data, 40)) * 0x165667b19e3779f9 +
    (load<u64>(data, 48) ^ load<u64>(data, 56)) * 0x85ebca77c2b2ae63
  const entry = hashes + (<u32>(mixed >> 40) & (ENTRIES - 1)) * ENTRY
  if (!isEqual(entry, data) || !isEqual(entry + 32, data + 32)) {
    keccakOfPair(data, entry + 64)
    copy(entry, data)
    copy(entry + 32, data + 32)
  }
  copy(result, entry + 64)
}

export function powerGas(frame: usize, sp: usize): i64 {
  const exponent = sp - 32
  let bytes: i64 = 0
  for (let limb: i32 = 3; limb >= 0; limb--) {
    const value = load<u64>(exponent + (<usize>limb << 3))
    if (value != 0) {
      bytes = <i64>limb * 8 + ((71 - <i64>clz<u64>(value)) >> 3)
      break
    }
  }
  return bytes * <i64>load<u32>(EXP_BYTE_GAS)
}

export function power(frame: usize, sp: usize): void {
  exp(sp, sp - 32, sp - 32)
}
