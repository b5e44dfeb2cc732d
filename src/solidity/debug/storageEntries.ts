/** The storage of an account by the names of its variables, outside of a run. */
import type { Address } from '../../bytes/hex.ts'
import { guessKeys, type LikelyKeys } from './guessKeys.ts'
import { Preimages } from './preimages.ts'
import { type NamedLayout, type OpenAccess, type RawAccess, StorageNames } from './storageNames.ts'
import { type FoundVariable, findVariable } from './variablePath.ts'

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
  for (const { layout } of layouts) await guessKeys(layout.written, keys, slots, preimages, pause)
  return (slot) => {
    const { accesses } = namesOf(preimages).accesses(readOf(slot, slots), layouts, slots)
    return accesses.flatMap(stored)
  }
}

/** A variable that somebody asked for, with what it has in its slots. */
export type AskedVariable =
  | (Extract<FoundVariable, { kind: 'found' }> & {
      readonly variablesIn: (slot: bigint) => readonly StoredVariable[]
    })
  | Extract<FoundVariable, { kind: 'none' }>

/** Returns the variable called `name` by the first of `layouts` that has it. */
export function storedVariable(
  layouts: readonly NamedLayout[],
  name: string,
  slots: Omit<StoredSlots, 'isSet'>,
): AskedVariable {
  let missing: AskedVariable | undefined
  for (const named of layouts) {
    const preimages = new Preimages()
    const found = findVariable(named, name, slots.word, preimages)
    if (found.kind === 'found') {
      const isPart = (one: StoredVariable) => isWithin(one.name, found.name)
      const variablesIn = (slot: bigint) =>
        namesOf(preimages).each(readOf(slot, slots), [named], slots).flatMap(stored).filter(isPart)
      return { ...found, variablesIn }
    }
    missing ??= found
  }
  return missing ?? { kind: 'none', expected: 'a contract whose storage layout an artifact tells' }
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || (name.startsWith(outer) && /[[.]/.test(name.charAt(outer.length)))
}

/** Nothing is kept from one slot to the next. */
function namesOf(preimages: Preimages): StorageNames {
  return new StorageNames(preimages)
}

function readOf(slot: bigint, { address, word: read }: Omit<StoredSlots, 'isSet'>): RawAccess {
  const word = read(slot)
  const found = { slot, before: word, after: word, address, word: read }
  return { kind: 'read', isTransient: false, meant: undefined, ...found }
}

function stored({ name, type, value }: OpenAccess): StoredVariable[] {
  return name === undefined || type === undefined ? [] : [{ name, type, value }]
}

/** What transient storage holds during one run: it begins empty, and what failed calls wrote is undone. */
export class TransientStorage {
  readonly #words = new Map<string, bigint>()
  /** What was there before each write, the last at the end. */
  readonly #undo: { readonly key: string; readonly before: bigint }[] = []

  /** The number of writes, for `revertTo`. */
  get mark(): number {
    return this.#undo.length
  }

  read(address: Address, slot: bigint): bigint {
    return this.#words.get(keyOf(address, slot)) ?? 0n
  }

  write(address: Address, slot: bigint, value: bigint): void {
    const key = keyOf(address, slot)
    this.#undo.push({ key, before: this.#words.get(key) ?? 0n })
    this.#words.set(key, value)
  }

  /** Undoes all writes after `mark`. */
  revertTo(mark: number): void {
    while (this.#undo.length > mark) {
      const { key, before } = this.#undo.pop()!
      this.#words.set(key, before)
    }
  }
}

function keyOf(address: Address, slot: bigint): string {
  return `${address} ${slot}`
}
