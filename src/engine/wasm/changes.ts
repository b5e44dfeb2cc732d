/** What a run changed, read from the module's memory. */

import { toHex } from '../../bytes/hex.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { AccountChange } from '../../state/state.ts'
import {
  ACCOUNT_BALANCE,
  ACCOUNT_BALANCE_BEFORE,
  ACCOUNT_CODE,
  ACCOUNT_CODE_BEFORE,
  ACCOUNT_FLAGS,
  ACCOUNT_NEXT,
  ACCOUNT_NONCE,
  ACCOUNT_NONCE_BEFORE,
  ACCOUNT_SLOTS,
  CHANGED,
  DESTROYED,
  EMPTY_CODE,
  EXISTED,
  EXISTS,
  REMOVES_EMPTY,
  SEGMENT,
  SLOT_BEFORE,
  SLOT_KEY,
  SLOT_NEXT,
  SLOT_VALUE,
  TOUCHED,
} from './layout.ts'
import type { Memory } from './memory.ts'

/** Returns the changes of the accounts that the module listed. */
export function changesOf(memory: Memory, code: (account: number) => Uint8Array): AccountChange[] {
  const changes: AccountChange[] = []
  for (let account = memory.u32(CHANGED); account !== 0; account = memory.u32(account + ACCOUNT_NEXT)) {
    const change = changeOf(memory, account, code)
    if (change !== undefined) changes.push(change)
  }
  return changes
}

function changeOf(
  memory: Memory,
  account: number,
  code: (account: number) => Uint8Array,
): AccountChange | undefined {
  const flags = memory.u32(account + ACCOUNT_FLAGS)
  const existed = (flags & EXISTED) !== 0
  if ((flags & EXISTS) === 0 || (flags & DESTROYED) !== 0 || isRemoved(memory, account, flags)) {
    return existed ? { address: memory.address(account), deleted: true } : undefined
  }
  const nonce = memory.u64(account + ACCOUNT_NONCE)
  const hasNonce = !existed || nonce !== memory.u64(account + ACCOUNT_NONCE_BEFORE)
  const hasBalance =
    !existed || !memory.isSameWord(account + ACCOUNT_BALANCE, account + ACCOUNT_BALANCE_BEFORE)
  const hasCode = memory.u32(account + ACCOUNT_CODE) !== memory.u32(account + ACCOUNT_CODE_BEFORE)
  const storage = slotsOf(memory, account)
  if (!hasNonce && !hasBalance && !hasCode && storage === undefined) return undefined
  return {
    address: memory.address(account),
    ...(hasNonce ? { nonce } : {}),
    ...(hasBalance ? { balance: memory.word(account + ACCOUNT_BALANCE) } : {}),
    ...(hasCode ? { code: code(account) } : {}),
    ...(storage === undefined ? {} : { storage }),
  }
}

/** Returns whether the account is removed because it is empty (EIP-161). */
function isRemoved(memory: Memory, account: number, flags: number): boolean {
  if (memory.u32(REMOVES_EMPTY) === 0 || (flags & TOUCHED) === 0) return false
  const hasCode = memory.u32(account + ACCOUNT_CODE) !== memory.u32(EMPTY_CODE)
  return (
    !hasCode && memory.u64(account + ACCOUNT_NONCE) === 0n && memory.word(account + ACCOUNT_BALANCE) === 0n
  )
}

function slotsOf(memory: Memory, account: number): Map<bigint, bigint> | undefined {
  let slots: Map<bigint, bigint> | undefined
  for (let slot = memory.u32(account + ACCOUNT_SLOTS); slot !== 0; slot = memory.u32(slot + SLOT_NEXT)) {
    if (memory.isSameWord(slot + SLOT_VALUE, slot + SLOT_BEFORE)) continue
    slots ??= new Map()
    slots.set(memory.word(slot + SLOT_KEY), memory.word(slot + SLOT_VALUE))
  }
  return slots
}

/** The logs of a run, in the form that the module writes (`assembly/dynamic.ts`). */
const HEAD = 32

/** Returns the logs that are written in `bytes`. */
export function logsOf(bytes: Uint8Array): Log[] {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset)
  const logs: Log[] = []
  for (let place = 0; place < bytes.length; ) {
    const topics = numbers.getUint32(place, true)
    const length = numbers.getUint32(place + 4, true)
    // Written as a word: the last byte first.
    const address = bytes.slice(place + 8, place + 28).reverse()
    const begin = place + HEAD
    const end = begin + 32 * topics
    logs.push({
      address: toHex(address),
      topics: Array.from({ length: topics }, (_, i) =>
        toHex(bytes.subarray(begin + 32 * i, begin + 32 * (i + 1))),
      ),
      data: bytes.slice(end, end + length),
    })
    place = end + ((length + 7) & ~7)
  }
  return logs
}

/** Returns a copy of the first `length` bytes of the segments in `list`. */
export function segmentBytes(memory: Memory, list: number, length: number): Uint8Array {
  if (length <= SEGMENT) return memory.bytes(memory.u32(list), length)
  const bytes = new Uint8Array(length)
  for (let at = 0, entry = list; at < length; at += SEGMENT, entry += 4) {
    const place = memory.u32(entry)
    bytes.set(memory.u8.subarray(place, place + Math.min(SEGMENT, length - at)), at)
  }
  return bytes
}
