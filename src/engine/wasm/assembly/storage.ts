import {
  FRAME_ACCOUNT, FRAME_GAS, FRAME_GAS_LIMIT, FRAME_JOURNAL, HAS_ACCESS_COSTS, OUT_OF_GAS, REFUND, SLOT_BEFORE,
  SLOT_FLAGS, SLOT_VALUE, SSTORE_CLEAR_REFUND, SSTORE_DIRTY_GAS, SSTORE_LEGACY, SSTORE_RESET_GAS, SSTORE_RULE,
  SSTORE_SENTRY, STATIC_STATE_CHANGE, WARM,
} from '../layout'
import { slotAt } from './accounts'
import { isStatic, noteGasNeed } from './frame'
import { markSlot, recordSlot } from './journal'
import { copy, isEqual, isZero } from './words'

/** The additional gas of reading a cold slot, and of writing a cold slot. */
const COLD_SLOT: i64 = 2000
const COLD_SLOT_WRITTEN: i64 = 2100

const SET: i64 = 20000
const SENTRY: i64 = 2300

/** The slot of the last `sloadGas` or `sstoreGas` call, for the `sload` or `sstore` call that directly follows. */
let slot: usize = 0

@inline
function isColdSlot(slot: usize): bool {
  return !(load<u32>(slot, SLOT_FLAGS) & WARM) && load<u32>(HAS_ACCESS_COSTS) != 0
}

export function sloadGas(frame: usize, sp: usize): i64 {
  slot = slotAt(load<u32>(frame, FRAME_ACCOUNT), sp)
  return isColdSlot(slot) ? COLD_SLOT : 0
}

export function sload(frame: usize, sp: usize): void {
  if (isColdSlot(slot)) markSlot(slot, WARM)
  copy(sp, slot + SLOT_VALUE)
}

export function sstoreGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const rule = load<u32>(SSTORE_RULE)
  if (rule == SSTORE_SENTRY && load<i64>(frame, FRAME_GAS) <= SENTRY) return -OUT_OF_GAS
  slot = slotAt(load<u32>(frame, FRAME_ACCOUNT), sp)
  const value = sp - 32
  const current = slot + SLOT_VALUE
  if (rule == SSTORE_LEGACY) return isZero(current) && !isZero(value) ? SET : 5000
  const cold = isColdSlot(slot) ? COLD_SLOT_WRITTEN : 0
  if (isEqual(current, value) || !isEqual(current, slot + SLOT_BEFORE)) return cold + <i64>load<u32>(SSTORE_DIRTY_GAS)
  return cold + (isZero(current) ? SET : <i64>load<u32>(SSTORE_RESET_GAS))
}

export function sstore(frame: usize, sp: usize): void {
  const value = sp - 32
  const current = slot + SLOT_VALUE
  const rule = load<u32>(SSTORE_RULE)
  if (rule == SSTORE_SENTRY) noteSentry(frame)
  if (isColdSlot(slot)) markSlot(slot, WARM)
  if (isEqual(current, value)) return
  store<i64>(REFUND, load<i64>(REFUND) + sstoreRefund(sp))
  recordSlot(slot, load<u32>(frame, FRAME_JOURNAL))
  copy(current, value)
}

/** Returns the refund of the SSTORE whose gas was computed last. */
export function sstoreRefund(sp: usize): i64 {
  const value = sp - 32
  const current = slot + SLOT_VALUE
  if (isEqual(current, value)) return 0
  const clear = <i64>load<u32>(SSTORE_CLEAR_REFUND)
  if (load<u32>(SSTORE_RULE) == SSTORE_LEGACY) return isZero(value) ? clear : 0
  return refundOf(slot + SLOT_BEFORE, current, value, clear)
}

function refundOf(before: usize, current: usize, value: usize, clear: i64): i64 {
  let refund: i64 = 0
  const wasZero = isZero(before)
  if (!wasZero) {
    if (isZero(current)) refund -= clear
    else if (isZero(value)) refund += clear
  }
  if (isEqual(before, value)) {
    refund += (wasZero ? SET : <i64>load<u32>(SSTORE_RESET_GAS)) - <i64>load<u32>(SSTORE_DIRTY_GAS)
  }
  return refund
}

/** Records the gas that the frame must start with for this SSTORE. The SSTORE's gas is not charged yet. */
function noteSentry(frame: usize): void {
  noteGasNeed(frame, load<i64>(frame, FRAME_GAS_LIMIT) - load<i64>(frame, FRAME_GAS) + SENTRY + 1)
}

export function tload(frame: usize, sp: usize): void {
  copy(sp, slotAt(load<u32>(frame, FRAME_ACCOUNT) | 1, sp) + SLOT_VALUE)
}

export function tstoreGas(frame: usize, sp: usize): i64 {
  return isStatic(frame) ? -STATIC_STATE_CHANGE : 0
}

export function tstore(frame: usize, sp: usize): void {
  const item = slotAt(load<u32>(frame, FRAME_ACCOUNT) | 1, sp)
  recordSlot(item, load<u32>(frame, FRAME_JOURNAL))
  copy(item + SLOT_VALUE, sp - 32)
}
