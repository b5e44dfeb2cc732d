/** Blocks as look-ups and subscriptions show them. */
import { hasBlock } from '../chain/chain.ts'
import type { Missing, Moment } from '../chain/moment.ts'
import type { Block } from '../model/block/block.ts'
import { ZERO_HASH } from '../model/bytes/hex.ts'
import { rootedHeader } from '../state/roots.ts'
import { Problem } from './problem.ts'

/** Returns the block with the roots of what is in it so far: before it is sealed it has none, and whoever shows it makes them. */
export function withRoots(block: Block): Block {
  return block.hash === ZERO_HASH ? { ...block, header: rootedHeader(block) } : block
}

/**
 * Returns what `answer` makes of the block that was found: `null` for one that never was (CONTRACT 2). Throws the problem of
 * one that was pruned.
 */
export function lookedUp<T>(found: Moment | Missing, answer: (block: Block) => T): T | null {
  if (hasBlock(found)) return answer(found.block)
  if (found.kind === 'prunedHistory') throw new Problem(found)
  return null
}
