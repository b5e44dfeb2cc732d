/** EIP-7702: an account of a person whose code says that it runs the code of another account. */
import { type Address, toHex } from '../bytes/hex.ts'

const LENGTH = 23

/** Whose code is run, if `code` only says that: 0xef0100 and an address. */
export function delegateOf(code: Uint8Array): Address | undefined {
  const isDelegation = code.length === LENGTH && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
  return isDelegation ? toHex(code.subarray(3)) : undefined
}
