/** A state as plain accounts. */
import type { GenesisAccount } from '../model/genesis.ts'
import type { State } from './state.ts'
import { entries } from './trie.ts'

/** All accounts of `state` with code and storage, in the order of their hashed addresses. */
export function accountsIn(state: State): GenesisAccount[] {
  return [...state.records()].map(({ address, balance, nonce, code, slots }) => ({
    address,
    balance,
    nonce,
    code,
    storage: [...entries(slots)].map(([, { slot, value }]) => [slot, value] as const),
  }))
}
