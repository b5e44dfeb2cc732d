// Instructions whose gas depends on their operands. `xGas` returns the gas, or an error as a negative number, and changes nothing;
// `x` does the rest. Those without a function for gas have static gas alone. Each topic has a file.
import { BLOB_COUNT, BLOB_HASHES, EXP_BYTE_GAS, NUMBER } from '../layout'
import { blockHash } from './host'
import { exp } from './uint256'
import { copy, isHigh, put } from './words'

export * from './accountAccess'
export * from './hashing'
export * from './memory'
export * from './storage'

export function powerGas(frame: usize, sp: usize): i64 {
  const exponent = sp - 32
  let bytes: i64 = 0
  for (let limb: i32 = 3; limb >= 0; limb--) {
    const value = load<u64>(exponent + (<usize>limb << 3))
    if (value != 0) {
      bytes = <i64>limb * 8 + ((71 - <i64>clz<u64>(value)) >> 3)
      break
    }
  }
  return bytes * <i64>load<u32>(EXP_BYTE_GAS)
}

export function power(frame: usize, sp: usize): void {
  exp(sp, sp - 32, sp - 32)
}

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
