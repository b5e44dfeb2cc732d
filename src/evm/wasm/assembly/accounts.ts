// Accounts and slots: open-addressed tables of entries that never move. Entries are read from the state when they are first
// needed, and stay valid for as long as the state is the same.
import {
  ACCOUNT_ADDRESS,
  ACCOUNT_BALANCE,
  ACCOUNT_FLAGS,
  ACCOUNT_NONCE,
  ACCOUNT_SIZE,
  EXISTS,
  HAS_STORAGE,
  REMOVES_EMPTY,
  SLOT_BEFORE,
  SLOT_FLAGS,
  SLOT_KEY,
  SLOT_OWNER,
  SLOT_RECORD,
  SLOT_SIZE,
  SLOT_VALUE,
  TOUCHED,
} from '../layout'
import { hasCode } from './code'
import { allocate, release } from './heap'
import { loadAccount, loadSlot } from './host'
import { mark, recordBalance, recordNonce } from './journal'
import { add, copy, isEqual, isZero, put, sub } from './words'

/** A table: its index of entries, and the blocks in which they are. */
const CHUNK: u32 = 32 * 1024
const FIRST_INDEX: u32 = 4096

// Accounts.
let accountIndex: usize = 0
let accountMask: u32 = 0
let accountCount: u32 = 0
let accountChunk: usize = 0
let accountPlace: usize = 0
// Slots.
let slotIndex: usize = 0
let slotMask: u32 = 0
let slotCount: u32 = 0
let slotChunk: usize = 0
let slotPlace: usize = 0

/** Forgets all accounts and slots. */
export function forgetState(): void {
  if (accountIndex != 0) {
    release(accountIndex, accountMask + 4)
    release(slotIndex, slotMask + 4)
  }
  accountIndex = cleared(FIRST_INDEX)
  accountMask = FIRST_INDEX - 4
  slotIndex = cleared(FIRST_INDEX)
  slotMask = FIRST_INDEX - 4
  accountCount = 0
  slotCount = 0
  accountChunk = releaseAll(accountChunk)
  slotChunk = releaseAll(slotChunk)
  accountPlace = CHUNK
  slotPlace = CHUNK
}

/** Returns the number of accounts and slots that are known. */
export function stateSize(): u32 {
  return accountCount + slotCount
}

function cleared(size: u32): usize {
  const block = allocate(size)
  memory.fill(block, 0, size)
  return block
}

/** Releases the chunks that begin with the address of the next. Returns 0. */
function releaseAll(first: usize): usize {
  let chunk = first
  while (chunk != 0) {
    const next = load<u32>(chunk)
    release(chunk, CHUNK)
    chunk = next
  }
  return 0
}

// @ts-ignore: decorator
@inline
function mixed(hash: u64): u32 {
  return <u32>(hash >> 32) ^ <u32>(hash >> 11)
}

// @ts-ignore: decorator
@inline
function hashOfAddress(l0: u64, l1: u64, l2: u64): u32 {
  return mixed(l0 * 0x9e3779b97f4a7c15 + l1 * 0xc2b2ae3d27d4eb4f + l2 * 0x165667b19e3779f9)
}

// @ts-ignore: decorator
@inline
function hashOfSlot(owner: u32, key: usize): u32 {
  return mixed(
    load<u64>(key) * 0x9e3779b97f4a7c15 +
      load<u64>(key, 8) * 0xc2b2ae3d27d4eb4f +
      load<u64>(key, 16) * 0x165667b19e3779f9 +
      load<u64>(key, 24) * 0x85ebca77c2b2ae63 +
      <u64>owner * 0x27d4eb2f165667c5,
  )
}

/** Returns the account at the address in the last 20 bytes of a word. */
export function accountAt(word: usize): usize {
  const l0 = load<u64>(word)
  const l1 = load<u64>(word, 8)
  const l2 = load<u64>(word, 16) & 0xffffffff
  let at = (hashOfAddress(l0, l1, l2) << 2) & accountMask
  while (true) {
    const entry = <usize>load<u32>(accountIndex + at)
    if (entry == 0) break
    const address = entry + ACCOUNT_ADDRESS
    if (((load<u64>(address) ^ l0) | (load<u64>(address, 8) ^ l1) | (load<u64>(address, 16) ^ l2)) == 0) return entry
    at = (at + 4) & accountMask
  }
  if (accountPlace + ACCOUNT_SIZE > CHUNK) {
    const chunk = allocate(CHUNK)
    store<u32>(chunk, accountChunk)
    accountChunk = chunk
    accountPlace = 64
  }
  const account = accountChunk + accountPlace
  accountPlace += ACCOUNT_SIZE
  memory.fill(account, 0, ACCOUNT_SIZE)
  store<u64>(account, l0, ACCOUNT_ADDRESS)
  store<u64>(account, l1, ACCOUNT_ADDRESS + 8)
  store<u64>(account, l2, ACCOUNT_ADDRESS + 16)
  // Before it is in the table: the state may throw.
  loadAccount(account)
  store<u32>(accountIndex + at, account)
  if (++accountCount << 3 > accountMask) growAccounts()
  return account
}

function growAccounts(): void {
  const old = accountIndex
  const size = accountMask + 4
  accountIndex = cleared(size << 1)
  accountMask = (size << 1) - 4
  for (let from: u32 = 0; from < size; from += 4) {
    const entry = <usize>load<u32>(old + from)
    if (entry == 0) continue
    const address = entry + ACCOUNT_ADDRESS
    let at = (hashOfAddress(load<u64>(address), load<u64>(address, 8), load<u64>(address, 16)) << 2) & accountMask
    while (load<u32>(accountIndex + at) != 0) at = (at + 4) & accountMask
    store<u32>(accountIndex + at, entry)
  }
  release(old, size)
}

/** Returns the slot of `owner`: an account, or one more for its transient storage. */
export function slotAt(owner: u32, key: usize): usize {
  let at = (hashOfSlot(owner, key) << 2) & slotMask
  while (true) {
    const entry = <usize>load<u32>(slotIndex + at)
    if (entry == 0) break
    if (load<u32>(entry, SLOT_OWNER) == owner && isEqual(entry + SLOT_KEY, key)) return entry
    at = (at + 4) & slotMask
  }
  if (slotPlace + SLOT_SIZE > CHUNK) {
    const chunk = allocate(CHUNK)
    store<u32>(chunk, slotChunk)
    slotChunk = chunk
    slotPlace = 64
  }
  const slot = slotChunk + slotPlace
  slotPlace += SLOT_SIZE
  store<u32>(slot, owner, SLOT_OWNER)
  store<u32>(slot, 0, SLOT_FLAGS)
  store<u32>(slot, 0xffffffff, SLOT_RECORD)
  copy(slot + SLOT_KEY, key)
  put(slot + SLOT_VALUE, 0)
  put(slot + SLOT_BEFORE, 0)
  if ((owner & 1) == 0 && load<u32>(owner, ACCOUNT_FLAGS) & HAS_STORAGE) {
    // Before it is in the table: the state may throw.
    loadSlot(slot)
    copy(slot + SLOT_VALUE, slot + SLOT_BEFORE)
  }
  store<u32>(slotIndex + at, slot)
  if (++slotCount << 3 > slotMask) growSlots()
  return slot
}

function growSlots(): void {
  const old = slotIndex
  const size = slotMask + 4
  slotIndex = cleared(size << 1)
  slotMask = (size << 1) - 4
  for (let from: u32 = 0; from < size; from += 4) {
    const entry = <usize>load<u32>(old + from)
    if (entry == 0) continue
    let at = (hashOfSlot(load<u32>(entry, SLOT_OWNER), entry + SLOT_KEY) << 2) & slotMask
    while (load<u32>(slotIndex + at) != 0) at = (at + 4) & slotMask
    store<u32>(slotIndex + at, entry)
  }
  release(old, size)
}

/** Returns whether the account has neither nonce, nor balance, nor code (EIP-161). */
export function isEmpty(account: usize): bool {
  return load<u64>(account, ACCOUNT_NONCE) == 0 && isZero(account + ACCOUNT_BALANCE) && !hasCode(account)
}

/** Returns whether a payment to the account makes a new account, which costs gas. */
export function isAbsent(account: usize): bool {
  return load<u32>(REMOVES_EMPTY) ? isEmpty(account) : !(load<u32>(account, ACCOUNT_FLAGS) & EXISTS)
}

/** Makes the account exist, and touches it. */
export function touch(account: usize): void {
  mark(account, EXISTS | TOUCHED)
}

export function setNonce(account: usize, nonce: u64): void {
  recordNonce(account)
  store<u64>(account, nonce, ACCOUNT_NONCE)
  touch(account)
}

/** Moves wei from one account to another, which it touches. The caller has checked the balance. */
export function transfer(from: usize, to: usize, wei: usize): void {
  touch(to)
  if (isZero(wei)) return
  touch(from)
  recordBalance(from)
  sub(from + ACCOUNT_BALANCE, wei, from + ACCOUNT_BALANCE)
  recordBalance(to)
  add(to + ACCOUNT_BALANCE, wei, to + ACCOUNT_BALANCE)
}

export function setBalance(account: usize, wei: usize): void {
  recordBalance(account)
  copy(account + ACCOUNT_BALANCE, wei)
  touch(account)
}
