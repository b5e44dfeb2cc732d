/** Finds a storage variable by a name such as `balances[0x…]`, `items[3].note` or `prices["apple"]`. */

import { concatenate } from '../../bytes/bytes.ts'
import { fromHex, toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { fixedLength, type Layout, least, type Preimages, slotsBefore } from './layout.ts'
import { keyText, keyValue, type TypeNames, underlyingLabel, type ValueType } from './values.ts'

export type FoundVariable =
  | {
      readonly kind: 'found'
      /** The variable's name with keys and members, in the format of `StorageNames`. */
      readonly name: string
      readonly type: string
      /** The slots of the variable, at most `MOST_SLOTS`. */
      readonly slots: readonly bigint[]
      readonly isCut: boolean
    }
  /** `expected` describes a valid name. */
  | { readonly kind: 'none'; readonly expected: string }

const MOST_SLOTS = 256n
const MOST_DEPTH = 16

/** Matches one part of the path: a key or index in brackets, or a member. */
const STEP = /^(?:\[\s*("(?:[^"\\]|\\.)*"|[^\]]*?)\s*\]|\.([\w$]+))/

/**
 * Finds the variable named `text`. Adds the preimages of hashes on the path to `seen`. `word` reads a slot. Keys are
 * addresses, decimal or hex integers, `true` and `false`, hex bytes, enum members, and strings in quotation marks.
 */
export function findVariable(
  layout: Layout,
  text: string,
  word: (slot: bigint) => bigint,
  seen: Preimages,
): FoundVariable {
  const path = text.trim()
  const declared = layout.variables
    .filter(({ label }) => path.startsWith(label) && /^$|[[.]/.test(path.charAt(label.length)))
    .sort((one, other) => other.label.length - one.label.length)[0]
  if (declared === undefined) {
    const known = layout.variables.map(({ label }) => label)
    if (known.length === 0) return none('nothing: the contract has no variable in storage')
    return none(`a variable: ${listed(known)}`)
  }
  const search = new Search(layout, word, seen)
  let place: Place | string = {
    name: declared.label,
    id: declared.type,
    slot: BigInt(declared.slot),
  }
  for (let rest = path.slice(declared.label.length); rest !== ''; ) {
    const [step, key, member]: readonly (string | undefined)[] = STEP.exec(rest) ?? []
    if (step === undefined) return none(`[key], [index] or .member after ${place.name}`)
    place = member === undefined ? search.keyed(place, key!) : search.member(place, member)
    if (typeof place === 'string') return none(place)
    rest = rest.slice(step.length)
  }
  const type = search.type(place.id)
  if (type.encoding === 'mapping') {
    return none(`${place.name}[key], with a key of the type ${search.type(type.key!).label}`)
  }
  const slots = new Set<bigint>()
  let isCut = false
  for (const slot of search.slots(place.id, place.slot, 0)) {
    isCut = slots.size === Number(MOST_SLOTS) && !slots.has(slot)
    if (isCut) break
    slots.add(slot)
  }
  return { kind: 'found', name: place.name, type: type.label, slots: [...slots], isCut }
}

function none(expected: string): FoundVariable {
  return { kind: 'none', expected }
}

interface Place {
  readonly name: string
  readonly id: string
  readonly slot: bigint
}

class Search {
  readonly #layout: Layout
  readonly #word: (slot: bigint) => bigint
  readonly #seen: Preimages

  constructor(layout: Layout, word: (slot: bigint) => bigint, seen: Preimages) {
    this.#layout = layout
    this.#word = word
    this.#seen = seen
  }

  type(id: string): ValueType {
    return this.#layout.type(id)!
  }

  /** Returns the element at `key`, a mapping key or an index; for an invalid key, a text that describes valid keys. */
  keyed({ name, id, slot }: Place, key: string): Place | string {
    const type = this.type(id)
    if (type.encoding === 'mapping') {
      const keyType = this.type(type.key!)
      const bytes = keyBytes(keyType, key, this.#layout.names)
      if (bytes === undefined) return `${name}[key], with a key of the type ${keyType.label}`
      const preimage = concatenate([bytes, toWord(slot)])
      this.#seen.add(preimage)
      const shown = keyText(keyType.label, keyValue(keyType, bytes, this.#layout.names)?.value)
      return { name: `${name}[${shown}]`, id: type.value!, slot: toQuantity(keccak256(preimage)) }
    }
    if (type.base === undefined) return `${name} without a key, because its type is ${type.label}`
    const { first, length } = this.#elements(type, slot)
    const index = /^\d{1,78}$/.test(key) ? BigInt(key) : undefined
    if (index === undefined || index >= length) return `${name}[index], with an index less than ${length}`
    return {
      name: `${name}[${index}]`,
      id: type.base,
      slot: first() + slotsBefore(this.type(type.base), index),
    }
  }

  /** Returns the place of a struct member; for an unknown member, a text that describes valid members. */
  member({ name, id, slot }: Place, wanted: string): Place | string {
    const { members, label } = this.type(id)
    if (members === undefined) return `${name} without a member, because its type is ${label}`
    const found = members.find((one) => one.label === wanted)
    if (found === undefined) return `a member of ${name}: ${listed(members.map((one) => one.label))}`
    return { name: `${name}.${wanted}`, id: found.type, slot: slot + BigInt(found.slot) }
  }

  /** Yields the slots of a value in order, except slots of mappings. */
  *slots(id: string, slot: bigint, depth: number): Generator<bigint> {
    const type = this.type(id)
    if (type.encoding === 'mapping' || depth > MOST_DEPTH) return
    if (type.encoding !== 'inplace' || (type.base ?? type.members) === undefined) yield slot
    if (type.encoding === 'bytes') {
      this.#seen.addSlot(slot)
      return
    }
    const { first, length } = this.#elements(type, slot)
    // Up to 32 elements share a slot.
    for (const part of this.#layout.parts(type, first(), least(length, 32n * MOST_SLOTS + 1n))) {
      yield* this.slots(part.id, part.slot, depth + 1)
    }
  }

  /** Returns an array's length, and a function that returns the first element's slot and records its preimage. */
  #elements({ id, encoding }: ValueType, slot: bigint): { length: bigint; first: () => bigint } {
    if (encoding === 'inplace') return { length: fixedLength(id) ?? 0n, first: () => slot }
    const first = () => {
      this.#seen.addSlot(slot)
      return toQuantity(keccak256(toWord(slot)))
    }
    return { length: this.#word(slot), first }
  }
}

/** Returns the bytes of a key that a mapping hashes; `undefined` for an invalid key. */
function keyBytes(type: ValueType, key: string, names: TypeNames): Uint8Array | undefined {
  const label = underlyingLabel(type, names)
  if (type.encoding === 'bytes') return label === 'string' ? textBytes(key) : hexBytes(key)
  if (/^u?int\d+$/.test(label)) return integerWord(label, key)
  if (label === 'bool') return /^(true|false)$/.test(key) ? toWord(key === 'true' ? 1n : 0n) : undefined
  if (/^(address|contract )/.test(label)) {
    return /^0x[0-9a-f]{40}$/i.test(key) ? toWord(BigInt(key)) : undefined
  }
  if (label.startsWith('enum ')) {
    const index = /^\d{1,3}$/.test(key) ? Number(key) : (names.members(type.id)?.indexOf(key) ?? -1)
    return index < 0 ? undefined : toWord(BigInt(index))
  }
  const bytes = hexBytes(key)
  if (bytes?.length !== Number(type.numberOfBytes)) return undefined
  return concatenate([bytes, new Uint8Array(32 - bytes.length)])
}

function textBytes(key: string): Uint8Array | undefined {
  if (!key.startsWith('"')) return undefined
  try {
    return new TextEncoder().encode(JSON.parse(key))
  } catch {
    return undefined
  }
}

function hexBytes(key: string): Uint8Array | undefined {
  return /^0x([0-9a-f]{2})*$/i.test(key) ? fromHex(`0x${key.slice(2).toLowerCase()}`) : undefined
}

function integerWord(label: string, key: string): Uint8Array | undefined {
  if (!/^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(key)) return undefined
  const value = BigInt(key)
  const bits = Number(/\d+$/.exec(label)![0])
  const isSame = label.startsWith('u')
    ? BigInt.asUintN(bits, value) === value
    : BigInt.asIntN(bits, value) === value
  return isSame ? toWord(BigInt.asUintN(256, value)) : undefined
}

const MOST_NAMES = 20

function listed(all: readonly string[]): string {
  return `${all.slice(0, MOST_NAMES).join(', ')}${all.length > MOST_NAMES ? ', …' : ''}`
}
