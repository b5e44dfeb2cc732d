// Code objects: the bytes of a contract, and pointers to its decoded instructions.
import {
  ACCOUNT_CODE, ACCOUNT_CODE_BEFORE, ACCOUNT_CODE_HASH, CODE_BYTES, CODE_HAS_HASH, CODE_HASH,
  CODE_IS_TEMPORARY, CODE_LENGTH, CODE_NEXT, CODE_SIZE, EMPTY_CODE, HAS_DELEGATIONS, SCRATCH, TEMPORARY_CODE,
} from '../layout'
import { accountAt } from './accounts'
import { releaseDestinations } from './destinations'
import { allocate, release, roomFor } from './heap'
import { reportHitsOf } from './hits'
import { codeLength, takeCode } from './host'
import { recordCode } from './journal'
import { keccak256Word } from './keccak256'
import { releaseReadings } from './readings'
import { copy, isEqual, putBytes } from './words'

/** Number of zeros stored after the code, so that a PUSH at the end of the code reads zeros. */
const PADDING = 32
const FIRST_INDEX: u32 = 1024

let index: usize = 0
let mask: u32 = 0
let count: u32 = 0
/** Heap bytes of all code. */
let bytes: u32 = 0

export function startCodes(): void {
  const empty = newCode(0)
  hashOf(empty)
  store<u32>(EMPTY_CODE, empty)
  index = allocate(FIRST_INDEX)
  memory.fill(index, 0, FIRST_INDEX)
  mask = FIRST_INDEX - 4
}

/** Returns the heap bytes of all code, without its decoded instructions. */
export function codeBytes(): u32 {
  return bytes
}

/** Drops all code objects. Must be called only if no account refers to a code object. */
export function forgetCodes(): void {
  for (let at: u32 = 0; at <= mask; at += 4) {
    const code = <usize>load<u32>(index + at)
    if (code != 0) releaseCode(code)
    store<u32>(index + at, 0)
  }
  count = 0
}

export function reportHits(): void {
  for (let at: u32 = 0; at <= mask; at += 4) {
    const code = <usize>load<u32>(index + at)
    if (code != 0) reportHitsOf(code)
  }
}

/** Returns a code object for `length` bytes. The caller writes the bytes. */
export function newCode(length: u32): usize {
  const code = allocate(CODE_SIZE)
  memory.fill(code, 0, CODE_SIZE)
  const place = allocate(length + PADDING)
  bytes += roomFor(length + PADDING)
  memory.fill(place + length, 0, PADDING)
  store<u32>(code, place, CODE_BYTES)
  store<u32>(code, length, CODE_LENGTH)
  return code
}

export function newTemporaryCode(length: u32): usize {
  const code = newCode(length)
  store<u32>(code, load<u32>(TEMPORARY_CODE), CODE_NEXT)
  store<u32>(code, 1, CODE_IS_TEMPORARY)
  store<u32>(TEMPORARY_CODE, code)
  return code
}

export function releaseTemporaryCodes(): void {
  let code = <usize>load<u32>(TEMPORARY_CODE)
  while (code != 0) {
    const next = load<u32>(code, CODE_NEXT)
    releaseCode(code)
    code = next
  }
  store<u32>(TEMPORARY_CODE, 0)
}

export function releaseCode(code: usize): void {
  releaseReadings(code)
  releaseDestinations(code)
  const length = load<u32>(code, CODE_LENGTH) + PADDING
  release(load<u32>(code, CODE_BYTES), length)
  bytes -= roomFor(length)
  release(code, CODE_SIZE)
}

export function codeOf(account: usize): usize {
  const known = <usize>load<u32>(account, ACCOUNT_CODE)
  if (known != 0) return known
  const hash = account + ACCOUNT_CODE_HASH
  let at = (<u32>load<u64>(hash) << 2) & mask
  let code: usize
  while ((code = load<u32>(index + at)) != 0 && !isEqual(code + CODE_HASH, hash)) at = (at + 4) & mask
  if (code == 0) {
    code = newCode(codeLength(account))
    takeCode(load<u32>(code, CODE_BYTES))
    copy(code + CODE_HASH, hash)
    store<u32>(code, 1, CODE_HAS_HASH)
    store<u32>(index + at, code)
    if (++count << 3 > mask) grow()
  }
  store<u32>(account, code, ACCOUNT_CODE)
  store<u32>(account, code, ACCOUNT_CODE_BEFORE)
  return code
}

function grow(): void {
  const old = index
  const size = mask + 4
  index = allocate(size << 1)
  memory.fill(index, 0, size << 1)
  mask = (size << 1) - 4
  for (let from: u32 = 0; from < size; from += 4) {
    const code = <usize>load<u32>(old + from)
    if (code == 0) continue
    let at = (<u32>load<u64>(code, CODE_HASH) << 2) & mask
    while (load<u32>(index + at) != 0) at = (at + 4) & mask
    store<u32>(index + at, code)
  }
  release(old, size)
}

export function hasCode(account: usize): bool {
  const code = load<u32>(account, ACCOUNT_CODE)
  return code == 0 || load<u32>(code, CODE_LENGTH) != 0
}

/** Returns a pointer to the hash of `code`, stored as a word. Computes the hash at the first call. */
export function hashOf(code: usize): usize {
  if (!load<u32>(code, CODE_HAS_HASH)) {
    keccak256Word(load<u32>(code, CODE_BYTES), load<u32>(code, CODE_LENGTH), code + CODE_HASH)
    store<u32>(code, 1, CODE_HAS_HASH)
  }
  return code + CODE_HASH
}

export function codeHashOf(account: usize): usize {
  const code = load<u32>(account, ACCOUNT_CODE)
  return code == 0 ? account + ACCOUNT_CODE_HASH : hashOf(code)
}

export function setCode(account: usize, place: usize, length: u32): void {
  const code = length == 0 ? <usize>load<u32>(EMPTY_CODE) : newTemporaryCode(length)
  memory.copy(load<u32>(code, CODE_BYTES), place, length)
  recordCode(account)
  store<u32>(account, code, ACCOUNT_CODE)
}

/** Returns the account that `code` delegates to (EIP-7702); 0 if `code` is not a delegation. */
export function delegateOf(code: usize): usize {
  if (load<u32>(code, CODE_LENGTH) != 23 || !load<u32>(HAS_DELEGATIONS)) return 0
  const place = <usize>load<u32>(code, CODE_BYTES)
  if ((load<u32>(place) & 0xffffff) != 0x0001ef) return 0
  putBytes(SCRATCH, place + 3, 20)
  return accountAt(SCRATCH)
}
