import {
  ACCOUNT_FLAGS, AT_PRECOMPILE, CODE_LENGTH, EXIT_STOP, FRAME_ACCOUNT, FRAME_CALLER,
  FRAME_CODE_ACCOUNT, FRAME_DATA, FRAME_DATA_LENGTH, FRAME_DEPTH, FRAME_FLAGS, FRAME_GAS, FRAME_IP,
  FRAME_KIND, FRAME_MEMORY, FRAME_OUT, FRAME_OUT_LENGTH, FRAME_SIZE, FRAME_SP, FRAME_VALUE, HAS_DELEGATIONS,
  INSUFFICIENT_BALANCE, IS_CONSOLE, IS_PRECOMPILE, IS_STATIC, KEEPS_64TH, OUT_OF_GAS, REMOVES_EMPTY,
  STATIC_STATE_CHANGE, TOO_DEEP, WATCHES,
} from '../layout'
import { coldGas, NEW_ACCOUNT, warm } from './environment'
import { accountAt, isAbsent, touch, transfer } from './accounts'
import { close, refuse } from './closing'
import { codeOf, delegateOf, hasCode } from './code'
import { enterCode } from './decoding'
import { GOES_ON, isPoor, noteCall, openedWith, push, spend, STIPEND } from './frame'
import { CALL, CALLCODE, DELEGATECALL, STATICCALL } from './opcodes'
import { callConsole, enter } from './host'
import { endOf, extend, memoryGas } from './memory'
import { copy, isHigh, isZero } from './words'

export const DEEPEST: u32 = 1024

const VALUE_GAS: i64 = 9000

/** Zero: the value of STATICCALL, which has no value operand. */
const NO_VALUE: usize = memory.data(32, 16)

/** Returns the gas of a call, excluding the gas passed to the callee; negative for an error. */
export function callGas(frame: usize, sp: usize, kind: u32): i64 {
  const carries = kind == CALL || kind == CALLCODE
  const input = carries ? sp - 96 : sp - 64
  const hasValue = carries && !isZero(sp - 64)
  if (kind == CALL && hasValue && load<u32>(frame, FRAME_FLAGS) & IS_STATIC) return -STATIC_STATE_CHANGE
  let gas = memoryGas(frame, max(endOf(input, input - 32), endOf(input - 64, input - 96)))
  if (gas < 0) return gas
  const account = accountAt(sp - 32)
  gas += coldGas(account)
  if (hasValue) gas += VALUE_GAS
  if (kind == CALL && (hasValue || !load<u32>(REMOVES_EMPTY)) && isAbsent(account)) gas += NEW_ACCOUNT
  if (load<u32>(HAS_DELEGATIONS) && hasCode(account)) {
    const delegate = delegateOf(codeOf(account))
    // Only one delegation is followed, even if the delegate delegates, too (EIP-7702).
    if (delegate != 0) gas += delegate == account ? 100 : 100 + coldGas(delegate)
  }
  return gas
}

/** Opens the frame of a call. Returns `OPENED`, or an error of the calling frame. */
export function openCall(frame: usize): i32 {
  const ip = <usize>load<u32>(frame, FRAME_IP)
  const kind = <u32>load<u16>(ip, 2)
  const sp = <usize>load<u32>(frame, FRAME_SP)
  const cost = callGas(frame, sp, kind)
  if (cost < 0) return <i32>-cost
  let gas = load<i64>(frame, FRAME_GAS) - cost
  if (gas < 0) return OUT_OF_GAS
  // The callee gets the requested gas; since EIP-150, at most 63/64 of the gas left.
  const asked: i64 = isHigh(sp) || load<i64>(sp) < 0 ? i64.MAX_VALUE : load<i64>(sp)
  let passed = asked
  if (load<u32>(KEEPS_64TH)) passed = min(asked, gas - (gas >> 6))
  else if (asked > gas) return OUT_OF_GAS
  gas -= passed
  noteCall()
  spend(cost)

  const carries = kind == CALL || kind == CALLCODE
  const input = carries ? sp - 96 : sp - 64
  const output = input - 64
  extend(frame, max(endOf(input, input - 32), endOf(output, output - 32)))
  const account = accountAt(sp - 32)
  warm(account)
  const callee = frame + FRAME_SIZE
  let flags = load<u32>(frame, FRAME_FLAGS) & IS_STATIC
  const hasValue = carries && !isZero(sp - 64)
  if (hasValue) passed += STIPEND
  if (kind == STATICCALL) flags |= IS_STATIC
  const keepsAccount = kind == DELEGATECALL || kind == CALLCODE
  store<u32>(callee, kind, FRAME_KIND)
  store<u32>(callee, flags, FRAME_FLAGS)
  store<i64>(callee, passed, FRAME_GAS)
  store<u32>(callee, keepsAccount ? load<u32>(frame, FRAME_ACCOUNT) : <u32>account, FRAME_ACCOUNT)
  const caller = kind == DELEGATECALL ? load<u32>(frame, FRAME_CALLER) : load<u32>(frame, FRAME_ACCOUNT)
  store<u32>(callee, caller, FRAME_CALLER)
  store<u32>(callee, account, FRAME_CODE_ACCOUNT)
  copy(callee + FRAME_VALUE, carries ? sp - 64 : kind == DELEGATECALL ? frame + FRAME_VALUE : NO_VALUE)
  const memoryAt = load<u32>(frame, FRAME_MEMORY)
  const length = <u32>load<u64>(input - 32)
  store<u32>(callee, length == 0 ? 0 : memoryAt + <u32>load<u64>(input), FRAME_DATA)
  store<u32>(callee, length, FRAME_DATA_LENGTH)
  store<u32>(callee, <u32>load<u64>(output), FRAME_OUT)
  store<u32>(callee, <u32>load<u64>(output - 32), FRAME_OUT_LENGTH)
  let code = codeOf(account)
  const delegate = delegateOf(code)
  if (delegate != 0) {
    warm(delegate)
    code = codeOf(delegate)
  }

  // The callee's stack starts where the caller's popped operands were.
  store<u32>(frame, (carries ? sp - 192 : sp - 160) - 32, FRAME_SP)
  store<u32>(frame, ip + 16, FRAME_IP)
  store<i64>(frame, gas, FRAME_GAS)
  push(frame, callee)
  if (load<u32>(callee, FRAME_DEPTH) > DEEPEST) return refuse(callee, TOO_DEEP)
  if (hasValue && isPoor(callee)) return refuse(callee, INSUFFICIENT_BALANCE)
  return openedWith(openMessage(callee, code))
}

export function openMessage(frame: usize, code: usize): i32 {
  const kind = load<u32>(frame, FRAME_KIND)
  const called = load<u32>(frame, FRAME_CODE_ACCOUNT)
  const isOutermost = load<u32>(frame, FRAME_DEPTH) == 0
  if (load<u32>(WATCHES)) enter(frame)
  const flags = load<u32>(called, ACCOUNT_FLAGS)
  if (flags & IS_CONSOLE && (kind == CALL || kind == STATICCALL)) callConsole(frame)
  if (isOutermost && isPoor(frame)) return close(frame, INSUFFICIENT_BALANCE)
  if (kind == CALL) transfer(load<u32>(frame, FRAME_CALLER), called, frame + FRAME_VALUE)
  else if (kind == STATICCALL) touch(called)
  if (flags & IS_PRECOMPILE) return AT_PRECOMPILE
  if (load<u32>(code, CODE_LENGTH) == 0) return close(frame, EXIT_STOP)
  enterCode(frame, code)
  return GOES_ON
}
