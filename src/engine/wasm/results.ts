/** Reads the results of a run from the module's memory: the end of the outermost frame, logs, and changed accounts. */
import { EMPTY_BYTES, toHex } from '../../bytes/hex.ts'
import type { Log } from '../../model/receipt/log.ts'
import type { AccountChange } from '../../state/state.ts'
import type { FrameFailure, HaltReason } from '../engine.ts'
import * as words from '../trace/failures.ts'
import * as layout from './layout.ts'
import type { Memory } from './module.ts'

export interface FrameEnd {
  readonly kind: 'success' | 'revert' | 'halt'
  readonly reason: HaltReason | undefined
  readonly gasLeft: bigint
  readonly refund: bigint
  readonly output: Uint8Array
  /** The least initial gas with which calls and SSTOREs have enough; `undefined` if other code may depend on the gas. */
  readonly gasNeed: bigint | undefined
  readonly makesCalls: boolean
}

const ERRORS: ReadonlyMap<number, string> = new Map([
  [layout.OUT_OF_GAS, words.OUT_OF_GAS],
  [layout.GAS_OVERFLOW, words.GAS_OVERFLOW],
  [layout.OUT_OF_RETURN_DATA, words.OUT_OF_RETURN_DATA],
  [layout.DEPOSIT_OUT_OF_GAS, words.DEPOSIT_OUT_OF_GAS],
  [layout.INVALID_JUMP, words.INVALID_JUMP],
  [layout.STACK_UNDERFLOW, words.STACK_UNDERFLOW],
  [layout.STACK_OVERFLOW, words.STACK_OVERFLOW],
  [layout.STATIC_STATE_CHANGE, words.WRITE_PROTECTION],
  [layout.CREATE_COLLISION, words.COLLISION],
  [layout.CODE_TOO_LARGE, words.CODE_TOO_LARGE],
  [layout.INIT_CODE_TOO_LARGE, words.INIT_CODE_TOO_LARGE],
  [layout.INVALID_CODE, words.INVALID_CODE],
  [layout.INSUFFICIENT_BALANCE, words.INSUFFICIENT_BALANCE],
  [layout.PRECOMPILE_FAILED, words.PRECOMPILE_FAILED],
  [layout.TOO_DEEP, words.TOO_DEEP],
])

export function frameEndOf(memory: Memory): FrameEnd {
  const frame = memory.u32(layout.FRAMES)
  const exit = memory.u32(frame + layout.FRAME_EXIT)
  const isError = exit >= layout.FIRST_ERROR
  const length = memory.u32(layout.RETURN_LENGTH)
  const uses = memory.u32(layout.GAS_USES)
  return {
    kind: isError ? 'halt' : exit === layout.EXIT_REVERT ? 'revert' : 'success',
    reason: isError ? reasonOf(exit) : undefined,
    gasLeft: memory.u64(frame + layout.FRAME_GAS),
    refund: BigInt.asIntN(64, memory.u64(layout.REFUND)),
    output: length === 0 ? EMPTY_BYTES : memory.bytes(memory.u32(layout.RETURN_DATA), length),
    gasNeed: (uses & layout.OBSERVES_GAS) === 0 ? memory.u64(frame + layout.FRAME_GAS_NEED) : undefined,
    makesCalls: (uses & layout.MAKES_CALLS) !== 0,
  }
}

function reasonOf(exit: number): HaltReason {
  return exit === layout.INVALID_OPCODE ? 'invalidOpcode' : words.haltReasonOf(ERRORS.get(exit)!)
}

export function failureOf(exit: number, opcode: number): FrameFailure | undefined {
  if (exit === layout.EXIT_REVERT) return { kind: 'revert', error: words.REVERTED }
  // geth reports this exit as a failure, although the creation succeeds.
  if (exit === layout.EXIT_WITHOUT_CODE) return { kind: 'halt', error: words.DEPOSIT_OUT_OF_GAS }
  if (exit < layout.FIRST_ERROR) return undefined
  const error = exit === layout.INVALID_OPCODE ? words.invalidOpcode(opcode) : ERRORS.get(exit)!
  return { kind: 'halt', error }
}

/** Returns whether a creation failed after its last instruction, when the new code was checked and paid for. */
export function isCodeDepositExit(exit: number): boolean {
  return (
    exit === layout.CODE_TOO_LARGE ||
    exit === layout.INVALID_CODE ||
    exit === layout.DEPOSIT_OUT_OF_GAS ||
    exit === layout.EXIT_WITHOUT_CODE
  )
}

export function changesOf(memory: Memory, code: (account: number) => Uint8Array): AccountChange[] {
  const changes: AccountChange[] = []
  for (
    let account = memory.u32(layout.CHANGED);
    account !== 0;
    account = memory.u32(account + layout.ACCOUNT_NEXT)
  ) {
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
  const flags = memory.u32(account + layout.ACCOUNT_FLAGS)
  const existed = (flags & layout.EXISTED) !== 0
  if (
    (flags & layout.EXISTS) === 0 ||
    (flags & layout.DESTROYED) !== 0 ||
    isRemoved(memory, account, flags)
  ) {
    return existed ? { address: memory.address(account), deleted: true } : undefined
  }
  const nonce = memory.u64(account + layout.ACCOUNT_NONCE)
  const hasNonce = !existed || nonce !== memory.u64(account + layout.ACCOUNT_NONCE_BEFORE)
  const hasBalance =
    !existed || !memory.isSameWord(account + layout.ACCOUNT_BALANCE, account + layout.ACCOUNT_BALANCE_BEFORE)
  const hasCode =
    memory.u32(account + layout.ACCOUNT_CODE) !== memory.u32(account + layout.ACCOUNT_CODE_BEFORE)
  const storage = slotsOf(memory, account)
  if (!hasNonce && !hasBalance && !hasCode && storage === undefined) return undefined
  return {
    address: memory.address(account),
    ...(hasNonce ? { nonce } : {}),
    ...(hasBalance ? { balance: memory.word(account + layout.ACCOUNT_BALANCE) } : {}),
    ...(hasCode ? { code: code(account) } : {}),
    ...(storage === undefined ? {} : { storage }),
  }
}

function isRemoved(memory: Memory, account: number, flags: number): boolean {
  if (memory.u32(layout.REMOVES_EMPTY) === 0 || (flags & layout.TOUCHED) === 0) return false
  const hasCode = memory.u32(account + layout.ACCOUNT_CODE) !== memory.u32(layout.EMPTY_CODE)
  return (
    !hasCode &&
    memory.u64(account + layout.ACCOUNT_NONCE) === 0n &&
    memory.word(account + layout.ACCOUNT_BALANCE) === 0n
  )
}

function slotsOf(memory: Memory, account: number): Map<bigint, bigint> | undefined {
  let slots: Map<bigint, bigint> | undefined
  for (
    let slot = memory.u32(account + layout.ACCOUNT_SLOTS);
    slot !== 0;
    slot = memory.u32(slot + layout.SLOT_NEXT)
  ) {
    if (memory.isSameWord(slot + layout.SLOT_VALUE, slot + layout.SLOT_BEFORE)) continue
    slots ??= new Map()
    slots.set(memory.word(slot + layout.SLOT_KEY), memory.word(slot + layout.SLOT_VALUE))
  }
  return slots
}

const NO_LOGS: readonly Log[] = []
export const noLogs = (): readonly Log[] => NO_LOGS

/** Bytes of a log before its topics, in the module's format (`assembly/memory.ts`). */
const HEAD = 32

export function logsOf(bytes: Uint8Array): Log[] {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset)
  const logs: Log[] = []
  for (let place = 0; place < bytes.length; ) {
    const topics = numbers.getUint32(place, true)
    const length = numbers.getUint32(place + 4, true)
    // The address is stored as a word, so its least significant byte is first.
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

export function segmentBytes(memory: Memory, list: number, length: number): Uint8Array {
  if (length <= layout.SEGMENT) return memory.bytes(memory.u32(list), length)
  const bytes = new Uint8Array(length)
  for (let at = 0, entry = list; at < length; at += layout.SEGMENT, entry += 4) {
    const place = memory.u32(entry)
    bytes.set(memory.u8.subarray(place, place + Math.min(layout.SEGMENT, length - at)), at)
  }
  return bytes
}
