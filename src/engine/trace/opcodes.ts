/** The instructions that tracers inspect, and the operands on the stack before them. */
import type { Address } from '../../bytes/hex.ts'
import type { CallKind } from '../../model/execution/trace.ts'
import type { Step } from '../engine.ts'

export const STOP = 0x00
export const RETURNDATACOPY = 0x3e
export const SLOAD = 0x54
export const SSTORE = 0x55
export const LOG0 = 0xa0
export const LOG4 = 0xa4
export const RETURN = 0xf3
export const SELFDESTRUCT = 0xff

const CREATE = 0xf0
const CREATE2 = 0xf5

/** Instructions that take an account from the top of the stack. */
const ACCOUNT_READERS: ReadonlySet<number> = new Set([
  0x31, // BALANCE
  0x3b, // EXTCODESIZE
  0x3c, // EXTCODECOPY
  0x3f, // EXTCODEHASH
  SELFDESTRUCT,
])

/** Instructions that open a frame. */
export const FRAME_OPENERS: ReadonlyMap<number, Exclude<CallKind, 'SELFDESTRUCT'>> = new Map([
  [CREATE, 'CREATE'],
  [0xf1, 'CALL'],
  [0xf2, 'CALLCODE'],
  [0xf4, 'DELEGATECALL'],
  [CREATE2, 'CREATE2'],
  [0xfa, 'STATICCALL'],
])

/** Returns the word at `position` from the top of the stack. */
export function fromTop(stack: readonly bigint[], position: number): bigint {
  return stack[stack.length - 1 - position] ?? 0n
}

/** Returns the account that an instruction reads, calls or pays. */
export function accountOf({ opcode, stack }: Step): Address | undefined {
  if (ACCOUNT_READERS.has(opcode)) return stack.length < 1 ? undefined : toAddress(fromTop(stack, 0))
  const kind = FRAME_OPENERS.get(opcode)
  if (kind === undefined || isCreation(kind)) return undefined
  return stack.length < 5 ? undefined : toAddress(fromTop(stack, 1))
}

/** Returns the slot that an instruction reads or writes. */
export function slotOf({ opcode, stack }: Step): bigint | undefined {
  return (opcode === SLOAD || opcode === SSTORE) && stack.length > 0 ? fromTop(stack, 0) : undefined
}

export function isCreation(kind: CallKind): boolean {
  return kind === 'CREATE' || kind === 'CREATE2'
}

/** Returns the last 20 bytes of a word. */
export function toAddress(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}

/** Returns a range of memory, with zeros beyond its end. */
export function readMemory(memory: Uint8Array, offset: bigint, length: bigint): Uint8Array {
  // A range that costs more gas than there can be is never read, and must not be allocated.
  if (length === 0n || length > MOST_MEMORY || offset > MOST_MEMORY) return new Uint8Array(0)
  const read = new Uint8Array(Number(length))
  read.set(memory.subarray(Number(offset), Number(offset + length)))
  return read
}

/** 16 MiB, which cost 537 million gas. */
const MOST_MEMORY = 16n * 1024n * 1024n
