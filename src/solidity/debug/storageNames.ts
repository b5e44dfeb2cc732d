/** Finds the variables that are read or written by accesses to storage. */

import { type Address, type Hash, toHex, toWord } from '../../bytes/hex.ts'
import type { AccessTarget } from './codeSource.ts'
import type { DebugPathPart, StorageAccess } from './debugRun.ts'
import type { Layout, Located, Preimages } from './layout.ts'
import { decoded, keyText, type TypeNames, textAt } from './values.ts'

export interface RawAccess {
  readonly kind: 'read' | 'write'
  readonly isTransient: boolean
  readonly address: Address
  readonly slot: bigint
  readonly before: bigint
  /** The word after the access; for a read, equal to `before`. */
  readonly after: bigint
  /** The accessed variable according to the source. */
  readonly target: AccessTarget | undefined
  /** Returns the word in a slot before the access. */
  readonly word: (slot: bigint) => bigint
}

export type OpenAccess = StorageAccess & { isReverted: boolean }

export class StorageNames {
  readonly preimages: Preimages
  /** Old values of strings that are being written, by address and slot. `by` is the step that writes the string. */
  readonly #texts = new Map<string, { readonly by: object; readonly value: string | undefined }>()
  /** Writes of string lengths, by address and slot. Code of old compilers writes a string's bytes after its length. */
  readonly #written = new Map<string, { readonly by: object; readonly access: { value: unknown } }>()

  constructor(preimages: Preimages) {
    this.preimages = preimages
  }

  /**
   * Returns one access per variable that a load or store concerns. A write concerns the changed variables. A read of
   * a shared slot concerns the variables that the source names, or no variable if the read only preserves the other
   * variables in the slot. Uses the first of `layouts` with a variable in the slot. `by` is the step, which is the same
   * for all words of a string that one statement writes. `isVague` is true if the source names no variable in the slot.
   */
  accesses(
    raw: RawAccess,
    layouts: readonly Layout[],
    by: object,
  ): { readonly accesses: readonly OpenAccess[]; readonly isVague: boolean } {
    for (const layout of layouts) {
      const located = layout.locate(raw.slot, this.preimages)
      if (located.length === 0) continue
      const named = located.filter(({ declaration }) => declaration === raw.target?.declaration)
      const concerned = concernedBy(raw, located, named)
      const elements = raw.kind === 'read' ? elementsOf(raw, concerned, layout.names) : undefined
      const accesses = elements ?? concerned.map((one) => this.#named(raw, one, layout.names, by))
      return { accesses, isVague: named.length === 0 }
    }
    return { accesses: [unnamed(raw)], isVague: false }
  }

  /** Returns a separate access for each variable and each array element in the slot of `raw`. */
  each(raw: RawAccess, layout: Layout, by: object): readonly OpenAccess[] {
    const located = layout.locate(raw.slot, this.preimages)
    return located.map((one) => this.#named(raw, one, layout.names, by))
  }

  #named(raw: RawAccess, located: Located, names: TypeNames, by: object): OpenAccess {
    const { variable, path, type } = located
    const { kind, address, slot } = raw
    const key = keyOf(address, slot)
    const isText = type?.encoding === 'bytes'
    if (type === undefined && kind === 'write') this.#keepText(raw, located, by)
    const read = (word: bigint) =>
      isText ? textAt(type, slot, word, raw.word) : valueIn(located, word, names)
    const before = () => {
      const kept = isText ? this.#texts.get(key) : undefined
      this.#texts.delete(key)
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
    if (isText && kind === 'write') this.#written.set(key, { by, access })
    return access
  }

  /** Keeps a string's old value if the bytes are written before the length; otherwise updates the write's new value. */
  #keepText({ address, slot, after, word }: RawAccess, { text }: Located, by: object): void {
    if (text === undefined) return
    const key = keyOf(address, text.slot)
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

/** Returns the values in a slot that an access read or changed. */
function concernedBy(
  { kind, before, after, target }: RawAccess,
  located: readonly Located[],
  named: readonly Located[],
): readonly Located[] {
  if (kind === 'read') {
    if (named.length > 0 && target!.isOnlyWritten) return []
    return named.length > 0 ? named : located
  }
  const changed = located.filter((one) => bytesIn(one, before) !== bytesIn(one, after))
  if (changed.length > 0) return changed
  return named.length > 0 ? named : located
}

/** Returns one access for all array elements in a slot, if the source does not show the element that is read. */
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
  // A dynamic array's slot has the length of the array.
  if (type.encoding !== 'inplace') return type.encoding === 'dynamic_array' ? word : hexWord(word)
  return decoded(type, toWord(bytesIn(located, word)).subarray(32 - Number(type.numberOfBytes)), names)
}

/** Transient storage during one run. It is empty at the beginning, and writes of failed calls are reverted. */
export class TransientStorage {
  readonly #words = new Map<string, bigint>()
  /** The replaced value of each write, oldest first. */
  readonly #undo: { readonly key: string; readonly before: bigint }[] = []

  /** Number of writes up to now, to which `revertTo` can return. */
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
