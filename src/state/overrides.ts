/** A state with some accounts replaced for one simulation (the third parameter of eth_call). */
import type { AccountOverride } from '../model/execution/call.ts'
import type { AccountChange, State } from './state.ts'

/** Returns the state with `overrides` applied; `state` does not change. The cost depends on what is overridden. */
export function withOverrides(state: State, overrides: readonly AccountOverride[]): State {
  const changes = overrides.filter(changesState).map(toChange)
  return changes.length === 0 ? state : state.with(changes)
}

/** Returns whether an override changes anything. One that does not must not create its account. */
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
