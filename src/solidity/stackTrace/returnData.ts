/** What the data of a revert are: `Error(string)`, `Panic(uint256)`, or a custom error. */
import { toDigits, toQuantity } from '../../bytes/hex.ts'

const ERROR_STRING = '08c379a0'
const PANIC = '4e487b71'

export function isErrorString(data: Uint8Array): boolean {
  return selectorOf(data) === ERROR_STRING
}

export function isPanic(data: Uint8Array): boolean {
  return selectorOf(data) === PANIC && data.length >= 36
}

/** Returns the number of a panic. */
export function panicCode(data: Uint8Array): bigint {
  return toQuantity(data.subarray(4, 36))
}

function selectorOf(data: Uint8Array): string {
  return toDigits(data.subarray(0, 4))
}
