/** Reads values of any type from the stack, memory, calldata and storage, in viem's form. */

import { toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { readMemory } from '../../engine/trace/operands.ts'
import { fixedLength, type Layout, slotsBefore } from './layout.ts'
import { decoded, keyValue, MOST_TEXT, textAt, textOf, underlyingLabel, type ValueType } from './values.ts'

export interface ReadValue {
  /** Structs are objects, arrays are arrays; `undefined` for an unknown value or part. */
  readonly value: unknown
  /** The reason why the value or a part of it is unknown. */
  readonly reason?: string | undefined
  /** The number of array elements that were left out. */
  readonly omitted?: number
}

/** The data to which stack words refer. */
export interface DataLocations {
  readonly memory: Uint8Array
  readonly input: Uint8Array
  readonly word: (slot: bigint) => bigint
}

const NO_BYTES = new Uint8Array(0)
export const NO_DATA: DataLocations = { memory: NO_BYTES, input: NO_BYTES, word: () => 0n }

type Location = 'memory' | 'calldata' | 'storage' | undefined

/** Reads the value whose stack words are `words`. For a reference type, the words are an offset or a slot. */
export function readValue(
  layout: Layout,
  id: string,
  location: Location,
  words: readonly bigint[],
  data: DataLocations,
): ReadValue {
  const reader = new Reader(layout, data)
  const value = reader.variable(id, location, words)
  const { reason, omitted } = reader
  return { value, ...(reason !== undefined && { reason }), ...(omitted > 0 && { omitted }) }
}

/** Maximum number of values per variable, number of elements per array, and depth of nested types. */
const MOST_VALUES = 256
const MOST_ELEMENTS = 64
const MOST_NESTED = 16

class Reader {
  reason: string | undefined
  omitted = 0
  #left = MOST_VALUES
  #depth = 0
  readonly #layout: Layout
  readonly #data: DataLocations

  constructor(layout: Layout, data: DataLocations) {
    this.#layout = layout
    this.#data = data
  }

  variable(id: string, location: Location, words: readonly bigint[]): unknown {
    const type = this.#layout.type(id)
    const [word = 0n, second = 0n] = words
    if (type === undefined) return this.#unknown('type has no known size')
    if (location === 'calldata') return this.#inCalldata(type, word, words.length > 1 ? second : undefined)
    if (location === 'storage' || type.encoding === 'mapping') return this.#inStorage(type, word, 0)
    if (location === 'memory') return this.#inMemory(type, word)
    // A pointer to an external function has two words.
    return this.#ofWord(type, words.length > 1 ? (word << 96n) | (second << 64n) : word)
  }

  #unknown(reason: string): undefined {
    this.reason ??= reason
    return undefined
  }

  #type(id: string | undefined): ValueType {
    return this.#layout.type(id) ?? { id: '', label: '', encoding: 'inplace', numberOfBytes: '32' }
  }

  #ofWord(type: ValueType, word: bigint): unknown {
    const { names } = this.#layout
    this.#left--
    if (type.label.startsWith('function ') && type.numberOfBytes === '8') {
      return this.#unknown('internal function without a name')
    }
    // Any word except zero is `true`.
    return underlyingLabel(type, names) === 'bool' ? word !== 0n : keyValue(type, toWord(word), names)?.value
  }

  /** Returns the result of `read` for each of `count` elements, at most `MOST_ELEMENTS`. */
  #elements(count: bigint, read: (index: bigint) => unknown): unknown[] {
    const values: unknown[] = []
    for (let i = 0n; i < count; i++) {
      if (values.length === MOST_ELEMENTS || this.#left <= 0) {
        this.omitted += Number(count - i)
        break
      }
      values.push(read(i))
    }
    return values
  }

  #members(type: ValueType, read: (member: ValueType, slot: bigint, offset: number) => unknown): unknown {
    const members = type.members ?? []
    return Object.fromEntries(
      members.map((member) => [
        member.label,
        read(this.#type(member.type), BigInt(member.slot), member.offset),
      ]),
    )
  }

  #nested(read: () => unknown): unknown {
    if (this.#depth === MOST_NESTED) return this.#unknown('nested too deeply')
    this.#depth++
    const value = read()
    this.#depth--
    return value
  }

  #text(type: ValueType, bytes: Uint8Array, offset: bigint, length: bigint): unknown {
    this.#left--
    if (length > 0n && offset + length > BigInt(bytes.length))
      return this.#unknown('data ends before its end')
    if (length > MOST_TEXT) return this.#unknown('longer than 4,096 bytes')
    return textOf(type, readMemory(bytes, offset, length))
  }

  #inMemory(type: ValueType, pointer: bigint): unknown {
    const { memory } = this.#data
    // A pointer to an empty value may be the end of the memory. Memory beyond the end is zero.
    if (pointer > memory.length) return this.#unknown('pointer outside memory')
    const wordAt = (at: bigint) => toQuantity(readMemory(memory, at, 32n))
    const read = (part: ValueType, at: bigint) =>
      isReference(part)
        ? this.#nested(() => this.#inMemory(part, wordAt(at)))
        : this.#ofWord(part, wordAt(at))
    if (type.encoding === 'bytes') return this.#text(type, memory, pointer + 32n, wordAt(pointer))
    if (type.members !== undefined) {
      let next = pointer
      return this.#members(type, (member) => {
        const at = next
        next += 32n
        return read(member, at)
      })
    }
    const base = this.#type(type.base)
    const isDynamic = type.encoding === 'dynamic_array'
    const first = isDynamic ? pointer + 32n : pointer
    const length = isDynamic ? wordAt(pointer) : (fixedLength(type.id) ?? 0n)
    if (first + 32n * length > BigInt(memory.length) && length > 0n) {
      return this.#unknown('pointer outside memory')
    }
    return this.#elements(length, (i) => read(base, first + 32n * i))
  }

  /** Reads ABI-encoded data at offset `at`. Without `length`, reads the length of a dynamic value at `at`. */
  #inCalldata(type: ValueType, at: bigint, length?: bigint): unknown {
    const { input } = this.#data
    const wordAt = (place: bigint) => toQuantity(readMemory(input, place, 32n))
    if (!isReference(type)) return this.#ofWord(type, wordAt(at))
    if (at > input.length) return this.#unknown('offset outside calldata')
    const isLong = type.encoding !== 'inplace'
    const count = isLong ? (length ?? wordAt(at)) : (fixedLength(type.id) ?? 0n)
    const start = isLong && length === undefined ? at + 32n : at
    if (type.encoding === 'bytes') return this.#text(type, input, start, count)
    const read = (part: ValueType, head: bigint) =>
      this.#nested(() => this.#inCalldata(part, this.#isDynamic(part) ? start + wordAt(head) : head))
    if (type.members !== undefined) {
      let head = start
      return this.#members(type, (member) => {
        const here = head
        head += this.#headSize(member)
        return read(member, here)
      })
    }
    const base = this.#type(type.base)
    const size = this.#headSize(base)
    if (start + count * size > BigInt(input.length)) return this.#unknown('data ends before its end')
    return this.#elements(count, (i) => read(base, start + i * size))
  }

  #isDynamic(type: ValueType): boolean {
    if (type.encoding !== 'inplace') return true
    if (type.base !== undefined) return this.#isDynamic(this.#type(type.base))
    return type.members?.some((member) => this.#isDynamic(this.#type(member.type))) ?? false
  }

  #headSize(type: ValueType): bigint {
    if (this.#isDynamic(type)) return 32n
    if (type.base !== undefined) return (fixedLength(type.id) ?? 0n) * this.#headSize(this.#type(type.base))
    const members = type.members?.map((member) => this.#headSize(this.#type(member.type)))
    return members?.reduce((sum, size) => sum + size, 0n) ?? 32n
  }

  #inStorage(type: ValueType, slot: bigint, offset: number): unknown {
    const { word } = this.#data
    if (type.encoding === 'mapping') return this.#unknown('mappings have no list of keys')
    if (type.encoding === 'bytes') {
      this.#left--
      return textAt(type, slot, word(slot), word) ?? this.#unknown('longer than 4,096 bytes')
    }
    if (type.members !== undefined) {
      return this.#members(type, (member, after, at) =>
        this.#nested(() => this.#inStorage(member, slot + after, at)),
      )
    }
    if (type.base === undefined) {
      this.#left--
      const size = Number(type.numberOfBytes)
      const bytes = toWord(BigInt.asUintN(8 * size, word(slot) >> BigInt(8 * offset))).subarray(32 - size)
      return decoded(type, bytes, this.#layout.names)
    }
    const base = this.#type(type.base)
    const isDynamic = type.encoding === 'dynamic_array'
    const first = isDynamic ? toQuantity(keccak256(toWord(slot))) : slot
    const count = isDynamic ? word(slot) : (fixedLength(type.id) ?? 0n)
    const size = Number(base.numberOfBytes)
    const perSlot = size > 16 || isReference(base) ? 1 : Math.floor(32 / size)
    return this.#elements(count, (i) =>
      this.#nested(() =>
        this.#inStorage(base, first + slotsBefore(base, i), Number(i % BigInt(perSlot)) * size),
      ),
    )
  }
}

export function isReference({ encoding, base, members }: ValueType): boolean {
  return encoding !== 'inplace' || base !== undefined || members !== undefined
}
