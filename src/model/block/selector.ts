import type { Hash } from '../../bytes/hex.ts'

export const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const
export type Tag = (typeof TAGS)[number]

export type Selector =
  | { readonly kind: 'tag'; readonly tag: Tag }
  | { readonly kind: 'number'; readonly number: bigint }
  | { readonly kind: 'hash'; readonly hash: Hash; readonly requireCanonical: boolean }
  /** The block with this number, as it was after this slice. */
  | { readonly kind: 'slice'; readonly number: bigint; readonly slice: number }

export const LATEST: Selector = { kind: 'tag', tag: 'latest' }
export const PENDING: Selector = { kind: 'tag', tag: 'pending' }

export function isPending(selector: Selector): boolean {
  return selector.kind === 'tag' && selector.tag === 'pending'
}

/** Returns the selector of the block with this hash, even if a reorg removed the block. */
export function byHash(hash: Hash): Selector {
  return { kind: 'hash', hash, requireCanonical: false }
}
