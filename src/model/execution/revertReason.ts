/** The reason of a revert in geth's words: the strings of `require` and `revert`, and Solidity's panics. */
import { toDigits, toQuantity } from '../../bytes/hex.ts'

const ERROR_STRING = '08c379a0'
const PANIC = '4e487b71'

/** https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require */
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

/** Returns the reason in `data`; `undefined` if `data` is neither `Error(string)` nor `Panic(uint256)`. */
export function revertReason(data: Uint8Array): string | undefined {
  const selector = toDigits(data.subarray(0, 4))
  if (selector === PANIC && data.length >= 36) {
    const code = toQuantity(data.subarray(4, 36))
    return PANICS.get(code) ?? `unknown panic code: 0x${code.toString(16)}`
  }
  if (selector !== ERROR_STRING || data.length < 68) return undefined
  const offset = toQuantity(data.subarray(4, 36))
  const length = toQuantity(data.subarray(36, 68))
  if (offset !== 32n || length > BigInt(data.length - 68)) return undefined
  return new TextDecoder().decode(data.subarray(68, 68 + Number(length)))
}
