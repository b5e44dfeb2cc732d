// Accounts and slots in tables (`table.ts`). An entry is read at its first use, and kept until another state is used.
import {
  ACCOUNT_ADDRESS, ACCOUNT_BALANCE, ACCOUNT_FLAGS, ACCOUNT_NONCE, ACCOUNT_SIZE, EXISTS, HAS_STORAGE,
  REMOVES_EMPTY, SLOT_BEFORE, SLOT_FLAGS, SLOT_KEY, SLOT_OWNER, SLOT_RECORD, SLOT_SIZE, SLOT_VALUE, TOUCHED,
} from '../layout'
import { hasCode } from './code'
import { loadAccount, loadSlot } from './host'
import { mark, recordBalance, recordNonce } from './journal'
import { addEntry, CELLS, COUNT, emptyTable, MASK, newEntry, OLD, OLD_MASK, TABLE_SIZE } from './table'
import { add, copy, isEqual, isZero, put, sub } from './words'

const ACCOUNTS: usize = memory.data(TABLE_SIZE, 16)
const SLOTS: usize = memory.data(TABLE_SIZE, 16)

export function forgetState(): void {
  emptyTable(ACCOUNTS)
  emptyTable(SLOTS)
}

export function stateSize(): u32 {
  return load<u32>(ACCOUNTS, COUNT) + load<u32>(SLOTS, COUNT)
}

@inline
function mixed(hash: u64): u32 {
  return <u32>(hash >> 32) ^ <u32>(hash >> 11)
}

@inline
function hashOfAddress(l0: u64, l1: u64, l2: u64): u32 {
  return mixed(l0 * 0x9e3779b97f4a7c15 + l1 * 0xc2b2ae3d27d4eb4f + l2 * 0x165667b19e3779f9)
}

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

export function hashOfEntry(table: usize, entry: usize): u32 {
  if (table == SLOTS) return hashOfSlot(load<u32>(entry, SLOT_OWNER), entry + SLOT_KEY)
  const address = entry + ACCOUNT_ADDRESS
  return hashOfAddress(load<u64>(address), load<u64>(address, 8), load<u64>(address, 16))
}

export function accountAt(word: usize): usize {
  const l0 = load<u64>(word)
  const l1 = load<u64>(word, 8)
  const l2 = load<u64>(word, 16) & 0xffffffff
  const hash = hashOfAddress(l0, l1, l2) << 2
  const cells = <usize>load<u32>(ACCOUNTS, CELLS)
  const mask = load<u32>(ACCOUNTS, MASK)
  let at = hash & mask
  while (true) {
    const entry = <usize>load<u32>(cells + at)
    if (entry == 0) break
    if (hasAddress(entry, l0, l1, l2)) return entry
    at = (at + 4) & mask
  }
  if (load<u32>(ACCOUNTS, OLD) != 0) {
    const entry = oldAccountAt(hash, l0, l1, l2)
    if (entry != 0) return entry
  }
  const account = newEntry(ACCOUNTS, ACCOUNT_SIZE)
  memory.fill(account, 0, ACCOUNT_SIZE)
  store<u64>(account, l0, ACCOUNT_ADDRESS)
  store<u64>(account, l1, ACCOUNT_ADDRESS + 8)
  store<u64>(account, l2, ACCOUNT_ADDRESS + 16)
  // The account is loaded before it is added to the table, because reading the state may throw.
  loadAccount(account)
  addEntry(ACCOUNTS, at, account)
  return account
}

@inline
function hasAddress(account: usize, l0: u64, l1: u64, l2: u64): bool {
  const address = account + ACCOUNT_ADDRESS
  return ((load<u64>(address) ^ l0) | (load<u64>(address, 8) ^ l1) | (load<u64>(address, 16) ^ l2)) == 0
}

/** Returns the account with this address in the old index; 0 if absent. Used while a larger index is filled. */
function oldAccountAt(hash: u32, l0: u64, l1: u64, l2: u64): usize {
  const cells = <usize>load<u32>(ACCOUNTS, OLD)
  const mask = load<u32>(ACCOUNTS, OLD_MASK)
  let at = hash & mask
  while (true) {
    const entry = <usize>load<u32>(cells + at)
    if (entry == 0 || hasAddress(entry, l0, l1, l2)) return entry
    at = (at + 4) & mask
  }
}

/** Returns the slot with `key`. `owner`: the account; for transient storage, the account plus 1. */
export function slotAt(owner: u32, key: usize): usize {
  const hash = hashOfSlot(owner, key) << 2
  const cells = <usize>load<u32>(SLOTS, CELLS)
  const mask = load<u32>(SLOTS, MASK)
  let at = hash & mask
  while (true) {
    const entry = <usize>load<u32>(cells + at)
    if (entry == 0) break
    if (load<u32>(entry, SLOT_OWNER) == owner && isEqual(entry + SLOT_KEY, key)) return entry
    at = (at + 4) & mask
  }
  if (load<u32>(SLOTS, OLD) != 0) {
    const entry = oldSlotAt(hash, owner, key)
    if (entry != 0) return entry
  }
  const slot = newEntry(SLOTS, SLOT_SIZE)
  store<u32>(slot, owner, SLOT_OWNER)
  store<u32>(slot, 0, SLOT_FLAGS)
  store<u32>(slot, 0xffffffff, SLOT_RECORD)
  copy(slot + SLOT_KEY, key)
  put(slot + SLOT_VALUE, 0)
  put(slot + SLOT_BEFORE, 0)
  if ((owner & 1) == 0 && load<u32>(owner, ACCOUNT_FLAGS) & HAS_STORAGE) {
    // The slot is loaded before it is added to the table, because reading the state may throw.
    loadSlot(slot)
    copy(slot + SLOT_VALUE, slot + SLOT_BEFORE)
  }
  addEntry(SLOTS, at, slot)
  return slot
}

/** Returns the slot with this key in the old index; 0 if absent. Used while a larger index is filled. */
function oldSlotAt(hash: u32, owner: u32, key: usize): usize {
  const cells = <usize>load<u32>(SLOTS, OLD)
  const mask = load<u32>(SLOTS, OLD_MASK)
  let at = hash & mask
  while (true) {
    const entry = <usize>load<u32>(cells + at)
    if (entry == 0) return 0
    if (load<u32>(entry, SLOT_OWNER) == owner && isEqual(entry + SLOT_KEY, key)) return entry
    at = (at + 4) & mask
  }
}

/** Returns whether the account has no nonce, balance or code (EIP-161). */
export function isEmpty(account: usize): bool {
  return load<u64>(account, ACCOUNT_NONCE) == 0 && isZero(account + ACCOUNT_BALANCE) && !hasCode(account)
}

export function isAbsent(account: usize): bool {
  return load<u32>(REMOVES_EMPTY) ? isEmpty(account) : !(load<u32>(account, ACCOUNT_FLAGS) & EXISTS)
}

/** Touches the account (EIP-161). Creates the account if it does not exist. */
export function touch(account: usize): void {
  mark(account, EXISTS | TOUCHED)
}

export function setNonce(account: usize, nonce: u64): void {
  recordNonce(account)
  store<u64>(account, nonce, ACCOUNT_NONCE)
  touch(account)
}

/** Transfers wei and touches `to`. The caller has checked the balance. */
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
