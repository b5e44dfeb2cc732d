/** Decodes the built-in errors of Solidity, `Error(string)` and `Panic(uint256)`. */
import { toDigits, toQuantity } from '../../bytes/hex.ts'

/** The selector of `Error(string)`, the revert data of `require` and `revert` with a reason. */
const ERROR_SELECTOR = '08c379a0'
export const PANIC_SELECTOR = '4e487b71'

/** The meanings of panic codes (Solidity documentation, "Panic via assert and Error via require"). */
const PANICS = new Map<bigint, string>([
  [0x00n, 'generic panic'],
  [0x01n, 'assert(false)'],
  [0x11n, 'arithmetic underflow or overflow'],
  [0x12n, 'division or modulo by zero'],
  [0x21n, 'enum overflow'],
  [0x22n, 'invalid encoded storage byte array accessed'],
  [0x31n, 'out-of-bounds array access; popping on an empty array'],
  [0x32n, 'out-of-bounds access of an array or bytesN'],
  [0x41n, 'out of memory'],
  [0x51n, 'uninitialized function'],
])

export function isErrorString(data: Uint8Array): boolean {
  return toDigits(data.subarray(0, 4)) === ERROR_SELECTOR
}

/** Returns the code of a `Panic(uint256)`; `undefined` for other revert data. */
export function panicCode(data: Uint8Array): bigint | undefined {
  const isPanic = data.length >= 36 && toDigits(data.subarray(0, 4)) === PANIC_SELECTOR
  return isPanic ? toQuantity(data.subarray(4, 36)) : undefined
}

/** Returns the string of an `Error(string)`, or geth's words for a `Panic(uint256)`; `undefined` for other data. */
export function revertReason(data: Uint8Array): string | undefined {
  const panic = panicCode(data)
  if (panic !== undefined) return PANICS.get(panic) ?? `unknown panic code: 0x${panic.toString(16)}`
  if (!isErrorString(data) || data.length < 68) return undefined
  const offset = toQuantity(data.subarray(4, 36))
  const length = toQuantity(data.subarray(36, 68))
  if (offset !== 32n || length > BigInt(data.length - 68)) return undefined
  return new TextDecoder().decode(data.subarray(68, 68 + Number(length)))
}
