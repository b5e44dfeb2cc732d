// The exports of the module, which TypeScript calls (`../instance.ts`).
import {
  BLOB_HASHES, EXCHANGE, JOURNAL_LENGTH, LOGS_LENGTH, REFUND, RETURN_LENGTH, DEPENDS_ON_GAS, GAS_AT_LEAST,
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
import { copy, isEqual } from './words'

export { setNonce } from './accounts'
export { codeOf, delegateOf, reportHits } from './code'
export { returnPlace } from './closing'
export { advance, closePrecompile, start } from './frames'
export { allocate, limitUse as limitMemory, release } from './heap'
export { collect } from './journal'

/** The limit of bytes of code and decoded instructions, above which all are dropped. */
const MOST_CODE: u32 = 64 * 1024 * 1024

/** The limit of accounts and slots that are kept from run to run. */
const MOST_KNOWN: u32 = 200_000

/** Initializes a new instance. Called once. */
export function initialize(): void {
  startCodes()
  startFrames()
  startJournal()
  startLogs()
  forgetAccounts()
}

/** Drops all values that were read from a state. */
export function forgetState(): void {
  forgetAccounts()
  if (codeBytes() > MOST_CODE) forgetCodes()
}

/** Returns whether the values of a state, or code, exceed their limits and must be dropped before the next run. */
export function isFull(): bool {
  return stateSize() > MOST_KNOWN || codeBytes() > MOST_CODE
}

/** Prepares a run. */
export function begin(): void {
  endLimit()
  store<u32>(JOURNAL_LENGTH, 0)
  clearResults()
}

/** Clears the results of the last outermost frame. */
export function clearResults(): void {
  store<u32>(LOGS_LENGTH, 0)
  store<u32>(RETURN_LENGTH, 0)
  store<i64>(REFUND, 0)
  store<u32>(DEPENDS_ON_GAS, 0)
  store<i64>(GAS_AT_LEAST, 0)
}

/** Returns the account at the address in `EXCHANGE`. */
export function account(): usize {
  return accountAt(EXCHANGE)
}

/** Completes an account that the host wrote. `isBare`: it has no code. */
export function accountLoaded(account: usize, flags: u32, isBare: bool): void {
  store<u32>(account, flags & EXISTED ? flags | EXISTS : flags, ACCOUNT_FLAGS)
  copy(account + ACCOUNT_BALANCE_BEFORE, account + ACCOUNT_BALANCE)
  const empty = load<u32>(EMPTY_CODE)
  if (isBare || isEqual(account + ACCOUNT_CODE_HASH, empty + CODE_HASH)) {
    store<u32>(account, empty, ACCOUNT_CODE)
    store<u32>(account, empty, ACCOUNT_CODE_BEFORE)
  }
}

/** Sets the balance in `EXCHANGE`. */
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

/** Returns the slot of an account by the key in `EXCHANGE`. */
export function slot(account: usize): usize {
  return slotAt(account, EXCHANGE)
}

/** Warms the slot of an account by the key in `EXCHANGE`. */
export function warmSlot(account: usize): void {
  const slot = slotAt(account, EXCHANGE)
  if (!(load<u32>(slot, SLOT_FLAGS) & WARM)) markSlot(slot, WARM)
}

/** The limit of the journal, in bytes, up to which changes are undone; above it the cached state is dropped. */
const MOST_UNDONE: u32 = 2 * 1024 * 1024

/** Undoes all changes and drops the open frames. Returns whether the cached state was dropped: its accounts are invalid then. */
export function drop(): bool {
  dropFrames()
  const isForgotten = load<u32>(JOURNAL_LENGTH) > MOST_UNDONE
  if (isForgotten) forgetAccounts()
  else undoAll()
  releaseTemporaryCodes()
  if (load<u32>(BLOB_HASHES) != 0) store<u32>(BLOB_HASHES, 0)
  return isForgotten
}
