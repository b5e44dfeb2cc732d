/** Blocks for responses and notifications. */
import { hasBlock } from '../chain/chain.ts'
import type { Missing, Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import { ZERO_HASH } from '../model/bytes/hex.ts'
import { rootedHeader } from '../state/roots.ts'
import { Problem } from './problem.ts'

/**
 * Returns the block with the roots of its current content: a block has none until it is sealed, so they are computed
 * here.
 */
export function withRoots(block: Block): Block {
  return block.hash === ZERO_HASH ? { ...block, header: rootedHeader(block) } : block
}

/**
 * Returns the result of `answer` for a found block, or `null` for an unknown one (CONTRACT 2). Throws a `Problem` for
 * a pruned one.
 */
export function lookedUp<T>(found: Moment | Missing, answer: (block: Block) => T): T | null {
  if (hasBlock(found)) return answer(found.block)
  if (found.kind === 'prunedHistory') throw new Problem(found)
  return null
}
