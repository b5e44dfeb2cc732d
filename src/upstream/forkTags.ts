/** How the block is named from which a chain is forked. */
import type { Hash } from '../bytes/hex.ts'

/** The tags of blocks from which a chain can be forked. */
export const FORK_TAGS = ['latest', 'safe', 'finalized', 'earliest'] as const
export type ForkTag = (typeof FORK_TAGS)[number]

/** Returns whether a name is a hash: that of a block, or of a transaction. */
export function isHash(block: bigint | number | string | undefined): block is Hash {
  return typeof block === 'string' && block.startsWith('0x')
}

/** Returns whether a name means the same block in each run: by a tag, and by default, it is another one later. */
export function isFixed(block: bigint | number | string | undefined): boolean {
  return typeof block === 'bigint' || typeof block === 'number' || isHash(block)
}
