/** A world with some accounts replaced for one simulation (the third parameter of eth_call). */
import type { AccountOverride } from '../model/call.ts'
import type { AccountChange, State } from './state.ts'

/** The state with `overrides` applied; the given one stays what it is. Costs what is overridden. */
export function withOverrides(state: State, overrides: readonly AccountOverride[]): State {
  return overrides.length === 0 ? state : state.with(overrides.map(toChange))
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
