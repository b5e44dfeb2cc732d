// LOG: logs are kept as bytes until the run has ended.
import { ACCOUNT_ADDRESS, FRAME_ACCOUNT, FRAME_MEMORY, LOGS, LOGS_LENGTH, SCRATCH, SEGMENT, STATIC_STATE_CHANGE } from '../layout'
import { isStatic } from './frame'
import { endOf, extend, memoryGas } from './memory'
import { append, newPlaceOf, newSegments, offsetOf } from './segments'
import { reverse } from './words'

/** Returns the gas of LOG beyond its topics. */
function logGas(frame: usize, sp: usize): i64 {
  if (isStatic(frame)) return -STATIC_STATE_CHANGE
  const gas = memoryGas(frame, endOf(sp, sp - 32))
  return gas < 0 ? gas : gas + load<i64>(sp - 32) * 8
}

/** Makes the place of logs. */
export function startLogs(): void {
  store<u32>(LOGS, <u32>newSegments())
}

/** Adds a log: number of topics, length of data, address (24 bytes); topics; data, up to a multiple of 8. */
function log(frame: usize, sp: usize, topics: u32): void {
  extend(frame, endOf(sp, sp - 32))
  const list = <usize>load<u32>(LOGS)
  const length = <u32>load<u64>(sp - 32)
  const begin = load<u32>(LOGS_LENGTH)
  const head = 32 + (topics << 5)
  const isCut = offsetOf(begin) + head > <u32>SEGMENT
  const place = isCut ? SCRATCH : newPlaceOf(list, begin)
  const address = <usize>load<u32>(frame, FRAME_ACCOUNT) + ACCOUNT_ADDRESS
  store<u32>(place, topics)
  store<u32>(place, length, 4)
  store<u64>(place, load<u64>(address), 8)
  store<u64>(place, load<u64>(address, 8), 16)
  store<u64>(place, load<u64>(address, 16), 24)
  for (let i: u32 = 0; i < topics; i++) reverse(place + 32 + (<usize>i << 5), sp - 64 - (<usize>i << 5))
  if (isCut) append(list, begin, SCRATCH, head)
  if (length != 0) append(list, begin + head, <usize>load<u32>(frame, FRAME_MEMORY) + <u32>load<u64>(sp), length)
  store<u32>(LOGS_LENGTH, begin + head + ((length + 7) & ~7))
}

export function log0Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log1Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log2Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log3Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log4Gas(frame: usize, sp: usize): i64 {
  return logGas(frame, sp)
}
export function log0(frame: usize, sp: usize): void {
  log(frame, sp, 0)
}
export function log1(frame: usize, sp: usize): void {
  log(frame, sp, 1)
}
export function log2(frame: usize, sp: usize): void {
  log(frame, sp, 2)
}
export function log3(frame: usize, sp: usize): void {
  log(frame, sp, 3)
}
export function log4(frame: usize, sp: usize): void {
  log(frame, sp, 4)
}
