// Instructions that copy data to memory or read calldata.
import {
  CODE_BYTES,
  CODE_LENGTH,
  FRAME_CODE,
  FRAME_DATA,
  FRAME_DATA_LENGTH,
  FRAME_GAS,
  FRAME_MEMORY,
  OUT_OF_RETURN_DATA,
  RETURN_DATA,
  RETURN_LENGTH,
} from '../layout'
import { coldGas, warm } from './accountAccess'
import { accountAt } from './accounts'
import { codeOf } from './code'
import { copyGas, copyPadded, endOf, extend, memoryGas } from './memory'
import { clamped, copy, isHigh, put, reverse } from './words'

export function extcodecopyGas(frame: usize, sp: usize): i64 {
  const gas = copyGas(frame, sp - 32, sp - 96)
  return gas < 0 ? gas : gas + coldGas(accountAt(sp))
}

export function extcodecopy(frame: usize, sp: usize): void {
  const account = accountAt(sp)
  warm(account)
  copyToMemory(frame, sp - 32, load<u32>(codeOf(account), CODE_BYTES), load<u32>(codeOf(account), CODE_LENGTH))
}

/** Copies data to memory: the operands are the place in memory, the offset in the data, and the length, from `top` down. */
function copyToMemory(frame: usize, top: usize, data: usize, size: u32): void {
  const length = <u32>load<u64>(top - 64)
  if (length == 0) return
  extend(frame, endOf(top, top - 64))
  copyPadded(load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(top), data, size, clamped(top - 32), length)
}

export function calldatacopyGas(frame: usize, sp: usize): i64 {
  return copyGas(frame, sp, sp - 64)
}

export function calldatacopy(frame: usize, sp: usize): void {
  copyToMemory(frame, sp, load<u32>(frame, FRAME_DATA), load<u32>(frame, FRAME_DATA_LENGTH))
}

/** Writes a word of calldata from `offset` on. */
export function readCalldata(frame: usize, offset: u64, to: usize): void {
  const length = <u64>load<u32>(frame, FRAME_DATA_LENGTH)
  const data = <usize>load<u32>(frame, FRAME_DATA)
  if (offset + 32 <= length) {
    reverse(to, data + <usize>offset)
    return
  }
  put(to, 0)
  for (let i: u64 = offset; i < length; i++) store<u8>(to + 31 - <usize>(i - offset), load<u8>(data + <usize>i))
}

export function calldataload(frame: usize, sp: usize): void {
  if (isHigh(sp) || load<u64>(sp) > 0xffffffff) put(sp, 0)
  else readCalldata(frame, load<u64>(sp), sp)
}

export function codecopyGas(frame: usize, sp: usize): i64 {
  return copyGas(frame, sp, sp - 64)
}

export function codecopy(frame: usize, sp: usize): void {
  const code = <usize>load<u32>(frame, FRAME_CODE)
  copyToMemory(frame, sp, load<u32>(code, CODE_BYTES), load<u32>(code, CODE_LENGTH))
}

export function returndatacopyGas(frame: usize, sp: usize): i64 {
  const gas = copyGas(frame, sp, sp - 64)
  if (gas < 0) return gas
  const offset = sp - 32
  const end = load<u64>(offset) + load<u64>(sp - 64)
  if (!isHigh(offset) && load<u64>(offset) <= 0xffffffff && end <= <u64>load<u32>(RETURN_LENGTH)) return gas
  return gas > load<i64>(frame, FRAME_GAS) ? gas : -OUT_OF_RETURN_DATA
}

export function returndatacopy(frame: usize, sp: usize): void {
  copyToMemory(frame, sp, load<u32>(RETURN_DATA), load<u32>(RETURN_LENGTH))
}

export function mcopyGas(frame: usize, sp: usize): i64 {
  const to = endOf(sp, sp - 64)
  const from = endOf(sp - 32, sp - 64)
  const gas = memoryGas(frame, max(to, from))
  return gas < 0 ? gas : gas + ((load<i64>(sp - 64) + 31) >> 5) * 3
}

export function mcopy(frame: usize, sp: usize): void {
  const length = <u32>load<u64>(sp - 64)
  if (length == 0) return
  extend(frame, max(endOf(sp, sp - 64), endOf(sp - 32, sp - 64)))
  const memoryAt = load<u32>(frame, FRAME_MEMORY)
  memory.copy(memoryAt + <u32>load<u64>(sp), memoryAt + <u32>load<u64>(sp - 32), length)
}
