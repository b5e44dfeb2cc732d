/** Ether that comes to accounts without a transaction: withdrawals, and what mining a block paid. */
import type { Address } from '../model/bytes/hex.ts'
import type { State } from './state.ts'

/** The state in which each address has been paid its wei; a payment of nothing does not make an account. */
export function paid(state: State, payments: readonly (readonly [Address, bigint])[]): State {
  const sums = new Map<Address, bigint>()
  for (const [address, wei] of payments) {
    if (wei > 0n) sums.set(address, (sums.get(address) ?? 0n) + wei)
  }
  if (sums.size === 0) return state
  return state.with(
    [...sums].map(([address, wei]) => ({
      address,
      balance: (state.account(address)?.balance ?? 0n) + wei,
    })),
  )
}
