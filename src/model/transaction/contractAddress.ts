/** The addresses of new contracts. */
import { type Address, fromHex, toHex, toMinimalBytes, toWord } from '../../bytes/hex.ts'
import { encodeRlp } from '../../bytes/rlp.ts'
import { keccak256 } from '../../crypto/keccak.ts'

/** Returns the address of the contract that `sender` creates in the transaction with this nonce (Yellow Paper, 7). */
export function contractAddress(sender: Address, nonce: bigint): Address {
  return toHex(keccak256(encodeRlp([fromHex(sender), toMinimalBytes(nonce)])).subarray(12))
}

/** Returns the address of the contract that `sender` creates from `initCode` with CREATE2 and this salt (EIP-1014). */
export function salted(sender: Address, salt: bigint, initCode: Uint8Array): Address {
  const preimage = new Uint8Array(85)
  preimage[0] = 0xff
  preimage.set(fromHex(sender), 1)
  preimage.set(toWord(salt), 21)
  preimage.set(keccak256(initCode), 53)
  return toHex(keccak256(preimage).subarray(12))
}
