/** EIP-7702 delegation: the code of an externally owned account that names another account, whose code is run. */
import { type Address, fromHex, toHex } from '../../bytes/hex.ts'

const LENGTH = 23

/** Returns the address that `code` delegates to; `undefined` if `code` is not 0xef0100 and an address. */
export function delegateOf(code: Uint8Array): Address | undefined {
  const isDelegation = code.length === LENGTH && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
  return isDelegation ? toHex(code.subarray(3)) : undefined
}

/** Returns the code that delegates to `address`: 0xef0100 and the address. */
export function delegationTo(address: Address): Uint8Array {
  const code = new Uint8Array(LENGTH)
  code.set([0xef, 0x01, 0x00])
  code.set(fromHex(address), 3)
  return code
}
