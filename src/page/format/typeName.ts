/** Types as the page writes them. */
import type { Parameter } from '../../solidity/abi/decoded.ts'

/** Returns the type of a parameter, such as `uint256[]`; of a struct its name, as in `Store.Item[]`, if the compiler wrote it down. */
export function typeName({ type, internalType }: Parameter & { readonly internalType?: unknown }): string {
  if (!type.startsWith('tuple') || typeof internalType !== 'string') return type
  const [, name] = /^struct ([\w$.]+)/.exec(internalType) ?? []
  // Of an item of an array it is still the type of the array.
  return name === undefined ? type : `${name}${type.slice('tuple'.length)}`
}

/** Returns a type as forms name it: storage layouts and sources have `struct` before the name of one. */
export function withoutStruct(type: string): string {
  return type.replace(/\bstruct /g, '')
}
