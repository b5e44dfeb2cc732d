import { areEqual } from '../bytes/bytes.ts'
import type { Address } from '../bytes/hex.ts'
import type { GenesisAccount } from '../model/block/genesis.ts'
import { PartialState } from './remoteState.ts'
import {
  type AccountChange,
  type AccountRecord,
  EMPTY_CODE_HASH,
  type SlotRecord,
  type State,
} from './state.ts'
import { entries, type Trie } from './trie.ts'
import { changesBetween } from './trieChanges.ts'

/** Returns all accounts, ordered by hashed address. Throws `PartialState` for a forked state. */
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

/** Returns a state with exactly `accounts`. The state shares unchanged accounts and code with `like`. */
export function stateWithAccounts(like: State, accounts: readonly GenesisAccount[]): State {
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
  // Reuses the code in `was`, so that equal code is in memory only once.
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

/** The changes of one account. Absent members are unchanged. A new account starts empty. */
export interface AccountDifference {
  readonly address: Address
  readonly isDeleted: boolean
  readonly nonce?: bigint
  readonly balance?: bigint
  readonly code?: { readonly bytes: Uint8Array; readonly hash: Uint8Array }
  /** The changed slots with their new values, ordered by hashed slot. The value 0 means that the slot was removed. */
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

/** Yields changes in order of hashed address. On a fork, includes accounts that were written with the same values. */
export function* differences(before: State, after: State): Generator<AccountDifference> {
  for (const [, was, is] of after.changesSince(before)) {
    if (is === undefined) {
      yield { address: was!.address, isDeleted: true, storage: [] }
      continue
    }
    if (was?.remote !== undefined && is.remote === undefined) {
      // The account was deleted and created again, so its remote slots no longer exist.
      yield { address: is.address, isDeleted: true, storage: [] }
      yield differenceOf(undefined, is)
      continue
    }
    const difference = differenceOf(was, is)
    if (was === undefined || isChange(difference) || after.remote !== undefined) yield difference
  }
}

function differenceOf(was: AccountRecord | undefined, is: AccountRecord): AccountDifference {
  const { address, nonce, balance, code, codeHash } = is
  return {
    address,
    isDeleted: false,
    ...(nonce === (was?.nonce ?? 0n) ? {} : { nonce }),
    ...(balance === (was?.balance ?? 0n) ? {} : { balance }),
    ...(areEqual(codeHash, was?.codeHash ?? EMPTY_CODE_HASH)
      ? {}
      : { code: { bytes: code, hash: codeHash } }),
    storage: slotDifferences(was?.slots, is.slots),
  }
}

function slotDifferences(was: Trie<SlotRecord>, is: Trie<SlotRecord>): [bigint, bigint][] {
  const slots: [bigint, bigint][] = []
  for (const [, before, after] of changesBetween(was, is)) {
    if (before?.value !== after?.value) slots.push([(after ?? before)!.slot, after?.value ?? 0n])
  }
  return slots
}

function isChange({ nonce, balance, code, storage }: AccountDifference): boolean {
  return nonce !== undefined || balance !== undefined || code !== undefined || storage.length > 0
}
