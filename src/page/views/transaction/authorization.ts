/** Who signed an authorization (EIP-7702): the precompile ECRECOVER tells it, so that the page needs no curve of its own. */
import type { Hex } from '../../../bytes/hex.ts'
import { fromHex, toHex, toMinimalBytes } from '../../../bytes/hex.ts'
import { encodeRlp, withType } from '../../../bytes/rlp.ts'
import { hashOf } from '../../../solidity/abi/codec.ts'

export interface Authorization {
  readonly chainId: Hex
  readonly address: Hex
  readonly nonce: Hex
  readonly yParity: Hex
  readonly r: Hex
  readonly s: Hex
}

const ECRECOVER: Hex = '0x0000000000000000000000000000000000000001'
/** The byte before the RLP of what is signed. */
const MAGIC = 5

/** Returns the call that answers who signed. */
export function recoveryOf({ chainId, address, nonce, yParity, r, s }: Authorization): {
  to: Hex
  data: Hex
} {
  const tuple = encodeRlp([toMinimalBytes(BigInt(chainId)), fromHex(address), toMinimalBytes(BigInt(nonce))])
  const hash = hashOf(toHex(withType(MAGIC, tuple)))
  const words = [27n + BigInt(yParity), BigInt(r), BigInt(s)].map((each) =>
    each.toString(16).padStart(64, '0'),
  )
  return { to: ECRECOVER, data: `${hash}${words.join('')}` }
}

/** Returns the account in the answer of that call; `undefined` where the signature is of nobody. */
export function authorityIn(answer: Hex): Hex | undefined {
  return answer.length === 66 ? `0x${answer.slice(-40)}` : undefined
}
