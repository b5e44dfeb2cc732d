/** Values of Solidity types, from the bytes that stand for them in storage and in the keys of mappings. */

import { toHex, toQuantity } from '../../bytes/hex.ts'
import { checksummed } from '../../model/account.ts'
import type { StorageLayout } from '../artifacts/solcJson.ts'
import { nodeIn, nodesIn, textIn } from '../source/ast.ts'
import type { Declarations } from './declarations.ts'

/** A type of a layout, and its name there, such as `t_enum(Status)12`. */
export type ValueType = NonNullable<StorageLayout['types']>[string] & { readonly id: string }

/** Names that only the syntax trees have. */
export interface TypeNames {
  /** The members of an enum; `undefined` where they are not known. */
  members(id: string): readonly string[] | undefined
  /** The type behind a value type of users, such as `uint128`. */
  underlying(id: string): string | undefined
}

/** Returns the names in `declarations`. */
export function typeNames(declarations: Declarations): TypeNames {
  const declared = (id: string) => declarations.type(Number(/(\d+)$/.exec(id)?.[1] ?? -1))
  return {
    members(id) {
      const node = declared(id)
      return node && nodesIn(node, 'members').map((member) => textIn(member, 'name'))
    },
    underlying(id) {
      const node = declared(id)
      const type = node && nodeIn(node, 'underlyingType')
      const { typeString } = (type?.typeDescriptions ?? {}) as { readonly typeString?: string }
      return typeString
    },
  }
}

/**
 * Returns the value of the key of a mapping: 32 bytes, or a text. `undefined` where the bytes cannot be such a key. Values are in viem's
 * form, see `decoded`.
 */
export function keyValue(
  type: ValueType,
  key: Uint8Array,
  names: TypeNames,
): { readonly value: unknown } | undefined {
  if (type.encoding === 'bytes') return { value: textOf(type, key) }
  if (key.length !== 32) return undefined
  const size = Number(type.numberOfBytes)
  const bytes = isLeftAligned(underlyingLabel(type, names)) ? key.subarray(0, size) : key.subarray(32 - size)
  return { value: decoded(type, bytes, names) }
}

/**
 * Returns the value that `bytes` are, which are as many as the type has. Integers are bigints, those of up to 48 bits numbers, as in
 * viem; addresses and contracts have a checksum; members of enums are names; what is left is hex.
 */
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

/** The text of `string`, and hex of `bytes`. */
export function textOf({ label }: Pick<ValueType, 'label'>, bytes: Uint8Array): string {
  return label.startsWith('string') ? new TextDecoder().decode(bytes) : toHex(bytes)
}

/** Returns the label of a type, of a value type of users that of the type behind it. */
export function underlyingLabel({ id, label }: ValueType, names: TypeNames): string {
  return id.startsWith('t_userDefinedValueType') ? (names.underlying(id) ?? label) : label
}

function isLeftAligned(label: string): boolean {
  return /^(bytes\d+|function )/.test(label)
}

/** Returns the value as it stands in the name of a variable: `balances[0x…]`, `prices["apple"]`. */
export function keyText(type: string, value: unknown): string {
  return type.startsWith('string') ? JSON.stringify(value) : String(value)
}
