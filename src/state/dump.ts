/** The accounts of a state as plain data. */

import { fromBinary, toBinary } from '../bytes/bytes.ts'
import { type Address, fromHex, type Hash, toHex } from '../bytes/hex.ts'
import type { GenesisAccount } from '../model/block/genesis.ts'
import { PartialState } from './remoteState.ts'
import type { SlotRecord, State } from './state.ts'
import { entries } from './trie.ts'

/**
 * Returns all accounts of `state` with code and storage, in the order of their hashed addresses. Throws `PartialState`
 * if it stands on a remote one.
 */
export function accountsIn(state: State): GenesisAccount[] {
  if (state.remote !== undefined) throw new PartialState('lists of all accounts')
  return [...state.records()].map(({ address, balance, nonce, code, slots }) => ({
    address,
    balance,
    nonce,
    code,
    storage: [...entries(slots)].map(([, { slot, value }]) => [slot, value] as const),
  }))
}

/** Slots of an account in the order of their hashes, and the hash of the first slot after them. */
export interface StorageRange {
  readonly slots: readonly (SlotRecord & { readonly hash: Hash })[]
  readonly next: Hash | undefined
}

/**
 * Returns at most `limit` slots of the account at `address`, from the first whose hash is at least `start`. Throws
 * `PartialState` if a remote state has slots of it.
 */
export function storageRange(state: State, address: Address, start: Hash, limit: number): StorageRange {
  const from = toBinary(fromHex(start))
  const slots: (SlotRecord & { hash: Hash })[] = []
  const record = state.record(address)
  if (record?.remote !== undefined) throw new PartialState('lists of all slots')
  for (const [key, { slot, value }] of entries(record?.slots)) {
    if (key < from) continue
    const hash = toHex(fromBinary(key))
    if (slots.length === limit) return { slots, next: hash }
    slots.push({ hash, slot, value })
  }
  return { slots, next: undefined }
}
