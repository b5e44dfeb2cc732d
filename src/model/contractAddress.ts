/** Where a contract comes to stand. */
import { type Address, fromHex, toHex, toMinimalBytes } from './hex.ts'
import { keccak256 } from './keccak.ts'
import { encodeRlp } from './rlp.ts'

/** The address of the contract that `sender` creates with the transaction of this nonce (Yellow Paper, 7). */
export function contractAddress(sender: Address, nonce: bigint): Address {
  return toHex(keccak256(encodeRlp([fromHex(sender), toMinimalBytes(nonce)])).subarray(12))
}
