/** What parameters and local variables are on the stack: how many words each type takes there, and which value they are. */

import { toQuantity, toWord } from '../../bytes/hex.ts'
import { readMemory } from '../../engine/trace/opcodes.ts'
import type { AstNode } from '../artifacts/solcJson.ts'
import { keyValue, type TypeNames, textOf, underlyingLabel, type ValueType } from './values.ts'

/** Longer texts are not told, as those of storage. */
const MOST_TEXT = 4_096n

/** The type of a parameter or local variable. */
export interface StackType {
  /** As in the source, with the location of data: `uint256`, `string memory`. */
  readonly label: string
  readonly id: string
  /** How many words of the stack it takes. */
  readonly words: number
}

/** What the words of pointers lead to. */
export interface PointedAt {
  readonly memory: Uint8Array
  /** The data of the call. */
  readonly input: Uint8Array
}

/** Returns the type of a declaration; `undefined` where it is not known how many words it takes. */
export function stackTypeOf(declaration: AstNode): StackType | undefined {
  const { typeString, typeIdentifier: id } = (declaration.typeDescriptions ?? {}) as {
    readonly typeString?: string
    readonly typeIdentifier?: string
  }
  if (typeString === undefined || id === undefined) return undefined
  // The identifier alone has the location, which the text has in some versions.
  const [, location] = /_(memory|calldata|storage)(?:_ptr)?$/.exec(id) ?? []
  const bare = typeString.replace(/ (memory|calldata|storage( pointer| ref)?)$/, '')
  const words = wordsOf(bare, id, location)
  return words === undefined ? undefined : { label: location ? `${bare} ${location}` : bare, id, words }
}

function wordsOf(bare: string, id: string, location: string | undefined): number | undefined {
  // What is of any length in calldata has its offset and its length.
  if (location === 'calldata') return /^t_(bytes|string)_calldata|\$dyn_calldata(_ptr)?$/.test(id) ? 2 : 1
  if (location !== undefined || id.startsWith('t_userDefinedValueType') || id.startsWith('t_mapping'))
    return 1
  return /^(u?int\d*|bool|address( payable)?|bytes\d+|(contract|enum) [\w$.]+)$/.test(bare) ? 1 : undefined
}

/**
 * Returns the value of `words`, in viem's form as those of storage; `undefined` where it is not told: of arrays, structs, mappings and
 * long texts.
 */
export function valueOnStack(
  { label, id }: StackType,
  words: readonly bigint[],
  names: TypeNames,
  { memory, input }: PointedAt,
): unknown {
  const [word = 0n, length = 0n] = words
  if (label === 'string memory' || label === 'bytes memory') {
    // Behind what was written there are zeros, as at the place that texts have before they are given a value.
    return word > memory.length
      ? undefined
      : text(label, memory, word + 32n, toQuantity(readMemory(memory, word, 32n)))
  }
  if (label === 'string calldata' || label === 'bytes calldata') return text(label, input, word, length)
  const type = { id, label, encoding: 'inplace', numberOfBytes: '32' } satisfies ValueType
  const size = sizeOf(underlyingLabel(type, names))
  return size === undefined
    ? undefined
    : keyValue({ ...type, numberOfBytes: String(size) }, toWord(word), names)?.value
}

function text(label: string, bytes: Uint8Array, offset: bigint, length: bigint): string | undefined {
  if (length > MOST_TEXT || (length > 0n && offset + length > bytes.length)) return undefined
  return textOf({ label }, readMemory(bytes, offset, length))
}

/** Returns how many bytes of its word a value has; `undefined`: it is no value. */
function sizeOf(label: string): number | undefined {
  const [, bits] = /^u?int(\d+)$/.exec(label) ?? []
  if (bits !== undefined) return Number(bits) / 8
  const [, bytes] = /^bytes(\d+)$/.exec(label) ?? []
  if (bytes !== undefined) return Number(bytes)
  // What is not zero is true.
  if (label === 'bool') return 32
  if (label.startsWith('enum ')) return 1
  return /^(address|contract )/.test(label) && !/ (memory|calldata|storage)/.test(label) ? 20 : undefined
}
