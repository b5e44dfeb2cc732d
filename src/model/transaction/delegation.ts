/** EIP-7702 delegation: the code of an externally owned account that names another account, whose code is run. */
import { type Address, toHex } from '../bytes/hex.ts'

const LENGTH = 23

/** Returns the address that `code` delegates to; `undefined` if `code` is not 0xef0100 and an address. */
export function delegateOf(code: Uint8Array): Address | undefined {
  const isDelegation = code.length === LENGTH && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
  return isDelegation ? toHex(code.subarray(3)) : undefined
}
