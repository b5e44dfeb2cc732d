// SELFDESTRUCT.
import {
  ACCOUNT_BALANCE,
  ACCOUNT_FLAGS,
  CREATED,
  DESTROYED,
  DESTROYS_NEW_ONLY,
  FRAME_ACCOUNT,
  KEEPS_64TH,
  REFUND,
  REMOVES_EMPTY,
  SELFDESTRUCT_REFUND,
  STATIC_STATE_CHANGE,
  WATCHES,
} from '../layout'
import { isCold, NEW_ACCOUNT, warm } from './accountAccess'
import { accountAt, isAbsent, setBalance, transfer } from './accounts'
import { isStatic } from './frame'
import { destroyed } from './host'
import { mark } from './journal'
import { copy, isZero, put } from './words'

/** What a cold account costs more that gets the balance of another. */
const COLD_BENEFICIARY: i64 = 2600

export function selfdestructGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const beneficiary = accountAt(sp)
  const account = load<u32>(frame, FRAME_ACCOUNT)
  let gas: i64 = 0
  if (isCold(beneficiary)) gas = COLD_BENEFICIARY
  const pays = !load<u32>(REMOVES_EMPTY) || !isZero(account + ACCOUNT_BALANCE)
  if (load<u32>(KEEPS_64TH) && pays && isAbsent(beneficiary)) gas += NEW_ACCOUNT
  return gas
}

export function selfdestruct(frame: usize, sp: usize): void {
  const beneficiary = accountAt(sp)
  const account = <usize>load<u32>(frame, FRAME_ACCOUNT)
  warm(beneficiary)
  if (load<u32>(WATCHES)) destroyed(account, beneficiary)
  const flags = load<u32>(account, ACCOUNT_FLAGS)
  if (!(flags & DESTROYED)) store<i64>(REFUND, load<i64>(REFUND) + <i64>load<u32>(SELFDESTRUCT_REFUND))
  const isDestroyed = !load<u32>(DESTROYS_NEW_ONLY) || (flags & CREATED) != 0
  if (beneficiary != account) {
    copy(WORD, account + ACCOUNT_BALANCE)
    transfer(account, beneficiary, WORD)
  } else if (isDestroyed) {
    put(WORD, 0)
    setBalance(account, WORD)
  }
  if (isDestroyed) mark(account, DESTROYED)
}

const WORD: usize = memory.data(32, 16)
