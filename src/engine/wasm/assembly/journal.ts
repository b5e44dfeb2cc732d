// The journal: the undo log of a run. A record has a kind, the address of an account or slot, and the previous value.
import {
  ACCOUNT_BALANCE, ACCOUNT_CODE, ACCOUNT_FLAGS, ACCOUNT_NEXT, ACCOUNT_NONCE, ACCOUNT_SLOTS, CHANGED, EXISTED,
  EXISTS, IS_RIPEMD, JOURNAL, JOURNAL_LENGTH, LASTING, LISTED, SEGMENT, SLOT_FLAGS, SLOT_NEXT, SLOT_OWNER,
  SLOT_RECORD, SLOT_VALUE, TOUCHED,
} from '../layout'
import { newPlaceOf, newSegments, offsetOf, placeOf } from './heap'
import { copy } from './words'

const RECORD: u32 = 40
/** The offset of the last record within a segment. */
const LAST: u32 = (SEGMENT / RECORD - 1) * RECORD

export const FLAGS = 1
export const NONCE = 2
export const BALANCE = 3
export const CODE = 4
export const SLOT = 5
export const SLOT_WARMTH = 6

export function startJournal(): void {
  store<u32>(JOURNAL, <u32>newSegments())
}

@inline
function after(position: u32): u32 {
  return offsetOf(position) == LAST ? position - LAST + SEGMENT : position + RECORD
}

@inline
function before(position: u32): u32 {
  return offsetOf(position) == 0 ? position - SEGMENT + LAST : position - RECORD
}

/** Adds a record for the account or slot at `place`. Returns the address where the caller writes the previous value. */
function added(kind: u32, place: usize): usize {
  const length = load<u32>(JOURNAL_LENGTH)
  const record = newPlaceOf(load<u32>(JOURNAL), length)
  store<u32>(JOURNAL_LENGTH, after(length))
  store<u32>(record, kind)
  store<u32>(record, place, 4)
  return record + 8
}

export function mark(account: usize, flags: u32): void {
  const before = load<u32>(account, ACCOUNT_FLAGS)
  if ((before & flags) == flags) return
  store<u32>(added(FLAGS, account), before)
  store<u32>(account, before | flags, ACCOUNT_FLAGS)
}

export function recordNonce(account: usize): void {
  store<u64>(added(NONCE, account), load<u64>(account, ACCOUNT_NONCE))
}

export function recordBalance(account: usize): void {
  copy(added(BALANCE, account), account + ACCOUNT_BALANCE)
}

export function recordCode(account: usize): void {
  store<u32>(added(CODE, account), load<u32>(account, ACCOUNT_CODE))
}

/** Records a slot's value, unless the journal has a record of the slot after its first `length` bytes. */
export function recordSlot(slot: usize, length: u32): void {
  const last = load<u32>(slot, SLOT_RECORD)
  if (last >= length && last < load<u32>(JOURNAL_LENGTH)) {
    const record = placeOf(load<u32>(JOURNAL), last)
    if (load<u32>(record) == SLOT && load<u32>(record, 4) == <u32>slot) return
  }
  store<u32>(slot, load<u32>(JOURNAL_LENGTH), SLOT_RECORD)
  copy(added(SLOT, slot), slot + SLOT_VALUE)
}

export function markSlot(slot: usize, flags: u32): void {
  const before = load<u32>(slot, SLOT_FLAGS)
  store<u32>(added(SLOT_WARMTH, slot), before)
  store<u32>(slot, before | flags, SLOT_FLAGS)
}

/** Undoes changes until the journal has `length` bytes, at most `most` bytes per call. Returns whether it undid all. */
export function undo(length: u32, most: u32): bool {
  const end = load<u32>(JOURNAL_LENGTH)
  const ripemd = undone(end - length > most ? end - most : length)
  const isAll = load<u32>(JOURNAL_LENGTH) == length
  // geth and Parity mistakenly kept this account touched (EIP-161). The mistake matters only in block 2,675,119.
  if (ripemd != 0) mark(ripemd, TOUCHED)
  return isAll
}

/** Undoes all records after `length` bytes. Returns the RIPEMD-160 account if its touch was undone, otherwise 0. */
function undone(length: u32): usize {
  const journal = <usize>load<u32>(JOURNAL)
  let position = load<u32>(JOURNAL_LENGTH)
  let ripemd: usize = 0
  while (position > length) {
    position = before(position)
    const record = placeOf(journal, position)
    const place = <usize>load<u32>(record, 4)
    switch (load<u32>(record)) {
      case FLAGS: {
        const flags = load<u32>(record, 8)
        if (flags & IS_RIPEMD && (load<u32>(place, ACCOUNT_FLAGS) & ~flags) & TOUCHED) ripemd = place
        store<u32>(place, flags, ACCOUNT_FLAGS)
        break
      }
      case NONCE:
        store<u64>(place, load<u64>(record, 8), ACCOUNT_NONCE)
        break
      case BALANCE:
        copy(place + ACCOUNT_BALANCE, record + 8)
        break
      case CODE:
        store<u32>(place, load<u32>(record, 8), ACCOUNT_CODE)
        break
      case SLOT:
        copy(place + SLOT_VALUE, record + 8)
        break
      case SLOT_WARMTH:
        store<u32>(place, load<u32>(record, 8), SLOT_FLAGS)
        break
    }
  }
  store<u32>(JOURNAL_LENGTH, position)
  return ripemd
}

/** Builds lists of the accounts that have journal records (`CHANGED`), and of the written slots of each account. */
export function collect(): void {
  let first: u32 = 0
  const journal = <usize>load<u32>(JOURNAL)
  const end = load<u32>(JOURNAL_LENGTH)
  for (let position: u32 = 0; position < end; position = after(position)) {
    const record = placeOf(journal, position)
    const kind = load<u32>(record)
    if (kind == SLOT_WARMTH) continue
    let account = <usize>load<u32>(record, 4)
    if (kind == SLOT) {
      const slot = account
      account = load<u32>(slot, SLOT_OWNER)
      if (account & 1 || load<u32>(slot, SLOT_FLAGS) & LISTED) continue
      first = listed(account, first)
      store<u32>(slot, load<u32>(slot, SLOT_FLAGS) | LISTED, SLOT_FLAGS)
      store<u32>(slot, load<u32>(account, ACCOUNT_SLOTS), SLOT_NEXT)
      store<u32>(account, slot, ACCOUNT_SLOTS)
    } else first = listed(account, first)
  }
  store<u32>(CHANGED, first)
}

/** Adds an account to the front of the list that starts with `first`, unless already listed. Returns the new start. */
function listed(account: usize, first: u32): u32 {
  const flags = load<u32>(account, ACCOUNT_FLAGS)
  if (flags & LISTED) return first
  store<u32>(account, flags | LISTED, ACCOUNT_FLAGS)
  store<u32>(account, first, ACCOUNT_NEXT)
  store<u32>(account, 0, ACCOUNT_SLOTS)
  return <u32>account
}

export function undoAll(): void {
  const journal = <usize>load<u32>(JOURNAL)
  const end = load<u32>(JOURNAL_LENGTH)
  undone(0)
  for (let position: u32 = 0; position < end; position = after(position)) {
    const record = placeOf(journal, position)
    const kind = load<u32>(record)
    const place = <usize>load<u32>(record, 4)
    if (kind == SLOT_WARMTH || kind == SLOT) store<u32>(place, 0, SLOT_FLAGS)
    else {
      // Clears the flags that concern only this run, such as `LISTED`.
      const flags = load<u32>(place, ACCOUNT_FLAGS) & LASTING
      store<u32>(place, flags & EXISTED ? flags | EXISTS : flags, ACCOUNT_FLAGS)
    }
  }
}
