// Instructions that read accounts and blocks, the instruction SELFDESTRUCT, and the gas of accessing accounts.
import {
  ACCOUNT_BALANCE, ACCOUNT_FLAGS, ALWAYS_WARM, BLOB_COUNT, BLOB_HASHES, CODE_LENGTH, CREATED, DESTROYED,
  DESTROYS_NEW_ONLY, FRAME_ACCOUNT, HAS_ACCESS_COSTS, KEEPS_64TH, NUMBER, REFUND, REMOVES_EMPTY,
  SELFDESTRUCT_REFUND, STATIC_STATE_CHANGE, WARM, WATCHES,
} from '../layout'
import { accountAt, isAbsent, isEmpty, setBalance, transfer } from './accounts'
import { codeHashOf, codeOf } from './code'
import { isStatic } from './frame'
import { blockHash, destroyed } from './host'
import { mark } from './journal'
import { copy, isHigh, isZero, put } from './words'

/** The additional gas of accessing a cold account (EIP-2929). */
const COLD_ACCOUNT: i64 = 2500

/** The additional gas of a payment that creates an account. */
export const NEW_ACCOUNT: i64 = 25000

/** Returns the additional gas of accessing `account`: 0 if it is warm. */
export function coldGas(account: usize): i64 {
  return isCold(account) ? COLD_ACCOUNT : 0
}

@inline
export function isCold(account: usize): bool {
  return load<u32>(HAS_ACCESS_COSTS) != 0 && !(load<u32>(account, ACCOUNT_FLAGS) & (WARM | ALWAYS_WARM))
}

export function warm(account: usize): void {
  if (load<u32>(HAS_ACCESS_COSTS)) mark(account, WARM)
}

export function balanceGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export { balanceGas as extcodehashGas, balanceGas as extcodesizeGas }

export function balance(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  copy(sp, account + ACCOUNT_BALANCE)
}

export function selfbalance(frame: usize, sp: usize): void {
  copy(sp + 32, load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_BALANCE)
}

export function extcodesize(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  put(sp, load<u32>(codeOf(account), CODE_LENGTH))
}

export function extcodehash(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  if (isEmpty(account)) put(sp, 0)
  else copy(sp, codeHashOf(account))
}

/** The additional gas of a SELFDESTRUCT with a cold beneficiary (EIP-2929). */
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

export function blockhash(frame: usize, sp: usize): void {
  const number = load<u64>(sp)
  const current = load<u64>(NUMBER)
  if (isHigh(sp) || number >= current || current - number > 256) put(sp, 0)
  else blockHash(<f64>number, sp)
}

export function blobhash(frame: usize, sp: usize): void {
  if (isHigh(sp) || load<u64>(sp) >= <u64>load<u32>(BLOB_COUNT)) put(sp, 0)
  else copy(sp, <usize>load<u32>(BLOB_HASHES) + (<usize>load<u64>(sp) << 5))
}
