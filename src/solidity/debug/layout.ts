/** Finds the variables that stand in a slot, by the storage layout that solc writes. */
import { isRecord } from '../../model/arguments.ts'
import type { StorageLayout } from '../artifacts/solcJson.ts'
import type { DebugPathPart } from './debugRun.ts'
import { type Preimage, Preimages } from './preimages.ts'
import { keyValue, type TypeNames, type ValueType } from './values.ts'

type Types = NonNullable<StorageLayout['types']>
type Variable = StorageLayout['storage'][number]

/** A value of one variable in a slot. */
export interface Located {
  readonly variable: string
  /** The id of the declaration of the variable, or of the last member on the way. */
  readonly declaration: number
  readonly path: readonly DebugPathPart[]
  /** `undefined`: bytes of a text, which `path` says. */
  readonly type: ValueType | undefined
  /** The text of which these are bytes. */
  readonly text?: { readonly type: ValueType; readonly slot: bigint }
  readonly slot: bigint
  /** The first byte, counted from the least significant. */
  readonly offset: number
}

/** The storage of one contract. */
export class Layout {
  /** As the compiler writes it. */
  readonly written: StorageLayout
  readonly #storage: readonly Variable[]
  readonly #types: Types
  readonly #names: TypeNames
  /** The places of arrays and texts whose slots are known from the beginning: optimised code has their hashes as constants. */
  readonly #fixed = new Preimages()

  constructor(written: StorageLayout, names: TypeNames) {
    const { storage, types } = written
    this.written = written
    this.#storage = storage
    this.#types = types ?? {}
    this.#names = names
    for (const variable of storage) this.#addFixed(variable.type, BigInt(variable.slot), 0)
  }

  /** Yields the slots that variables have from the beginning, in the order of their declarations; of each at most 64. */
  *slots(): Generator<bigint> {
    for (const { type: id, slot } of this.#storage) {
      const type = this.#types[id]
      if (type === undefined || type.encoding === 'mapping') continue
      const end = slotsOf(type)
      for (let i = 0n; i < end && i < MOST_FIXED; i++) yield BigInt(slot) + i
    }
  }

  /** Returns the values that stand in `slot`; none where it is not known. `seen`: what was hashed before. */
  locate(slot: bigint, seen: Preimages, depth = 0): readonly Located[] {
    const direct = this.#inMembers(this.#storage, 0n, slot, undefined)
    if (direct.length > 0 || depth > MOST_NESTED) return direct
    for (const preimage of [...seen.before(slot), ...this.#fixed.before(slot)]) {
      for (const outer of this.locate(preimage.slot, seen, depth + 1)) {
        const found = outer.offset === 0 ? this.#behind(outer, preimage, slot) : []
        if (found.length > 0) return found
      }
    }
    return []
  }

  /** Returns the values in `slot`, which is at or behind the hash of a mapping's key or of the slot of an array. */
  #behind(outer: Located, { hash, key }: Preimage, slot: bigint): readonly Located[] {
    const { type } = outer
    switch (type?.encoding) {
      case 'mapping': {
        const keyType = this.#type(type.key)
        const value = keyType && keyValue(keyType, key, this.#names)
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
      const type = this.#types[member.type]
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
    const type = this.#type(id)
    if (type === undefined) return []
    const outer: Located = { ...place, type, slot: start, offset }
    if (type.members !== undefined) return this.#inMembers(type.members, start, slot, outer)
    if (type.base !== undefined && type.encoding === 'inplace') {
      return this.#inArray(type.base, start, slot, fixedLength(type.id), outer)
    }
    return slot === start ? [outer] : []
  }

  /** `length`: the number of elements; `undefined`: it can change. */
  #inArray(
    base: string | undefined,
    start: bigint,
    slot: bigint,
    length: bigint | undefined,
    outer: Located,
  ): readonly Located[] {
    const type = this.#type(base)
    if (type === undefined) return []
    const bytes = Number(type.numberOfBytes)
    const element = (index: bigint, first: bigint, offset: number) => {
      if (length !== undefined && index >= length) return []
      const place = { ...outer, path: [...outer.path, { kind: 'index' as const, index }] }
      return this.#inType(base, first, offset, slot, place)
    }
    const size = slotsOf(type)
    if (bytes > 16) return element((slot - start) / size, slot - ((slot - start) % size), 0)
    const perSlot = Math.floor(32 / bytes)
    return Array.from({ length: perSlot }, (_, i) =>
      element((slot - start) * BigInt(perSlot) + BigInt(i), slot, i * bytes),
    ).flat()
  }

  #type(id: string | undefined): ValueType | undefined {
    const type = id === undefined ? undefined : this.#types[id]
    return type && { ...type, id: id! }
  }

  #addFixed(id: string, slot: bigint, depth: number): void {
    const type = this.#types[id]
    if (type === undefined || depth > MOST_NESTED) return
    if (type.encoding === 'dynamic_array' || type.encoding === 'bytes') this.#fixed.addSlot(slot)
    for (const member of type.members ?? [])
      this.#addFixed(member.type, slot + BigInt(member.slot), depth + 1)
    const base = type.encoding === 'inplace' && type.base !== undefined ? this.#types[type.base] : undefined
    if (base === undefined || Number(base.numberOfBytes) < 32) return
    const length = fixedLength(id) ?? 0n
    for (let i = 0n; i < length && i < MOST_FIXED; i++) {
      this.#addFixed(type.base!, slot + i * slotsOf(base), depth + 1)
    }
  }
}

/** Types in types, and hashes of hashes: more than any sources have. */
const MOST_NESTED = 16
/** Elements of fixed arrays whose contents are looked for without a hash. */
const MOST_FIXED = 64n
/** Of texts, in words of 32 bytes. */
const MOST_WORDS = 1n << 32n

/** Returns the number of slots that a value of a type has, which begins a slot. */
export function slotsOf({ numberOfBytes }: Types[string]): bigint {
  return (BigInt(numberOfBytes) + 31n) / 32n
}

/** Returns the length of `t_array(t_uint256)3_storage`; `undefined` of other types. */
export function fixedLength(id: string): bigint | undefined {
  const [, length] = /\)(\d+)_storage(?:_ptr)?$/.exec(id) ?? []
  return length === undefined ? undefined : BigInt(length)
}

/** Checks storage layouts before they are used: files that tools wrote, or cut off, must not end a run that is looked at. */
type Fields = Readonly<Record<string, unknown>>

/** Returns what of `layout` is not as solc writes it; `undefined` for one that is. */
export function layoutFlaw(layout: StorageLayout): string | undefined {
  const { storage, types } = layout as unknown as Fields
  if (types !== null && types !== undefined && !isRecord(types)) return 'types is no object'
  const known = (types ?? {}) as Readonly<Record<string, unknown>>
  const entries = Object.entries(known)
  return (
    variablesFlaw('storage', storage) ??
    first(entries, ([id, type]) => typeFlaw(`types["${id}"]`, type)) ??
    first(entries, ([id]) => (containsItself(id, known) ? `types["${id}"] contains itself` : undefined))
  )
}

function variablesFlaw(path: string, variables: unknown): string | undefined {
  if (!Array.isArray(variables)) return `${path} is no array`
  return first(variables, (variable: unknown, i) => {
    const { label, slot, offset, type } = isRecord(variable) ? variable : {}
    if (typeof label !== 'string' || typeof type !== 'string') return `${path}[${i}] has no label and type`
    if (!isDecimal(slot)) return `${path}[${i}].slot is no decimal number`
    const isOffset = Number.isInteger(offset) && (offset as number) >= 0 && (offset as number) < 32
    return isOffset ? undefined : `${path}[${i}].offset is no number of bytes in a slot`
  })
}

const ENCODINGS: readonly unknown[] = ['inplace', 'mapping', 'dynamic_array', 'bytes']

function typeFlaw(path: string, type: unknown): string | undefined {
  if (!isRecord(type)) return `${path} is no object`
  const { encoding, label, numberOfBytes, members } = type
  if (!ENCODINGS.includes(encoding)) return `${path}.encoding is none of ${ENCODINGS.join(', ')}`
  if (typeof label !== 'string') return `${path} has no label`
  if (!isDecimal(numberOfBytes) || BigInt(numberOfBytes as string) === 0n) {
    return `${path}.numberOfBytes is no number of bytes`
  }
  const reference = ['base', 'key', 'value'].find(
    (name) => !['string', 'undefined'].includes(typeof type[name]),
  )
  if (reference !== undefined) return `${path}.${reference} is no name of a type`
  return members === undefined ? undefined : variablesFlaw(`${path}.members`, members)
}

/** Whether a value of the type would have a value of the same type in its own slots: looking for one would not end. */
function containsItself(id: string, types: Fields): boolean {
  const seen = new Set<string>()
  const waiting = innerTypes(id, types)
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    if (inner === id) return true
    if (seen.has(inner)) continue
    seen.add(inner)
    waiting.push(...innerTypes(inner, types))
  }
  return false
}

function innerTypes(id: string, types: Fields): string[] {
  const { encoding, base, members = [] } = (types[id] ?? {}) as NonNullable<StorageLayout['types']>[string]
  const inner = members.map(({ type }) => type)
  return encoding === 'inplace' && base !== undefined ? [base, ...inner] : inner
}

function first<T>(items: readonly T[], flawOf: (item: T, index: number) => string | undefined) {
  for (const [i, item] of items.entries()) {
    const flaw = flawOf(item, i)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,78}$/.test(value)
}
