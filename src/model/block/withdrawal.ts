/** What the beacon chain pays out to an account (EIP-4895). */
import { type Address, fromHex, toMinimalBytes } from '../bytes/hex.ts'

export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Address
  /** Gwei, unlike all other amounts. */
  readonly amountGwei: bigint
}

/** A withdrawal as RLP input, as it stands in a block and in the withdrawals trie. */
export function withdrawalFields({
  index,
  validatorIndex,
  address,
  amountGwei,
}: Withdrawal): [Uint8Array, Uint8Array, Uint8Array, Uint8Array] {
  return [toMinimalBytes(index), toMinimalBytes(validatorIndex), fromHex(address), toMinimalBytes(amountGwei)]
}
