/** Makes a state from all its accounts. */

import { areEqual } from '../bytes/bytes.ts'
import type { Address } from '../bytes/hex.ts'
import type { GenesisAccount } from '../model/block/genesis.ts'
import type { AccountChange, AccountRecord, State } from './state.ts'
import { entries } from './trie.ts'

/** Returns the state with `accounts` and no others. Shares equal parts with `like`. */
export function exactly(like: State, accounts: readonly GenesisAccount[]): State {
  const wanted = new Set<Address>(accounts.map(({ address }) => address))
  const changes: AccountChange[] = []
  for (const { address } of like.records()) if (!wanted.has(address)) changes.push({ address, deleted: true })
  for (const account of accounts) {
    const change = changeTo(account, like.record(account.address))
    if (change !== undefined) changes.push(change)
  }
  return like.with(changes)
}

function changeTo(account: GenesisAccount, was: AccountRecord | undefined): AccountChange | undefined {
  if (was === undefined) return account
  const { address, nonce, balance, code } = account
  const storage = storageChanges(account, was)
  const hasSameCode = areEqual(was.code, code)
  if (hasSameCode && was.nonce === nonce && was.balance === balance && storage.length === 0) return undefined
  // Equal code is the same object, so that it is in memory once.
  return { address, nonce, balance, code: hasSameCode ? was.code : code, storage }
}

function storageChanges({ storage }: GenesisAccount, was: AccountRecord): (readonly [bigint, bigint])[] {
  const gone = new Map<bigint, bigint>()
  for (const [, { slot, value }] of entries(was.slots)) gone.set(slot, value)
  const changes = storage.filter(([slot, value]) => {
    const before = gone.get(slot) ?? 0n
    gone.delete(slot)
    return before !== value
  })
  return [...changes, ...[...gone.keys()].map((slot) => [slot, 0n] as const)]
}
