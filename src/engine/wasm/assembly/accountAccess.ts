// Instructions that read an account, and what access to one costs.
import { ACCOUNT_BALANCE, ACCOUNT_FLAGS, ALWAYS_WARM, CODE_LENGTH, FRAME_ACCOUNT, HAS_ACCESS_COSTS, WARM } from '../layout'
import { accountAt, isEmpty } from './accounts'
import { codeHashOf, codeOf } from './code'
import { mark } from './journal'
import { copy, put } from './words'

/** What a cold account costs more than a warm one (EIP-2929). */
const COLD_ACCOUNT: i64 = 2500

/** What a payment to an account that is absent costs. */
export const NEW_ACCOUNT: i64 = 25000

/** Returns what reading an account costs more because it is cold. */
export function coldGas(account: usize): i64 {
  return isCold(account) ? COLD_ACCOUNT : 0
}

// @ts-ignore: decorator
@inline
export function isCold(account: usize): bool {
  return load<u32>(HAS_ACCESS_COSTS) != 0 && !(load<u32>(account, ACCOUNT_FLAGS) & (WARM | ALWAYS_WARM))
}

/** Makes an account warm. */
export function warm(account: usize): void {
  if (load<u32>(HAS_ACCESS_COSTS)) mark(account, WARM)
}

export function balanceGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export function balance(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  copy(sp, account + ACCOUNT_BALANCE)
}

export function selfbalance(frame: usize, sp: usize): void {
  copy(sp + 32, load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_BALANCE)
}

export function extcodesizeGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export function extcodesize(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  put(sp, load<u32>(codeOf(account), CODE_LENGTH))
}

export function extcodehashGas(frame: usize, sp: usize): i64 {
  return coldGas(accountAt(sp))
}

export function extcodehash(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  if (isEmpty(account)) put(sp, 0)
  else copy(sp, codeHashOf(account))
}
