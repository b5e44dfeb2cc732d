/** The nonce that an account would use next (seed 4.5). */
import type { Address } from '../model/bytes/hex.ts'
import type { Selector } from '../model/selector.ts'
import type { StateView } from '../state/view.ts'

/**
 * The transaction count of `owner` in `state`, the state of `selector`. This is the other of the two places where it
 * matters that a selector was `pending`: only there the waiting transactions count, by what `withWaiting` makes of the
 * count (`undefined`: they do not count at all).
 */
export function transactionCount(
  state: StateView,
  selector: Selector,
  owner: Address,
  withWaiting: ((owner: Address, count: bigint) => bigint) | undefined,
): bigint {
  const count = state.account(owner)?.nonce ?? 0n
  const isPending = selector.kind === 'tag' && selector.tag === 'pending'
  return isPending && withWaiting !== undefined ? withWaiting(owner, count) : count
}
