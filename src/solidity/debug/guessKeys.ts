/** Finds mapping keys by trial: keys of transactions and logs whose hash leads to a non-zero slot. */

import { joined } from '../../bytes/bytes.ts'
import { toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { type Layout, type Preimages, slotsOf } from './layout.ts'
import type { ValueType } from './values.ts'

/** Candidate keys, likeliest first. */
export interface LikelyKeys {
  readonly words: readonly bigint[]
  readonly texts: readonly Uint8Array[]
}

/** Limits for one variable: hashes, and keys tried at each level of nested mappings. */
const MOST_HASHES = 50_000
const MOST_NESTED_KEYS = 200
/** Elements to search in an array. */
const MOST_ELEMENTS = 1_000
/** Hashes between two pauses. */
const HASHES_AT_ONCE = 500
/** Deepest nesting of types. */
const MOST_DEPTH = 8

interface SearchedSlots {
  readonly word: (slot: bigint) => bigint
  /** Whether a slot is known to be non-zero. */
  readonly isSet: (slot: bigint) => boolean
}

/** Adds preimages of set slots to `seen`. Awaits `pause` every few hundred hashes. */
export async function guessKeys(
  layout: Layout,
  keys: LikelyKeys,
  slots: SearchedSlots,
  seen: Preimages,
  pause: () => Promise<void> | undefined,
): Promise<void> {
  for (const { type, slot } of layout.variables) {
    const search = new Search(layout, keys, slots, seen)
    for (const _ of search.in(type, BigInt(slot), 0)) await pause()
  }
}

class Search {
  readonly #layout: Layout
  readonly #keys: LikelyKeys
  readonly #slots: SearchedSlots
  readonly #seen: Preimages
  #hashes = 0

  constructor(layout: Layout, keys: LikelyKeys, slots: SearchedSlots, seen: Preimages) {
    this.#layout = layout
    this.#keys = keys
    this.#slots = slots
    this.#seen = seen
  }

  /** Searches a value at `slot`. Returns whether one of its slots is set. */
  *in(id: string | undefined, slot: bigint, depth: number): Generator<undefined, boolean> {
    const type = this.#layout.type(id)
    if (type === undefined || depth > MOST_DEPTH) return false
    if (type.encoding === 'mapping') return yield* this.#inMapping(type, slot, depth)
    if (type.members !== undefined) {
      let isAnySet = false
      for (const member of type.members) {
        if (yield* this.in(member.type, slot + BigInt(member.slot), depth + 1)) isAnySet = true
      }
      return isAnySet
    }
    if (type.encoding !== 'inplace') {
      const isLong = this.#slots.isSet(slot)
      if (!isLong) return false
      this.#seen.addSlot(slot)
      if (type.encoding === 'dynamic_array' && this.#isDeep(type.base, depth)) {
        const first = toQuantity(keccak256(toWord(slot)))
        yield* this.#inElements(type.base, first, this.#slots.word(slot), depth)
      }
      return true
    }
    if (type.base !== undefined && this.#isDeep(type.base, depth)) {
      const count = BigInt(type.numberOfBytes) / (32n * this.#slotsOf(type.base))
      return yield* this.#inElements(type.base, slot, count, depth)
    }
    const slots = Math.ceil(Number(type.numberOfBytes) / 32)
    return Array.from({ length: Math.min(slots, 8) }, (_, i) => slot + BigInt(i)).some(this.#slots.isSet)
  }

  *#inElements(
    base: string | undefined,
    first: bigint,
    count: bigint,
    depth: number,
  ): Generator<undefined, boolean> {
    const size = this.#slotsOf(base)
    let isAnySet = false
    for (let index = 0n; index < count && index < MOST_ELEMENTS; index++) {
      if (this.#hashes >= MOST_HASHES) break
      if (++this.#hashes % HASHES_AT_ONCE === 0) yield
      if (yield* this.in(base, first + index * size, depth + 1)) isAnySet = true
    }
    return isAnySet
  }

  /** Returns the slots of an element that shares none. */
  #slotsOf(base: string | undefined): bigint {
    const type = this.#layout.type(base)
    return type === undefined ? 1n : slotsOf(type)
  }

  /** Returns whether a value within the type is behind a hash. */
  #isDeep(id: string | undefined, depth: number): boolean {
    const type = this.#layout.type(id)
    if (type === undefined || depth > MOST_DEPTH) return false
    if (type.encoding !== 'inplace') return true
    if (type.members !== undefined) return type.members.some((one) => this.#isDeep(one.type, depth + 1))
    return this.#isDeep(type.base, depth + 1)
  }

  *#inMapping({ key, value }: ValueType, slot: bigint, depth: number): Generator<undefined, boolean> {
    const keyType = this.#layout.type(key)
    if (keyType === undefined) return false
    const own = toWord(slot)
    let isAnySet = false
    const isNested = depth > 0 || this.#layout.type(value)?.encoding === 'mapping'
    for (const bytes of this.#keysOf(keyType, isNested ? MOST_NESTED_KEYS : Number.POSITIVE_INFINITY)) {
      if (this.#hashes >= MOST_HASHES) break
      if (++this.#hashes % HASHES_AT_ONCE === 0) yield
      const preimage = joined([bytes, own])
      if (!(yield* this.in(value, toQuantity(keccak256(preimage)), depth + 1))) continue
      this.#seen.add(preimage)
      isAnySet = true
    }
    return isAnySet
  }

  #keysOf({ encoding, label, numberOfBytes }: ValueType, most: number): readonly Uint8Array[] {
    const { words, texts } = this.#keys
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
