/** Where a contract comes to stand. */
import { type Address, fromHex, toHex, toMinimalBytes, toWord } from '../bytes/hex.ts'
import { encodeRlp } from '../bytes/rlp.ts'
import { keccak256 } from '../crypto/keccak.ts'

/** The address of the contract that `sender` creates with the transaction of this nonce (Yellow Paper, 7). */
export function contractAddress(sender: Address, nonce: bigint): Address {
  return toHex(keccak256(encodeRlp([fromHex(sender), toMinimalBytes(nonce)])).subarray(12))
}

/** The address of the contract that `sender` creates from `initCode` under a salt (EIP-1014). */
export function salted(sender: Address, salt: bigint, initCode: Uint8Array): Address {
  const preimage = new Uint8Array(85)
  preimage[0] = 0xff
  preimage.set(fromHex(sender), 1)
  preimage.set(toWord(salt), 21)
  preimage.set(keccak256(initCode), 53)
  return toHex(keccak256(preimage).subarray(12))
}
