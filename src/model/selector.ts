/** Which block is meant (seed 2.1, EIP-1898). */
import type { Hash } from './bytes/hex.ts'

export const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const
export type Tag = (typeof TAGS)[number]

export type Selector =
  | { readonly kind: 'tag'; readonly tag: Tag }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Hash; readonly requireCanonical: boolean }
  /** The block as it was when this slice of it had been pre-confirmed. */
  | { readonly kind: 'slice'; readonly number: bigint; readonly slice: number }

export const LATEST: Selector = { kind: 'tag', tag: 'latest' }

/** The block with this hash, whether it still stands on the chain or was removed from it. */
export function byHash(hash: Hash): Selector {
  return { kind: 'hash', hash, requireCanonical: false }
}
