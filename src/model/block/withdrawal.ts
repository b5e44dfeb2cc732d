/** A withdrawal: an amount that the beacon chain pays to an account (EIP-4895). */
import { type Address, fromHex, toMinimalBytes } from '../../bytes/hex.ts'

/** A withdrawal of a validator's balance. */
export interface Withdrawal {
  readonly index: bigint
  readonly validatorIndex: bigint
  readonly address: Address
  /** In gwei, unlike all other amounts. */
  readonly amountGwei: bigint
}

/** Returns the withdrawal as RLP input, for blocks and for the withdrawals trie. */
export function withdrawalFields({
  index,
  validatorIndex,
  address,
  amountGwei,
}: Withdrawal): [Uint8Array, Uint8Array, Uint8Array, Uint8Array] {
  return [toMinimalBytes(index), toMinimalBytes(validatorIndex), fromHex(address), toMinimalBytes(amountGwei)]
}
