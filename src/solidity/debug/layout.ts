/** Finds the variables in a slot with a storage layout, and checks layouts for defects. */

import { toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { isRecord } from '../../model/api/arguments.ts'
import type { StorageLayout } from '../artifacts/solcJson.ts'
import type { DebugPathPart } from './debugRun.ts'
import { keyValue, type TypeNames, type ValueType } from './values.ts'

type Types = NonNullable<StorageLayout['types']>

type Variable = StorageLayout['storage'][number]

/** A variable, or a part of a variable, in a slot. */
export interface Located {
  readonly variable: string
  /** AST id of the declaration of the variable, or of the last member in `path`. */
  readonly declaration: number
  readonly path: readonly DebugPathPart[]
  /** The type of the value; `undefined` for 32 bytes of a long string, which `path` describes. */
  readonly type: ValueType | undefined
  /** The `string` or `bytes` that contains the value. */
  readonly text?: { readonly type: ValueType; readonly slot: bigint }
  readonly slot: bigint
  /** Offset in the slot in bytes, counted from the least significant byte. */
  readonly offset: number
}

export class Layout {
  readonly variables: readonly Variable[]
  readonly names: TypeNames
  readonly #types: Types
  /** Preimages of the fixed slots of arrays and strings. Optimized code has the hashes of these slots as constants. */
  readonly #fixed = new Preimages()

  constructor({ storage, types }: StorageLayout, names: TypeNames) {
    this.variables = storage
    this.names = names
    this.#types = types ?? {}
    for (const variable of storage) this.#addFixed(variable.type, BigInt(variable.slot), 0)
  }

  type(id: string | undefined): ValueType | undefined {
    const type = this.#types[id ?? '']
    return type && { ...type, id: id! }
  }

  /** Yields the slots of variables in order of declaration, at most 64 per variable. */
  *slots(): Generator<bigint> {
    for (const { type: id, slot } of this.variables) {
      const type = this.type(id)
      if (type === undefined || type.encoding === 'mapping') continue
      const end = slotsOf(type)
      for (let i = 0n; i < end && i < MOST_FIXED; i++) yield BigInt(slot) + i
    }
  }

  /** Returns the values in `slot`; empty if the slot is unknown. `seen` contains preimages of hashed slots. */
  locate(slot: bigint, seen: Preimages, depth = 0): readonly Located[] {
    const direct = this.#inMembers(this.variables, 0n, slot, undefined)
    if (direct.length > 0 || depth > MOST_NESTED) return direct
    for (const preimage of [...seen.before(slot), ...this.#fixed.before(slot)]) {
      for (const outer of this.locate(preimage.slot, seen, depth + 1)) {
        const found = outer.offset === 0 ? this.#inHashedSlot(outer, preimage, slot) : []
        if (found.length > 0) return found
      }
    }
    return []
  }

  /** Returns the values in `slot`. `outer` is the mapping, dynamic array or string whose slot the preimage contains. */
  #inHashedSlot(outer: Located, { hash, key }: Preimage, slot: bigint): readonly Located[] {
    const { type } = outer
    switch (type?.encoding) {
      case 'mapping': {
        const keyType = this.type(type.key)
        const value = keyType && keyValue(keyType, key, this.names)
        if (keyType === undefined || value === undefined) return []
        const part: DebugPathPart = { kind: 'key', type: keyType.label, value: value.value }
        return this.#inType(type.value, hash, 0, slot, { ...outer, path: [...outer.path, part] })
      }
      case 'dynamic_array':
        return key.length === 0 ? this.#inArray(type.base, hash, slot, undefined, outer) : []
      case 'bytes': {
        if (key.length > 0 || slot - hash >= MOST_WORDS) return []
        const part: DebugPathPart = { kind: 'bytes', from: (slot - hash) * 32n, length: 32 }
        const text = { type, slot: outer.slot }
        return [{ ...outer, path: [...outer.path, part], type: undefined, text, slot, offset: 0 }]
      }
      default:
        return []
    }
  }

  #inMembers(
    members: readonly Variable[],
    base: bigint,
    slot: bigint,
    outer: Located | undefined,
  ): readonly Located[] {
    return members.flatMap((member) => {
      const start = base + BigInt(member.slot)
      const type = this.type(member.type)
      if (slot < start || type === undefined || slot >= start + slotsOf(type)) return []
      const { label, astId: declaration } = member
      const place =
        outer === undefined
          ? { variable: label, declaration, path: [] }
          : { ...outer, declaration, path: [...outer.path, { kind: 'member' as const, name: label }] }
      return this.#inType(member.type, start, member.offset, slot, place)
    })
  }

  #inType(
    id: string | undefined,
    start: bigint,
    offset: number,
    slot: bigint,
    place: Pick<Located, 'variable' | 'declaration' | 'path'>,
  ): readonly Located[] {
    const type = this.type(id)
    if (type === undefined) return []
    const outer: Located = { ...place, type, slot: start, offset }
    if (type.members !== undefined) return this.#inMembers(type.members, start, slot, outer)
    if (type.base !== undefined && type.encoding === 'inplace') {
      return this.#inArray(type.base, start, slot, fixedLength(type.id), outer)
    }
    return slot === start ? [outer] : []
  }

  /** Returns the values in a slot of an array. `length` is `undefined` for dynamic arrays. */
  #inArray(
    base: string | undefined,
    start: bigint,
    slot: bigint,
    length: bigint | undefined,
    outer: Located,
  ): readonly Located[] {
    const type = this.type(base)
    if (type === undefined) return []
    const element = (index: bigint, first: bigint, offset: number) => {
      if (length !== undefined && index >= length) return []
      const place = { ...outer, path: [...outer.path, { kind: 'index' as const, index }] }
      return this.#inType(base, first, offset, slot, place)
    }
    const bytes = Number(type.numberOfBytes)
    const size = slotsOf(type)
    if (bytes > 16) return element((slot - start) / size, slot - ((slot - start) % size), 0)
    const perSlot = Math.floor(32 / bytes)
    return Array.from({ length: perSlot }, (_, i) =>
      element((slot - start) * BigInt(perSlot) + BigInt(i), slot, i * bytes),
    ).flat()
  }

  #addFixed(id: string, slot: bigint, depth: number): void {
    const type = this.type(id)
    if (type === undefined || depth > MOST_NESTED) return
    if (type.encoding === 'dynamic_array' || type.encoding === 'bytes') this.#fixed.addSlot(slot)
    const length = type.encoding === 'inplace' ? (fixedLength(id) ?? 0n) : 0n
    for (const part of this.parts(type, slot, least(length, MOST_FIXED))) {
      this.#addFixed(part.id, part.slot, depth + 1)
    }
  }

  /** Yields a struct's members, or an array's first `count` elements. The contents begin at slot `first`. */
  *parts(type: ValueType, first: bigint, count: bigint): Generator<{ id: string; slot: bigint }> {
    for (const member of type.members ?? []) yield { id: member.type, slot: first + BigInt(member.slot) }
    const base = this.type(type.base)
    if (base === undefined) return
    for (let i = 0n; i < count; i++) yield { id: base.id, slot: first + slotsBefore(base, i) }
  }
}

/** Maximum depth of nested types and hashes. */
const MOST_NESTED = 16

/** Maximum number of slots or array elements to visit for one variable. */
const MOST_FIXED = 64n

/** Maximum length of strings, in words of 32 bytes. */
const MOST_WORDS = 1n << 32n

export function slotsOf({ numberOfBytes }: Types[string]): bigint {
  return (BigInt(numberOfBytes) + 31n) / 32n
}

/** Returns the number of slots before element `index` of an array. Elements of at most 16 bytes share slots. */
export function slotsBefore(base: Types[string], index: bigint): bigint {
  const bytes = BigInt(base.numberOfBytes)
  return bytes > 16n ? index * slotsOf(base) : index / (32n / bytes)
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** Returns the length in a type id such as `t_array(t_uint256)3_storage`; `undefined` for other types. */
export function fixedLength(id: string): bigint | undefined {
  const [, length] = /\)(\d+)_storage(?:_ptr)?$/.exec(id) ?? []
  return length === undefined ? undefined : BigInt(length)
}

/** The preimage of a hash that is a storage slot. */
export interface Preimage {
  readonly hash: bigint
  /** The key of a mapping; empty for arrays and strings. */
  readonly key: Uint8Array
  /** The slot of the mapping, array or string. */
  readonly slot: bigint
}

export class Preimages {
  /** Preimages by the upper 192 bits of their hash. The slots of members and elements have the same upper bits. */
  readonly #byBeginning = new Map<bigint, Preimage[]>()

  /** Adds hashed data of at least 32 bytes, whose last 32 bytes are a slot. Returns whether the data is new. */
  add(bytes: Uint8Array): boolean {
    const hash = toQuantity(keccak256(bytes))
    const beginning = hash >> OFFSET_BITS
    const group = this.#byBeginning.get(beginning)
    if (group?.some((one) => one.hash === hash)) return false
    const end = bytes.length - 32
    const added = { hash, key: bytes.slice(0, end), slot: toQuantity(bytes.subarray(end)) }
    if (group === undefined) this.#byBeginning.set(beginning, [added])
    else group.push(added)
    return true
  }

  addSlot(slot: bigint): void {
    this.add(toWord(slot))
  }

  /** Returns the preimages whose hash equals `slot` or precedes `slot` by less than 2^64, nearest first. */
  before(slot: bigint): readonly Preimage[] {
    const beginning = slot >> OFFSET_BITS
    const groups = [this.#byBeginning.get(beginning), this.#byBeginning.get(beginning - 1n)]
    const found = groups.flatMap((group) => group ?? []).filter(({ hash }) => hash <= slot)
    return found.length < 2 ? found : found.sort((a, b) => (a.hash < b.hash ? 1 : -1))
  }
}

const OFFSET_BITS = 64n

/** Returns the first defect of a layout. Layouts may be from another tool or a truncated file. */
export function layoutFlaw(layout: StorageLayout): string | undefined {
  const [flaw] = flawsIn(layout as unknown as Fields)
  return flaw
}

type Fields = Readonly<Record<string, unknown>>

/** Yields a layout's defects. Only the first is meaningful, because later checks assume that earlier checks passed. */
function* flawsIn({ storage, types }: Fields): Generator<string> {
  if (!isRecord(types ?? {})) yield 'types is not an object'
  const known = (types ?? {}) as Fields
  yield* flawsOfVariables('storage', storage)
  for (const [id, type] of Object.entries(known)) yield* flawsOfType(`types["${id}"]`, type)
  for (const id of Object.keys(known)) if (containsItself(id, known)) yield `types["${id}"] contains itself`
}

function* flawsOfVariables(path: string, variables: unknown): Generator<string> {
  if (!Array.isArray(variables)) yield `${path} is not an array`
  for (const [i, variable] of (variables as unknown[]).entries()) {
    const { label, slot, offset, type } = isRecord(variable) ? variable : {}
    if (typeof label !== 'string' || typeof type !== 'string') yield `${path}[${i}] has no label and type`
    if (!isDecimal(slot)) yield `${path}[${i}].slot is not a decimal number`
    const isOffset = Number.isInteger(offset) && (offset as number) >= 0 && (offset as number) < 32
    if (!isOffset) yield `${path}[${i}].offset is not an offset in a slot`
  }
}

const ENCODINGS: readonly unknown[] = ['inplace', 'mapping', 'dynamic_array', 'bytes']

function* flawsOfType(path: string, type: unknown): Generator<string> {
  if (!isRecord(type)) yield `${path} is not an object`
  const { encoding, label, numberOfBytes, members, ...references } = type as Fields
  if (!ENCODINGS.includes(encoding)) yield `${path}.encoding is not one of ${ENCODINGS.join(', ')}`
  if (typeof label !== 'string') yield `${path} has no label`
  if (!isDecimal(numberOfBytes) || BigInt(numberOfBytes as string) === 0n) {
    yield `${path}.numberOfBytes is not a positive number of bytes`
  }
  for (const name of ['base', 'key', 'value']) {
    const id = references[name]
    if (id !== undefined && typeof id !== 'string') yield `${path}.${name} is not the id of a type`
  }
  if (members !== undefined) yield* flawsOfVariables(`${path}.members`, members)
}

/** Returns whether a struct or fixed array directly contains its own type, so that look-ups would never end. */
function containsItself(id: string, types: Fields): boolean {
  const inner = new Set(innerTypes(id, types))
  // `for` also visits elements that are added to the set during the loop.
  for (const one of inner) for (const next of innerTypes(one, types)) inner.add(next)
  return inner.has(id)
}

function innerTypes(id: string, types: Fields): string[] {
  const { encoding, base, members = [] } = (types[id] ?? {}) as Types[string]
  const inner = members.map(({ type }) => type)
  return encoding === 'inplace' && base !== undefined ? [base, ...inner] : inner
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,78}$/.test(value)
}
