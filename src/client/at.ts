/** Which block is looked at. */
import type { Hash, Hex } from '../model/bytes/hex.ts'
import type { Selector, Tag } from '../model/selector.ts'
import { encodeQuantity } from '../wire/hex.ts'
import { InvalidValue } from '../wire/parser.ts'
import { parseSelector } from '../wire/selector.ts'

/**
 * A tag, a number, a hash, or an object of EIP-1898; with `slice` the block as it was when that slice of it had been
 * pre-confirmed.
 */
export type BlockSelector =
  | Tag
  | bigint
  | Hash
  | { readonly blockHash: Hash; readonly requireCanonical?: boolean | undefined }
  | { readonly blockNumber: bigint | Tag; readonly slice?: bigint | number | undefined }

/** @internal The selector, and how JSON-RPC has it. Throws a `TypeError`. */
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
