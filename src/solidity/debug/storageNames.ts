/** Reads and writes of storage by the names of variables. */
import type { Address, Hash } from '../../bytes/hex.ts'
import { toHex, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import type { DebugPathPart, StorageAccess } from './debugRun.ts'
import type { Meant } from './declarations.ts'
import type { Layout, Located } from './layout.ts'
import type { Preimages } from './preimages.ts'
import { decoded, keyText, type TypeNames, textOf } from './values.ts'

/** The storage of a contract, and the names of its types. */
export interface NamedLayout {
  readonly layout: Layout
  readonly names: TypeNames
}

/** A load or store, as the EVM has it. */
export interface RawAccess {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  readonly address: Address
  readonly slot: bigint
  readonly before: bigint
  /** Of reads the same as `before`. */
  readonly after: bigint
  /** What stands at its place in the source. */
  readonly meant: Meant | undefined
  /** Returns the present word of a slot: before a write has happened. */
  readonly word: (slot: bigint) => bigint
}

/** A read or write that may be undone later. */
export type OpenAccess = StorageAccess & { isReverted: boolean }

/** Names what one run reads and writes. */
export class StorageNames {
  readonly preimages: Preimages
  /** The texts before they were written piece by piece, by address and slot; `by` is what wrote the pieces. */
  readonly #texts = new Map<string, { readonly by: object; readonly value: string | undefined }>()
  /** The texts whose length was written, by address and slot: older compilers write their bytes then. */
  readonly #written = new Map<string, { readonly by: object; readonly access: { value: unknown } }>()

  constructor(preimages: Preimages) {
    this.preimages = preimages
  }

  /**
   * Returns one access for each variable concerned: of a write those that change, of a read of several in one slot those that the source
   * names. `layouts` are asked in their order. None: the load serves only to keep what stands beside the written variable. `by`: the step,
   * which is the same for all pieces of a text that one statement writes. `isVague`: the source names none of those in the slot.
   */
  accesses(
    raw: RawAccess,
    layouts: readonly NamedLayout[],
    by: object,
  ): { readonly accesses: readonly OpenAccess[]; readonly isVague: boolean } {
    for (const { layout, names } of layouts) {
      const located = layout.locate(raw.slot, this.preimages)
      if (located.length === 0) continue
      const named = located.filter(({ declaration }) => declaration === raw.meant?.declaration)
      const concerned = concernedBy(raw, located, named)
      const elements = raw.kind === 'read' ? elementsOf(raw, concerned, names) : undefined
      const accesses = elements ?? concerned.map((one) => this.#named(raw, one, names, by))
      return { accesses, isVague: named.length === 0 }
    }
    return { accesses: [unnamed(raw)], isVague: false }
  }

  /** Returns a read for each variable in a slot, of arrays for each element. `layouts` are asked in their order. */
  each(raw: RawAccess, layouts: readonly NamedLayout[], by: object): readonly OpenAccess[] {
    for (const { layout, names } of layouts) {
      const located = layout.locate(raw.slot, this.preimages)
      if (located.length > 0) return located.map((one) => this.#named(raw, one, names, by))
    }
    return []
  }

  #named(raw: RawAccess, located: Located, names: TypeNames, by: object): OpenAccess {
    const { variable, path, type } = located
    const { kind, address, slot } = raw
    const isText = type?.encoding === 'bytes'
    if (type === undefined && kind === 'write') this.#keepText(raw, located, by)
    const read = (word: bigint) =>
      isText ? textAt(type, slot, word, raw.word) : valueIn(located, word, names)
    const before = () => {
      const kept = isText ? this.#texts.get(`${address} ${slot}`) : undefined
      this.#texts.delete(`${address} ${slot}`)
      return kept?.by === by ? kept.value : read(raw.before)
    }
    const access = {
      ...common(raw),
      name: nameOf(variable, path),
      variable,
      path,
      type: type === undefined ? 'bytes32' : type.label,
      value: read(raw.after),
      ...(kind === 'write' ? { before: before() } : {}),
    }
    if (isText && kind === 'write') this.#written.set(`${address} ${slot}`, { by, access })
    return access
  }

  /** Keeps the text whose bytes are written before its length is. */
  #keepText({ address, slot, after, word }: RawAccess, { text }: Located, by: object): void {
    if (text === undefined) return
    const key = `${address} ${text.slot}`
    const written = this.#written.get(key)
    if (written?.by === by) {
      const then = (at: bigint) => (at === slot ? after : word(at))
      written.access.value = textAt(text.type, text.slot, then(text.slot), then)
      return
    }
    if (this.#texts.get(key)?.by === by) return
    this.#texts.set(key, { by, value: textAt(text.type, text.slot, word(text.slot), word) })
  }
}

/** Returns those in a slot that an access is about. */
function concernedBy(
  { kind, before, after, meant }: RawAccess,
  located: readonly Located[],
  named: readonly Located[],
): readonly Located[] {
  if (kind === 'read') {
    if (named.length > 0 && meant!.isOnlyWritten) return []
    return named.length > 0 ? named : located
  }
  const changed = located.filter((one) => bytesIn(one, before) !== bytesIn(one, after))
  if (changed.length > 0) return changed
  return named.length > 0 ? named : located
}

/** Returns one access for a read of several elements of one array: the source does not say which of them it is about. */
function elementsOf(
  raw: RawAccess,
  located: readonly Located[],
  names: TypeNames,
): readonly OpenAccess[] | undefined {
  const [first] = located
  const last = first?.path.at(-1)
  if (first === undefined || last?.kind !== 'index' || located.length < 2) return undefined
  const array = nameOf(first.variable, first.path.slice(0, -1))
  const isElement = ({ variable, path }: Located) =>
    path.at(-1)?.kind === 'index' && nameOf(variable, path.slice(0, -1)) === array
  if (!located.every(isElement)) return undefined
  const part = { kind: 'elements' as const, from: last.index, length: located.length }
  const path = [...first.path.slice(0, -1), part]
  const { variable, type } = first
  const value = located.map((one) => valueIn(one, raw.after, names))
  return [{ ...common(raw), name: nameOf(variable, path), variable, path, type: `${type!.label}[]`, value }]
}

function unnamed(raw: RawAccess): OpenAccess {
  const { kind, before, after } = raw
  return {
    ...common(raw),
    name: undefined,
    variable: undefined,
    path: [],
    type: undefined,
    value: hexWord(after),
    ...(kind === 'write' ? { before: hexWord(before) } : {}),
  }
}

function common({ kind, isTransient, address, slot }: RawAccess) {
  return { kind, isTransient, address, slot: hexWord(slot), isReverted: false }
}

function hexWord(value: bigint): Hash {
  return toHex(toWord(value))
}

/** The name with keys, indexes and members. */
function nameOf(variable: string, path: readonly DebugPathPart[]): string {
  return variable + path.map(partText).join('')
}

function partText(part: DebugPathPart): string {
  switch (part.kind) {
    case 'member':
      return `.${part.name}`
    case 'key':
      return `[${keyText(part.type, part.value)}]`
    case 'index':
      return `[${part.index}]`
    case 'bytes':
    case 'elements':
      return `[${part.from}:${part.from + BigInt(part.length)}]`
  }
}

function bytesIn({ type, offset }: Located, word: bigint): bigint {
  const bits = 8 * Math.min(32, Number(type?.numberOfBytes ?? 32))
  return BigInt.asUintN(bits, word >> BigInt(8 * offset))
}

function valueIn(located: Located, word: bigint, names: TypeNames): unknown {
  const { type } = located
  if (type === undefined) return hexWord(word)
  // What stands at the slot of an array is its length.
  if (type.encoding !== 'inplace') return type.encoding === 'dynamic_array' ? word : hexWord(word)
  return decoded(type, toWord(bytesIn(located, word)).subarray(32 - Number(type.numberOfBytes)), names)
}

/** The most bytes of a text that are told. */
const MOST_TEXT = 4096n

/** Returns the text at `slot`, whose word is `head`; `undefined` for one that is too long, or none. */
function textAt(
  type: { readonly label: string },
  slot: bigint,
  head: bigint,
  word: (slot: bigint) => bigint,
): string | undefined {
  if ((head & 1n) === 0n) {
    const length = Number((head & 0xffn) >> 1n)
    return length > 31 ? undefined : textOf(type, toWord(head).subarray(0, length))
  }
  const length = head >> 1n
  if (length < 32n || length > MOST_TEXT) return undefined
  const first = BigInt(toHex(keccak256(toWord(slot))))
  const bytes = new Uint8Array(Math.ceil(Number(length) / 32) * 32)
  for (let i = 0; 32 * i < length; i++) bytes.set(toWord(word(first + BigInt(i))), 32 * i)
  return textOf(type, bytes.subarray(0, Number(length)))
}
