/** The storage of an account by the names of its variables, outside of a run. */
import type { Address } from '../../model/bytes/hex.ts'
import { guessKeys, type LikelyKeys } from './guessKeys.ts'
import { Preimages } from './preimages.ts'
import { type NamedLayout, StorageNames } from './storageNames.ts'

/** What a variable has in a slot. */
export interface StoredVariable {
  /** With keys, indexes and members, such as `balances[0x…].since`. */
  readonly name: string
  /** The Solidity type, such as `uint64`. */
  readonly type: string
  /** In viem's form; members of enums by their names; the length of a dynamic array. */
  readonly value: unknown
}

/** Slots of an account. */
export interface StoredSlots {
  readonly address: Address
  /** Returns the word of a slot. */
  readonly word: (slot: bigint) => bigint
  /** Returns whether a slot is known not to be zero. */
  readonly isSet: (slot: bigint) => boolean
}

/**
 * Resolves to what names the slots of an account by `layouts`, of which the first that has a variable there is taken. Keys of mappings
 * are looked for among `keys`.
 */
export async function storageNaming(
  layouts: readonly NamedLayout[],
  slots: StoredSlots,
  keys: LikelyKeys,
  pause: () => Promise<void> | undefined,
): Promise<(slot: bigint) => readonly StoredVariable[]> {
  const preimages = new Preimages()
  for (const { layout } of layouts) await guessKeys(layout.written, keys, slots.isSet, preimages, pause)
  return (slot) => {
    const word = slots.word(slot)
    const raw = {
      kind: 'read' as const,
      isTransient: false,
      meant: undefined,
      before: word,
      after: word,
      slot,
    }
    // Nothing is kept from one slot to the next.
    const names = new StorageNames(preimages)
    const { accesses } = names.accesses({ ...raw, address: slots.address, word: slots.word }, layouts, slots)
    return accesses.flatMap(({ name, type, value }) =>
      name === undefined || type === undefined ? [] : [{ name, type, value }],
    )
  }
}
