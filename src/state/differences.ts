/**
 * The differences between two states, account by account. They depend only on the two states, not on how these were
 * made.
 */
import { areEqual } from '../bytes/bytes.ts'
import type { Address } from '../bytes/hex.ts'
import { type AccountRecord, EMPTY_CODE_HASH, type SlotRecord, type State } from './state.ts'
import type { Trie } from './trie.ts'
import { changesBetween } from './trieChanges.ts'

/** The changes of one account. Absent members are unchanged; an account that did not exist starts empty. */
export interface AccountDifference {
  readonly address: Address
  readonly isDeleted: boolean
  readonly nonce?: bigint
  /** In wei. */
  readonly balance?: bigint
  readonly code?: { readonly bytes: Uint8Array; readonly hash: Uint8Array }
  /** Changed slots with their new values, zero for removed ones, in the order of their hashes. */
  readonly storage: readonly (readonly [slot: bigint, value: bigint])[]
}

/**
 * Yields the changes that lead from `before` to `after`, in the order of the hashed addresses. Above a remote state also
 * accounts that changed to what they are there: the stand-in of the root depends on which are here.
 */
export function* differences(before: State, after: State): Generator<AccountDifference> {
  for (const [, was, is] of after.changesSince(before)) {
    if (is === undefined) {
      yield { address: was!.address, isDeleted: true, storage: [] }
      continue
    }
    if (was?.remote !== undefined && is.remote === undefined) {
      // Its slots there count no more: it is gone, and then exists again.
      yield { address: is.address, isDeleted: true, storage: [] }
      yield differenceOf(undefined, is)
      continue
    }
    const difference = differenceOf(was, is)
    if (was === undefined || isSomething(difference) || after.remote !== undefined) yield difference
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
  if (was === is) return []
  const slots: [bigint, bigint][] = []
  for (const [, before, after] of changesBetween(was, is)) {
    if (before?.value !== after?.value) slots.push([(after ?? before)!.slot, after?.value ?? 0n])
  }
  return slots
}

function isSomething({ nonce, balance, code, storage }: AccountDifference): boolean {
  return nonce !== undefined || balance !== undefined || code !== undefined || storage.length > 0
}
