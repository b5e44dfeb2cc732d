/** Finds the variables in an account's storage without running code. */

import { concatenate } from '../../bytes/bytes.ts'
import { type Address, toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { Argument } from '../abi/decoded.ts'
import { fixedLength, type Layout, least, Preimages } from './layout.ts'
import { type OpenAccess, type RawAccess, StorageNames } from './storageNames.ts'
import type { ValueType } from './values.ts'
import { type FoundVariable, findVariable } from './variablePath.ts'

/** A variable with keys, indexes and members, such as `balances[0x…].since`. The value of an array is its length. */
type StoredVariable = Argument

export interface StoredSlots {
  readonly address: Address
  readonly word: (slot: bigint) => bigint
  readonly isSet: (slot: bigint) => boolean
}

/** Resolves to a function that names the variables in a slot. Finds mapping values whose keys are among `keys`. */
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

export type VariableLookup =
  | (Extract<FoundVariable, { kind: 'found' }> & {
      readonly variablesIn: (slot: bigint) => readonly StoredVariable[]
    })
  | Extract<FoundVariable, { kind: 'none' }>

export function storedVariable(
  layouts: readonly Layout[],
  name: string,
  slots: Omit<StoredSlots, 'isSet'>,
): VariableLookup {
  let missing: VariableLookup | undefined
  for (const layout of layouts) {
    const preimages = new Preimages()
    const found = findVariable(layout, name, slots.word, preimages)
    if (found.kind === 'found') {
      const isPart = (one: StoredVariable) => isWithin(one.name, found.name)
      const variablesIn = (slot: bigint) =>
        new StorageNames(preimages).each(readOf(slot, slots), layout, slots).flatMap(stored).filter(isPart)
      return { ...found, variablesIn }
    }
    missing ??= found
  }
  return missing ?? { kind: 'none', expected: 'a contract whose storage layout is in an artifact' }
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

/** Mapping keys to try, the most likely key first. The keys are words and texts from transactions and logs. */
export interface LikelyKeys {
  readonly words: readonly bigint[]
  readonly texts: readonly Uint8Array[]
}

/** The maximum number of hashes for one variable, and the maximum number of keys to try in nested mappings. */
const MOST_HASHES = 50_000
const MOST_NESTED_KEYS = 200
/** Maximum number of elements to search in an array. */
const MOST_ELEMENTS = 1_000n
/** Number of hashes between two pauses. */
const HASHES_AT_ONCE = 500
const MOST_DEPTH = 8

/** Adds to `seen` the preimages of hashes that lead to non-zero slots. Awaits `pause` every `HASHES_AT_ONCE` hashes. */
async function guessKeys(
  layout: Layout,
  keys: LikelyKeys,
  slots: StoredSlots,
  seen: Preimages,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  for (const { type, slot } of layout.variables) {
    const searchValue = keySearch(layout, keys, slots, seen)
    for (const _ of searchValue(type, BigInt(slot), 0)) await pause()
  }
}

/** Returns the function that searches for keys of mappings, of which it tries at most `MOST_HASHES` in all. */
function keySearch(layout: Layout, keys: LikelyKeys, slots: StoredSlots, seen: Preimages) {
  let hashes = 0

  return searchValue

  /** Searches the slots of a value that begins at `slot`. Returns whether any of these slots is set. */
  function* searchValue(id: string | undefined, slot: bigint, depth: number): Generator<undefined, boolean> {
    const type = layout.type(id)
    if (type === undefined || depth > MOST_DEPTH) return false
    if (type.encoding === 'mapping') return yield* inMapping(type, slot, depth)
    if (type.encoding !== 'inplace') {
      const isLong = slots.isSet(slot)
      if (!isLong) return false
      seen.addSlot(slot)
      if (type.encoding === 'dynamic_array' && isDeep(type.base, depth)) {
        yield* inParts(type, toQuantity(keccak256(toWord(slot))), slots.word(slot), depth)
      }
      return true
    }
    if (type.members !== undefined || isDeep(type.base, depth)) {
      return yield* inParts(type, slot, fixedLength(type.id) ?? 0n, depth)
    }
    const length = Math.min(8, Math.ceil(Number(type.numberOfBytes) / 32))
    return Array.from({ length }, (_, i) => slot + BigInt(i)).some(slots.isSet)
  }

  function* inParts(
    type: ValueType,
    first: bigint,
    count: bigint,
    depth: number,
  ): Generator<undefined, boolean> {
    let isAnySet = false
    for (const part of layout.parts(type, first, least(count, MOST_ELEMENTS))) {
      if (type.base !== undefined && !(yield* countWithinLimit())) break
      if (yield* searchValue(part.id, part.slot, depth + 1)) isAnySet = true
    }
    return isAnySet
  }

  /** Counts a hash or an array element, and yields to allow a pause. Returns `false` when `MOST_HASHES` is reached. */
  function* countWithinLimit(): Generator<undefined, boolean> {
    if (hashes >= MOST_HASHES) return false
    if (++hashes % HASHES_AT_ONCE === 0) yield
    return true
  }

  /** Returns whether a value's slots are found by hashing: it is or contains a mapping, dynamic array or string. */
  function isDeep(id: string | undefined, depth: number): boolean {
    const type = layout.type(id)
    if (type === undefined || depth > MOST_DEPTH) return false
    if (type.encoding !== 'inplace') return true
    if (type.members !== undefined) return type.members.some((one) => isDeep(one.type, depth + 1))
    return isDeep(type.base, depth + 1)
  }

  function* inMapping({ key, value }: ValueType, slot: bigint, depth: number): Generator<undefined, boolean> {
    const keyType = layout.type(key)
    if (keyType === undefined) return false
    const own = toWord(slot)
    let isAnySet = false
    const isNested = depth > 0 || layout.type(value)?.encoding === 'mapping'
    for (const bytes of keysOf(keyType, isNested ? MOST_NESTED_KEYS : Number.POSITIVE_INFINITY)) {
      if (!(yield* countWithinLimit())) break
      const preimage = concatenate([bytes, own])
      if (!(yield* searchValue(value, toQuantity(keccak256(preimage)), depth + 1))) continue
      seen.add(preimage)
      isAnySet = true
    }
    return isAnySet
  }

  function keysOf({ encoding, label, numberOfBytes }: ValueType, most: number): readonly Uint8Array[] {
    const { words, texts } = keys
    if (encoding === 'bytes') return texts
    const bits = BigInt(8 * Math.min(32, Number(numberOfBytes)))
    const isLeft = /^bytes\d+$/.test(label)
    const isSigned = /^int\d/.test(label)
    const fits = (word: bigint) => {
      if (isLeft) return BigInt.asUintN(Number(256n - bits), word) === 0n
      return (
        word >> bits === 0n || (isSigned && BigInt.asUintN(256, BigInt.asIntN(Number(bits), word)) === word)
      )
    }
    return words.filter(fits).slice(0, most).map(toWord)
  }
}
