/** Payments of ether without a transaction: withdrawals and mining rewards. */
import type { Address } from '../bytes/hex.ts'
import type { State } from './state.ts'

/** Returns the state with each payment, in wei, added to its address. A payment of zero creates no account. */
export function paid(state: State, payments: readonly (readonly [Address, bigint])[]): State {
  const sums = new Map<Address, bigint>()
  for (const [address, wei] of payments) {
    if (wei > 0n) sums.set(address, (sums.get(address) ?? 0n) + wei)
  }
  if (sums.size === 0) return state
  state.requireAccounts(sums.keys())
  return state.with(
    [...sums].map(([address, wei]) => ({
      address,
      balance: (state.account(address)?.balance ?? 0n) + wei,
    })),
  )
}
