/** Block selectors of the client's functions, and their JSON-RPC form. */
import type { Hash, Hex } from '../bytes/hex.ts'
import type { Selector, Tag } from '../model/selector.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import { parseSelector } from '../wire/selector.ts'

/**
 * A block: a tag, a number, a hash, or an object of EIP-1898; with `slice`, the block under construction as it was
 * when that slice had been pre-confirmed.
 */
export type BlockSelector =
  | Tag
  | bigint
  | Hash
  | { readonly blockHash: Hash; readonly requireCanonical?: boolean | undefined }
  | { readonly blockNumber: bigint | Tag; readonly slice?: bigint | number | undefined }

/** @internal Returns the parsed selector and its JSON-RPC form. Throws a `TypeError`. */
export function selectorOf(at: BlockSelector, path: string): { selector: Selector; json: unknown } {
  const json = encode(at)
  try {
    return { selector: parseSelector(json, path), json }
  } catch (error) {
    throw error instanceof InvalidValue ? new TypeError(error.message) : error
  }
}

function encode(at: BlockSelector): unknown {
  if (typeof at === 'bigint') return encodeQuantity(at)
  if (typeof at !== 'object' || at === null || !('blockNumber' in at)) return at
  const { blockNumber, slice } = at
  return {
    blockNumber: typeof blockNumber === 'bigint' ? encodeQuantity(blockNumber) : blockNumber,
    ...(slice === undefined ? {} : { slice: encodeQuantity(slice) satisfies Hex }),
  }
}
