import { toHex, toQuantity, toWord } from '../../bytes/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { checksummed } from '../../model/account/account.ts'
import type { StorageLayout } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, textIn, typeStringOf } from '../source/ast.ts'
import { declaredTypes, type SourceModel } from '../source/sourceModel.ts'

/** A type in a storage layout, with its id in the layout, such as `t_enum(Status)12`. */
export type ValueType = NonNullable<StorageLayout['types']>[string] & { readonly id: string }

/** Names that belong to types. The AST has these names, but storage layouts lack them. */
export interface TypeNames {
  members(id: string): readonly string[] | undefined
  /** The underlying type of a user-defined value type, such as `uint128`. */
  underlying(id: string): string | undefined
}

export function typeNames(model: SourceModel): TypeNames {
  const declared = (id: string) => declaredTypes(model).get(Number(/(\d+)$/.exec(id)?.[1] ?? -1))
  return {
    members(id) {
      const node = declared(id)
      return node && nodesIn(node, 'members').map((member) => textIn(member, 'name'))
    },
    underlying(id) {
      const node = declared(id)
      const type = node && nodeIn(node, 'underlyingType')
      return (type && typeStringOf(type)) || undefined
    },
  }
}

/** Decodes a mapping's key: 32 bytes, or a string. Returns `undefined` for invalid bytes. */
export function keyValue(
  type: ValueType,
  key: Uint8Array,
  names: TypeNames,
): { readonly value: unknown } | undefined {
  if (type.encoding === 'bytes') return { value: textOf(type, key) }
  if (key.length !== 32) return undefined
  const size = Number(type.numberOfBytes)
  const isLeftAligned = /^(bytes\d+|function )/.test(underlyingLabel(type, names))
  const bytes = isLeftAligned ? key.subarray(0, size) : key.subarray(32 - size)
  return { value: decoded(type, bytes, names) }
}

/** Decodes a value as viem would return it. Enum values become member names; values of unknown types become hex. */
export function decoded(type: ValueType, bytes: Uint8Array, names: TypeNames): unknown {
  const label = underlyingLabel(type, names)
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(label) ?? []
  if (bits !== undefined) {
    const raw = toQuantity(bytes)
    const value = sign === 'u' ? raw : BigInt.asIntN(Number(bits), raw)
    return Number(bits) <= 48 ? Number(value) : value
  }
  if (label === 'bool') return toQuantity(bytes) !== 0n
  if (/^(address|contract )/.test(label)) return checksummed(toHex(bytes))
  if (label.startsWith('enum ')) {
    const index = Number(toQuantity(bytes))
    return names.members(type.id)?.[index] ?? index
  }
  return toHex(bytes)
}

/** Returns the text of a `string`, or `bytes` as hex. */
export function textOf({ label }: Pick<ValueType, 'label'>, bytes: Uint8Array): string {
  return label.startsWith('string') ? new TextDecoder().decode(bytes) : toHex(bytes)
}

/** Returns the name of a type. For a user-defined value type, returns the name of the underlying type. */
export function underlyingLabel({ id, label }: ValueType, names: TypeNames): string {
  return id.startsWith('t_userDefinedValueType') ? (names.underlying(id) ?? label) : label
}

/** Returns the size of an elementary type in bytes; `undefined` for other types. */
export function elementarySize(label: string): number | undefined {
  if (label === 'bool') return 1
  if (/^address( payable)?$/.test(label)) return 20
  const [, kind, size] = /^(u?int|bytes)(\d+)$/.exec(label) ?? []
  return kind === undefined ? undefined : Number(size) / (kind === 'bytes' ? 1 : 8)
}

/** Formats a mapping key as in names of variables, such as `balances[0x…]` and `prices["apple"]`. */
export function keyText(type: string, value: unknown): string {
  return type.startsWith('string') ? JSON.stringify(value) : String(value)
}

/** Returns the string at `slot`; `undefined` if too long or malformed. `head` is the word in the slot. */
export function textAt(
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
  const first = toQuantity(keccak256(toWord(slot)))
  const bytes = new Uint8Array(Math.ceil(Number(length) / 32) * 32)
  for (let i = 0; 32 * i < length; i++) bytes.set(toWord(word(first + BigInt(i))), 32 * i)
  return textOf(type, bytes.subarray(0, Number(length)))
}

/** Maximum length of strings to read, in bytes. */
export const MOST_TEXT = 4096n
