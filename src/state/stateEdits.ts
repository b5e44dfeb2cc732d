/** Changes of a state without a transaction: overrides of a simulation, withdrawals and mining rewards. */
import type { Address } from '../bytes/hex.ts'
import type { AccountOverride } from '../model/execution/call.ts'
import type { AccountChange, State } from './state.ts'

/** Returns the state with the overrides of a simulation (the third parameter of eth_call). */
export function withOverrides(state: State, overrides: readonly AccountOverride[]): State {
  const changes = overrides.filter(changesState).map(toChange)
  return changes.length === 0 ? state : state.with(changes)
}

/** Returns whether an override changes anything. An override without changes must not create the account. */
function changesState({ nonce, balance, code, state, stateDiff = [] }: AccountOverride): boolean {
  const said = [nonce, balance, code, state].some((value) => value !== undefined)
  return said || stateDiff.length > 0
}

function toChange({ address, nonce, balance, code, state, stateDiff }: AccountOverride): AccountChange {
  return {
    address,
    ...(nonce === undefined ? {} : { nonce }),
    ...(balance === undefined ? {} : { balance }),
    ...(code === undefined ? {} : { code }),
    storageCleared: state !== undefined,
    storage: state ?? stateDiff ?? [],
  }
}

/** Returns the state after withdrawals or mining rewards in wei. A payment of 0 creates no account. */
export function withPayments(state: State, payments: readonly (readonly [Address, bigint])[]): State {
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
