/** The nonce that an account would use next (seed 4.5). */
import type { Address } from '../bytes/hex.ts'
import { isPending, type Selector } from '../model/block/selector.ts'
import type { StateView } from '../state/view.ts'

/**
 * Returns the transaction count of `owner` in `state`, the state of `selector`. This is the other of the two places
 * where the tag `pending` itself matters: only with it the waiting transactions are counted, by `withWaiting`, which
 * takes the count (`undefined`: they are not counted).
 */
export function transactionCount(
  state: StateView,
  selector: Selector,
  owner: Address,
  withWaiting: ((owner: Address, count: bigint) => bigint) | undefined,
): bigint {
  const count = state.account(owner)?.nonce ?? 0n
  return isPending(selector) && withWaiting !== undefined ? withWaiting(owner, count) : count
}
