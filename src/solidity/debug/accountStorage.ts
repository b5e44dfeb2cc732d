/** The storage of an account by variable names, outside of a run. */

import type { Address } from '../../bytes/hex.ts'
import { guessKeys, type LikelyKeys } from './guessKeys.ts'
import { type Layout, Preimages } from './layout.ts'
import { type OpenAccess, type RawAccess, StorageNames } from './storageNames.ts'
import { type FoundVariable, findVariable } from './variablePath.ts'

export interface StoredVariable {
  /** With keys, indexes and members, such as `balances[0x…].since`. */
  readonly name: string
  /** Such as `uint64`. */
  readonly type: string
  /** In viem's form; enum members by name; a dynamic array's length. */
  readonly value: unknown
}

export interface StoredSlots {
  readonly address: Address
  readonly word: (slot: bigint) => bigint
  /** Whether a slot is known to be non-zero. */
  readonly isSet: (slot: bigint) => boolean
}

/** Resolves to a function that names slots by `layouts`, with mapping keys among `keys`. */
export async function storageNaming(
  layouts: readonly Layout[],
  slots: StoredSlots,
  keys: LikelyKeys,
  pause: () => Promise<void> | undefined,
): Promise<(slot: bigint) => readonly StoredVariable[]> {
  const preimages = new Preimages()
  for (const layout of layouts) await guessKeys(layout, keys, slots, preimages, pause)
  return (slot) => {
    const { accesses } = new StorageNames(preimages).accesses(readOf(slot, slots), layouts, slots)
    return accesses.flatMap(stored)
  }
}

/** A requested variable with the values in its slots. */
export type AskedVariable =
  | (Extract<FoundVariable, { kind: 'found' }> & {
      readonly variablesIn: (slot: bigint) => readonly StoredVariable[]
    })
  | Extract<FoundVariable, { kind: 'none' }>

/** Returns the variable `name` by the first of `layouts` that has it. */
export function storedVariable(
  layouts: readonly Layout[],
  name: string,
  slots: Omit<StoredSlots, 'isSet'>,
): AskedVariable {
  let missing: AskedVariable | undefined
  for (const layout of layouts) {
    const preimages = new Preimages()
    const found = findVariable(layout, name, slots.word, preimages)
    if (found.kind === 'found') {
      const isPart = (one: StoredVariable) => isWithin(one.name, found.name)
      const variablesIn = (slot: bigint) =>
        new StorageNames(preimages).each(readOf(slot, slots), [layout], slots).flatMap(stored).filter(isPart)
      return { ...found, variablesIn }
    }
    missing ??= found
  }
  return missing ?? { kind: 'none', expected: 'a contract whose storage layout an artifact tells' }
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || (name.startsWith(outer) && /[[.]/.test(name.charAt(outer.length)))
}

function readOf(slot: bigint, { address, word: read }: Omit<StoredSlots, 'isSet'>): RawAccess {
  const word = read(slot)
  const found = { slot, before: word, after: word, address, word: read }
  return { kind: 'read', isTransient: false, target: undefined, ...found }
}

function stored({ name, type, value }: OpenAccess): StoredVariable[] {
  return name === undefined || type === undefined ? [] : [{ name, type, value }]
}
