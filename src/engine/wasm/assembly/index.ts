import {
  BLOB_HASHES, EXCHANGE, JOURNAL_LENGTH, LOGS_LENGTH, REFUND, RETURN_LENGTH, GAS_USES,
  ACCOUNT_CODE_HASH, EMPTY_CODE, ACCOUNT_CODE, ACCOUNT_CODE_BEFORE, CODE_HASH, SLOT_FLAGS, WARM,
  ACCOUNT_BALANCE, ACCOUNT_BALANCE_BEFORE, ACCOUNT_FLAGS, EXISTED, EXISTS,
} from '../layout'
import { accountAt, forgetState as forgetAccounts, setBalance as writeBalance, slotAt, stateSize, touch } from './accounts'
import { codeBytes, forgetCodes, releaseTemporaryCodes, setCode as writeCode, startCodes } from './code'
import { dropFrames } from './closing'
import { startFrames } from './frame'
import { endLimit } from './heap'
import { mark, markSlot, startJournal, undoAll } from './journal'
import { startLogs } from './memory'
import { startReadings } from './readings'
import { copy, isEqual } from './words'

export { setNonce } from './accounts'
export { codeOf, delegateOf, reportHits } from './code'
export { returnPlace } from './closing'
export { advance, closePrecompile, start } from './frames'
export { allocate, limitUse as limitMemory, release } from './heap'
export { collect } from './journal'

/** Limit of code that is kept between runs, in bytes: 1,000 contracts of the largest size. Above it all code is dropped. */
const MOST_CODE: u32 = 32 * 1024 * 1024

/** Limit of the accounts and slots that are kept between runs. */
const MOST_KNOWN: u32 = 200_000

/** Called once per instance, before all other exports. */
export function initialize(): void {
  startReadings()
  startCodes()
  startFrames()
  startJournal()
  startLogs()
  forgetAccounts()
}

export function forgetState(): void {
  forgetAccounts()
  if (codeBytes() > MOST_CODE) forgetCodes()
}

/** Returns whether cached values exceed their limits, so that the caller must drop them before the next run. */
export function isFull(): bool {
  return stateSize() > MOST_KNOWN || codeBytes() > MOST_CODE
}

export function begin(): void {
  endLimit()
  store<u32>(JOURNAL_LENGTH, 0)
  clearResults()
}

export function clearResults(): void {
  store<u32>(LOGS_LENGTH, 0)
  store<u32>(RETURN_LENGTH, 0)
  store<i64>(REFUND, 0)
  store<u32>(GAS_USES, 0)
}

/** Returns the account whose address is in `EXCHANGE`, where exports read addresses, keys and balances. */
export function account(): usize {
  return accountAt(EXCHANGE)
}

/** Completes an account after the host has written its values. `isBare`: whether the account has no code. */
export function accountLoaded(account: usize, flags: u32, isBare: bool): void {
  store<u32>(account, flags & EXISTED ? flags | EXISTS : flags, ACCOUNT_FLAGS)
  copy(account + ACCOUNT_BALANCE_BEFORE, account + ACCOUNT_BALANCE)
  const empty = load<u32>(EMPTY_CODE)
  if (isBare || isEqual(account + ACCOUNT_CODE_HASH, empty + CODE_HASH)) {
    store<u32>(account, empty, ACCOUNT_CODE)
    store<u32>(account, empty, ACCOUNT_CODE_BEFORE)
  }
}

export function setBalance(account: usize): void {
  writeBalance(account, EXCHANGE)
}

export function setCode(account: usize, place: usize, length: u32): void {
  writeCode(account, place, length)
  touch(account)
}

export function warmAccount(account: usize): void {
  mark(account, WARM)
}

export function slot(account: usize): usize {
  return slotAt(account, EXCHANGE)
}

export function warmSlot(account: usize): void {
  const slot = slotAt(account, EXCHANGE)
  if (!(load<u32>(slot, SLOT_FLAGS) & WARM)) markSlot(slot, WARM)
}

/** Journal size in bytes up to which changes are undone. Above this size, dropping the cached state is faster. */
const MOST_UNDONE: u32 = 2 * 1024 * 1024

/** Undoes all changes and drops open frames. Returns whether the cached accounts and slots were dropped. */
export function drop(): bool {
  dropFrames()
  const isForgotten = load<u32>(JOURNAL_LENGTH) > MOST_UNDONE
  if (isForgotten) forgetAccounts()
  else undoAll()
  releaseTemporaryCodes()
  if (load<u32>(BLOB_HASHES) != 0) store<u32>(BLOB_HASHES, 0)
  return isForgotten
}
